"""Aggregates of the SQL files here, driven over OVER frames as the engine drives them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from transom.language import bind_script
from transom.semantics.length import Rows
from transom.uda.run.kept_bytes import to_bytes
from transom.uda.run.ready import Ready
from transom.uda.run.runners import Runner, Straight, Tuples

FOLDER = Path(__file__).parent
CHUNK = 10_000
"""Tuples of a key in a micro-batch."""


@cache
def ready(file: str, name: str) -> Ready:
    return Ready(bind_script((FOLDER / f"{file}.sql").read_text(encoding="utf-8")).catalog.aggregates[name])


class Driven:
    """One key of one aggregate; `length` None is the base version, of which nothing expires."""

    def __init__(self, aggregate: Ready, length: int | None, slide: int | None = None) -> None:
        preceding = None if length is None else Rows(length - 1)
        runner = aggregate.runner(preceding, None if slide is None else Rows(slide), None if length is None else length - 1)
        if runner is None:
            raise RuntimeError(f"{aggregate.name} has no runner")
        self.runner: Runner = runner
        self.entry, self.slide, self.seen = runner.fresh(), slide, 0

    def run(self, *columns: list[Any]) -> list[Any]:
        """Chunk by chunk."""
        found: list[Any] = []
        for start in range(0, len(columns[0]), CHUNK):
            part = [column[start : start + CHUNK] for column in columns]
            found += self.runner.run(self.entry, Tuples(part, yields=self._yields(len(part[0]))))[0]
        return found

    def _yields(self, count: int) -> list[bool] | None:
        self.seen += count
        if self.slide is None:
            return None
        flags = [False] * count
        for n in range((count - self.seen - 1) % self.slide, count, self.slide):
            flags[n] = True
        return flags

    def fill(self, column: list[Any]) -> None:
        """Take tuples into the window without asking for results."""
        assert isinstance(self.runner, Straight)
        drive = replace(self.runner.drive, yields=True)
        self.runner.program.step(self.entry, drive, [column], yields=[False] * len(column), reach=self.runner.reach)

    def kept(self) -> int:
        """The bytes of the state as it is kept."""
        return len(to_bytes(self.runner.dump(self.entry)))
