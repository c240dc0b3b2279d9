"""`transom shell`: statements one by one, and their answers."""

from transom.cli.shell.shell_session import Session, shell

__all__ = ["Session", "shell"]
