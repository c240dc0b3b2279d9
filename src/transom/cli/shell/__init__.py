"""`transom shell`: statements one by one, and their answers."""

from transom.cli.shell.shell_session import ShellSession, shell

__all__ = ["ShellSession", "shell"]
