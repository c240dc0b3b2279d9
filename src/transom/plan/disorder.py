"""What a stream or a window says about disorder: where punctuation comes from, and what becomes of late tuples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transom.errors import ConflictingClauses, NotPositive
from transom.plan.expression import Expression
from transom.semantics.generator import Ordered, Slack
from transom.semantics.length import positive
from transom.semantics.time import Duration


@dataclass(frozen=True)
class PunctuationClause:
    """`PUNCTUATION (g, a) WHEN p FROM (...)`: rows that are promises, not tuples."""

    columns: tuple[str, ...]
    when: Expression
    substreams: tuple[tuple[Any, ...], ...] = ()


@dataclass(frozen=True)
class SlackPercent:
    """`SLACK 10%` of the window's RANGE."""

    percent: float

    def __post_init__(self) -> None:
        if self.percent < 0:
            raise NotPositive("SLACK cannot be negative", given=f"{self.percent}%", remedy="give 0 or more")


@dataclass(frozen=True)
class Heartbeat:
    """`HEARTBEAT [AVERAGE]`: as much slack as the lateness seen."""

    average: bool = False


@dataclass(frozen=True)
class DropRatio:
    """`DRATIO 1% [NORMAL]`: as much slack as keeps the share of late tuples at or below a ratio."""

    ratio: float
    normal: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.ratio < 1:
            raise NotPositive(
                "a drop ratio lies between 0% and 100%",
                given=f"DRATIO {self.ratio * 100:g}%",
                remedy="give a percentage such as 1%",
            )


Generating = PunctuationClause | Ordered | Slack | SlackPercent | Heartbeat | DropRatio


@dataclass(frozen=True)
class Disorder:
    """All disorder clauses. What is left out is None."""

    generator: Generating | None = None
    buffer: int | None = None
    per_source: tuple[str, ...] | None = None
    idle_after: Duration | None = None
    ahead: Duration | None = None
    arrival_by: str | None = None
    late: str | None = None

    def __post_init__(self) -> None:
        for clause, length in (("IDLE AFTER", self.idle_after), ("AHEAD", self.ahead)):
            if length is not None:
                positive(clause, length)
        if self.buffer is None:
            return
        if self.buffer <= 0:
            raise NotPositive("BFSIZE must be greater than zero", given=f"BFSIZE {self.buffer}", remedy="give a number of tuples")
        if not isinstance(self.generator, Slack | SlackPercent | DropRatio):
            raise ConflictingClauses(
                "BFSIZE limits a SLACK or a DRATIO", given=f"BFSIZE {self.buffer}", remedy="add SLACK or DRATIO"
            )
