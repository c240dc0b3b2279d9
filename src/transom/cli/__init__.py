"""The command line."""

from transom.cli.commands import main

__all__ = ["main"]
