"""Contenders, measured in turns, and the ratios between them."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame

from benchmarks.running import Run


@dataclass(frozen=True)
class Contender:
    """A query by name. `frame` makes it over the first n files, so that a slow one can be given fewer."""

    name: str
    frame: Callable[[int], DataFrame]
    files: int
    rows: int
    warm_files: int
    warm_rows: int
    at: float = 0
    """Where it stands on the axis of a curve."""


@dataclass(frozen=True)
class Ratio:
    """A ratio of medians, with the smallest and largest ratio of a round."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f}x ({self.low:.2f} .. {self.high:.2f})"


@dataclass
class Contest:
    """The runs of all contenders, round by round."""

    runs: dict[str, list[Run]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def rate(self, name: str) -> float:
        """Rows per second, the median."""
        return statistics.median(run.rate for run in self.runs[name])

    def speed(self, ours: str, theirs: str) -> Ratio | None:
        """How many times the rows per second."""
        return self._ratio(ours, theirs, lambda run: run.rate)

    def cost(self, ours: str, theirs: str) -> Ratio | None:
        """How many times the seconds for a row."""
        return self._ratio(ours, theirs, lambda run: 1 / run.rate)

    def _ratio(self, ours: str, theirs: str, of: Callable[[Run], float]) -> Ratio | None:
        """None if one of them has failed."""
        above, below = ([of(run) for run in self.runs.get(name, [])] for name in (ours, theirs))
        if not above or not below or ours in self.failed or theirs in self.failed:
            return None
        rounds = [one / other for one, other in zip(above, below, strict=True)]
        return Ratio(statistics.median(above) / statistics.median(below), min(rounds), max(rounds))


def compete(contenders: Iterable[Contender], repeats: int, run: Callable[..., Run], say: Callable[[str], Any] = print) -> Contest:
    """One warm-up each, then rounds in which everyone runs once; every other round the other way around."""
    contest = Contest()
    line = list(contenders)
    for one in line:
        _attempt(contest, one, lambda one=one: run(one.frame(one.warm_files), one.warm_rows))
    for turn in range(repeats):
        for one in line if turn % 2 == 0 else reversed(line):
            if one.name in contest.failed:
                continue
            last = turn == repeats - 1
            made = _attempt(contest, one, lambda one=one, last=last: run(one.frame(one.files), one.rows, look_at_state=last))
            if made is not None:
                contest.runs.setdefault(one.name, []).append(made)
                rate = f"{made.seconds:8.2f} s {made.rate:>12,.0f} rows/s"
                say(f"  {turn + 1}/{repeats}  {one.name:42} {made.rows:>10,} rows {rate}")
    return contest


def _attempt(contest: Contest, one: Contender, work: Callable[[], Run]) -> Run | None:
    try:
        return work()
    except Exception as error:
        contest.failed[one.name] = reason(error)
        return None


def reason(error: Exception) -> str:
    """Why something failed, in a line: of an error in a worker, what Python said there."""
    lines = [line.strip() for line in f"{type(error).__name__}: {error}".splitlines()]
    said = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Mismatch): ", line)]
    return (said or lines)[-1 if said else 0][:300]
