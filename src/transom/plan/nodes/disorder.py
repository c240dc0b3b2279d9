"""What a stream or a window says about disorder: where punctuation comes from, and what becomes of late tuples."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

from transom.disorder.buffer_size import Buffered
from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.generator import Generator
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.errors import BadPunctuation, ConflictingClauses, NotALength, NotPositive, UnknownClause, UnknownColumn, WrongUnit
from transom.plan.expression import Expression
from transom.plan.types.schema import Column, Schema, unit_of_type
from transom.semantics.length import Length, Rows, positive
from transom.semantics.sql_type import SqlType
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
        if not isinstance(self.percent, Real) or not 0 <= self.percent < math.inf:
            raise NotPositive("SLACK is a part of RANGE, and not negative", given=f"{self.percent}%", remedy="give 0 or more")

    def of(self, length: Length) -> Slack:
        """The part of a RANGE: exact for numbers, whole microseconds and whole rows."""
        part = Decimal(repr(self.percent)) / 100
        if isinstance(length, Duration):
            return Slack(Duration(round(length.micros * part)))
        if isinstance(length, Rows):
            return Slack(Rows(round(length.count * part)))
        return Slack(length * self.percent / 100 if isinstance(length, float) else length * part)


LATE = ("generous", "consistent")

GeneratorClause = PunctuationClause | Ordered | Slack | SlackPercent | Heartbeat | DropRatio


@dataclass(frozen=True)
class Disorder:
    """All disorder clauses. What is left out is None."""

    generator: GeneratorClause | None = None
    buffer: int | None = None
    per_source: tuple[str, ...] | None = None
    idle_after: Duration | None = None
    ahead: Duration | None = None
    arrival_by: str | None = None
    late: str | None = None

    def __post_init__(self) -> None:
        for clause, length in (("IDLE AFTER", self.idle_after), ("AHEAD", self.ahead)):
            if length is not None and not isinstance(length, Duration):
                raise NotALength(f"{clause} is a length of time", given=repr(length), remedy="give seconds(30) or the like")
            if length is not None:
                positive(clause, length)
        if self.late not in (None, *LATE):
            raise UnknownClause("LATE is GENEROUS or CONSISTENT", given=str(self.late), exists=LATE, remedy="give one of the two")
        if isinstance(self.generator, Ordered) and self.generator.per and self.per_source is not None:
            raise ConflictingClauses(
                "ORDERED PER and PER SOURCE both say which tuples are in order among themselves",
                given=f"ORDERED PER {', '.join(self.generator.per)} PER SOURCE",
                remedy="say ORDERED PER for groups, or ORDERED PER SOURCE for substreams that windows wait for",
            )
        if self.buffer is None:
            return
        if not isinstance(self.buffer, Integral) or isinstance(self.buffer, bool):
            raise NotALength("BFSIZE is a number of tuples", given=str(self.buffer), remedy="give a whole number")
        if self.buffer <= 0:
            raise NotPositive("BFSIZE must be greater than zero", given=f"BFSIZE {self.buffer}", remedy="give a number of tuples")
        if not isinstance(self.generator, Slack | SlackPercent | DropRatio):
            raise ConflictingClauses(
                "BFSIZE limits a SLACK or a DRATIO", given=f"BFSIZE {self.buffer}", remedy="add SLACK or DRATIO"
            )

    @property
    def states_no_tolerance(self) -> bool:
        """Whether no clause says where progress comes from."""
        return self.generator is None and self.per_source is None

    @property
    def control(self) -> Generator | None:
        """The generator, within the limit of BFSIZE; None where there is none, or punctuation."""
        if self.generator is None or isinstance(self.generator, PunctuationClause | SlackPercent):
            return None
        return self.generator if self.buffer is None else Buffered(self.generator, self.buffer)

    @property
    def is_controlled(self) -> bool:
        """Whether the delay follows from the whole sequence, and not from the newest tuple alone."""
        if isinstance(self.generator, Slack):
            return self.buffer is not None or isinstance(self.generator.slack, Rows)
        return isinstance(self.generator, Heartbeat | DropRatio)

    @property
    def is_folded_by_tuple(self) -> bool:
        """Whether a controller walks the sequence tuple by tuple (a heap of rows, arrival times, an average). The delay of DRATIO
        and HEARTBEAT is the same for many tuples, which takes less."""
        if isinstance(self.generator, DropRatio):
            return self.generator.normal or self.buffer is not None
        if isinstance(self.generator, Heartbeat):
            return self.generator.average
        return self.is_controlled

    @property
    def slack(self) -> Length | None:
        """The SLACK, if it is one on the axis: not in rows, and not in percent."""
        given = self.generator.slack if isinstance(self.generator, Slack) else None
        return None if isinstance(given, Rows) else given

    def within(self, length: Any) -> Disorder:
        """With SLACK in percent as the part of a RANGE that it is."""
        return replace(self, generator=self.generator.of(length)) if isinstance(self.generator, SlackPercent) else self

    @property
    def untuned(self) -> Disorder:
        """With others in place of the amounts that may be changed while a query runs: it goes on from its checkpoint with any."""
        generator = self.generator
        if isinstance(generator, Slack):
            generator = Slack(Rows(1) if isinstance(generator.slack, Rows) else 0)
        elif isinstance(generator, DropRatio):
            generator = replace(generator, ratio=0.5)
        buffer = None if self.buffer is None else 1
        return replace(self, generator=generator, buffer=buffer, idle_after=None if self.idle_after is None else Duration(1))

    @property
    def compares_arrival(self) -> bool:
        """Whether event times are compared with arrival times to generate punctuation."""
        return isinstance(self.generator, DropRatio) and self.generator.normal


def check_named(disorder: Disorder, schema: Schema, title: str) -> None:
    """The columns of PER SOURCE and ARRIVAL BY are there, and arrivals are measured."""
    for name in disorder.per_source or ():
        schema.find(name, title)
    if disorder.arrival_by is not None:
        unit_of_type(schema.find(disorder.arrival_by, title))


def check_ahead(order: Column, arrival: Column | None) -> None:
    """AHEAD compares event times with arrival times, by the clock."""
    for column in [order] if arrival is None else [order, arrival]:
        if not SqlType.of(column.type).is_time:
            raise WrongUnit(
                "AHEAD compares times of events with times of arrival",
                given=f"{column.name}, a {column.type}",
                remedy="leave AHEAD out, or name timestamps in ORDER BY and ARRIVAL BY",
            )


def check_arrival(arrival: Column, order: Column) -> None:
    """NORMAL subtracts one from the other."""
    doubles = [column.type.upper() in ("FLOAT", "DOUBLE") for column in (arrival, order)]
    if unit_of_type(arrival) is not unit_of_type(order) or doubles == [True, False]:
        raise WrongUnit(
            f"arrival times are measured as {order.name!r} is, which is a {order.type}",
            given=f"ARRIVAL BY {arrival.name}, a {arrival.type}",
            remedy="name a column of the same type",
        )


def check_punctuation(clause: PunctuationClause, schema: Schema, title: str) -> None:
    """A promise is over columns that are there, the last of them measured, and a condition distinguishes it from a tuple."""
    for column in (*clause.columns, *clause.when.columns):
        try:
            schema.find(column, title)
        except UnknownColumn as error:
            raise BadPunctuation(
                f"punctuation over a column that is not there: {column!r}",
                given=column,
                exists=error.exists,
                remedy=error.remedy,
            ) from None
    unit_of_type(schema.find(clause.columns[-1], title))
    kind = clause.when.type_in(schema)
    if kind not in ("BOOLEAN", "UNKNOWN", "NULL"):
        raise BadPunctuation(
            f"WHEN is a condition that distinguishes promises from tuples, not {kind}",
            given=f"WHEN {clause.when.text}",
            remedy=f"compare it with something: WHEN {clause.when.text} = ...",
        )
