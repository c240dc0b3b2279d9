"""Lines of Python that are being written, each with what it does, so that a failure can be traced to an event."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

READ = "read"
"""What a line does that reads attributes of the tuple."""


class CodeLines:
    """Source code.

    >>> lines = CodeLines()
    >>> with lines.block("if w:"):
    ...     lines.call("on_trigger", "window, key")
    >>> print(lines.text())
    if w:
        on_trigger(window, key)
    >>> lines.does
    {2: 'on_trigger'}
    """

    def __init__(self) -> None:
        self._written: list[str] = []
        self._depth = 0
        self.does: dict[int, str] = {}

    def add(self, line: str, does: str | None = None) -> None:
        self._written.append("    " * self._depth + line)
        if does is not None:
            self.does[len(self._written)] = does

    def call(self, event: str, arguments: str) -> None:
        self.add(f"{event}({arguments})", does=event)

    @contextmanager
    def block(self, head: str, does: str | None = None) -> Iterator[None]:
        self.add(head, does)
        self._depth += 1
        head_alone = len(self._written)
        yield
        if len(self._written) == head_alone:
            self.add("pass")
        self._depth -= 1

    def text(self) -> str:
        return "\n".join(self._written)
