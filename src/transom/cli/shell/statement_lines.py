"""Statements out of lines: each ends in a semicolon that stands neither in quotes nor in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transom.cli.shell.help_texts import asks_for_help

LEAVE = ("quit", "exit", "\\q", "quit;", "exit;")
"""What ends a session."""
PART = re.compile(r"""'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`[^`]*`|--[^\n]*(?:\n|$)|/\*.*?\*/|;|[^'"`;/-]+|.""", re.DOTALL)
OPEN = re.compile(r"""'|"|`|/\*""")


class Pieces:
    """Lines so far, and the statements that are complete.

    >>> pieces = Pieces()
    >>> list(pieces.take("SELECT ';' -- not here;\\n")), list(pieces.take("FROM s; SELECT 2"))
    ([], [(1, "SELECT ';' -- not here;\\nFROM s;")])
    >>> list(pieces.rest())
    [(2, ' SELECT 2')]
    """

    def __init__(self) -> None:
        self._held = ""
        self._line = 1

    @property
    def is_empty(self) -> bool:
        return not self._held.strip()

    def take(self, text: str) -> Iterator[tuple[int, str]]:
        """Add text; the statements that it completes, each with the line it begins in."""
        self._held += text
        start = place = 0
        for part in PART.finditer(self._held):
            if OPEN.match(part[0]) and (len(part[0]) == 1 or part[0] == "/*"):
                break  # a quote or a comment that goes on in the next line
            if part[0] == "/" and self._held.startswith("/*", part.start()):
                break
            place = part.end()
            if part[0] == ";":
                yield self._piece(self._held[start:place])
                start = place
        self._held = self._held[start:]

    def rest(self) -> Iterator[tuple[int, str]]:
        """What is left when the input ends without a semicolon."""
        if not self.is_empty:
            yield self._piece(self._held)
        self._held = ""

    def _piece(self, text: str) -> tuple[int, str]:
        line = self._line
        self._line += text.count("\n")
        return line, text


def is_finished(text: str) -> bool:
    """Whether Enter ends what has been typed: nothing, a word for the shell, or statements up to their last semicolon.

    >>> [is_finished(text) for text in ("", "quit", "help windows", "SELECT 1", "SELECT 1;", "SELECT 1; SELECT")]
    [True, True, True, False, True, False]
    """
    if not text.strip() or text.strip().lower() in LEAVE or asks_for_help(text):
        return True
    pieces = Pieces()
    return bool(list(pieces.take(text + "\n"))) and pieces.is_empty
