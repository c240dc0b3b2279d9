"""Rows on stdout: aligned, as lines of JSON, or as CSV."""

from __future__ import annotations

import csv
import io
import json
import threading
from collections.abc import Callable, Sequence
from typing import TextIO

Cells = Sequence[Sequence[str]]


def quiet() -> None:
    """Nothing is in the way."""


class Printer:
    """Prints rows of one or several queries, batch after batch. A heading comes where the columns change."""

    def __init__(self, form: str, out: TextIO, *, titled: bool = False, before: Callable[[], None] = quiet) -> None:
        self.form, self._out, self.titled, self.before = form, out, titled, before
        self._last: object = None
        self._widths: list[int] = []
        self._lock = threading.Lock()
        self.closed = False

    def rows(self, of: object, title: str, names: Sequence[str], numeric: Sequence[bool], rows: Cells) -> None:
        """Rows of a query: cells for a table, else each row one line."""
        with self._lock:
            lines = self._table(of, title, names, numeric, rows) if self.form == "table" else self._lines(of, names, rows)
            self._last = of if lines else self._last
            self.write(lines)

    def write(self, lines: Sequence[str]) -> None:
        """Lines as they are."""
        if self.closed or not lines:
            return
        self.before()
        try:
            self._out.write("".join(f"{line}\n" for line in lines))
            self._out.flush()
        except BrokenPipeError:
            self.closed = True

    def answer(self, of: object, names: Sequence[str], rows: Cells) -> None:
        """Rows that are known here, as text."""
        if self.form == "jsonl":
            rows = [[json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)] for row in rows]
        elif self.form == "csv":
            rows = [[_csv(row)] for row in rows]
        self.rows(of, "", names, [False] * len(names), rows)

    def _lines(self, of: object, names: Sequence[str], rows: Cells) -> list[str]:
        heading = [_csv(names)] if self.form == "csv" and of != self._last and rows else []
        return [*heading, *(row[0] for row in rows)]

    def _table(self, of: object, title: str, names: Sequence[str], numeric: Sequence[bool], rows: Cells) -> list[str]:
        if not rows:
            return []
        needed = [max(len(name), *(len(row[n]) for row in rows)) for n, name in enumerate(names)]
        fits = of == self._last and all(width <= have for width, have in zip(needed, self._widths, strict=True))
        if not fits:
            grown = zip(needed, self._widths if of == self._last else needed, strict=True)
            self._widths = [max(pair) for pair in grown]
        lines = [] if fits else self._heading(title, names, numeric, again=self._last is not None)
        return [*lines, *(self._row(row, numeric) for row in rows)]

    def _heading(self, title: str, names: Sequence[str], numeric: Sequence[bool], *, again: bool) -> list[str]:
        rule = "  ".join("-" * width for width in self._widths)
        named = [f"{title}:"] if self.titled and title else []
        return [*([""] if again else []), *named, self._row(names, numeric), rule]

    def _row(self, cells: Sequence[str], numeric: Sequence[bool]) -> str:
        placed = zip(cells, self._widths, numeric, strict=True)
        return "  ".join(cell.rjust(width) if number else cell.ljust(width) for cell, width, number in placed).rstrip()


def _csv(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()
