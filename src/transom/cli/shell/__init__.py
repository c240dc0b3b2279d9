"""`transom shell`: statements one by one, and their answers."""

from transom.cli.shell.session import Session, shell

__all__ = ["Session", "shell"]
