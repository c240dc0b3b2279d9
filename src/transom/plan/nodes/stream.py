"""A stream as CREATE STREAM defines it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from transom.column_names import ARRIVAL_TS
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.errors import WrongUnit
from transom.plan.nodes.disorder import (
    Disorder,
    PunctuationClause,
    SlackPercent,
    check_ahead,
    check_arrival,
    check_named,
    check_punctuation,
)
from transom.plan.types.schema import IMPLICIT, Column, Schema, unit_of_type
from transom.semantics.length import Unit, unit_of
from transom.semantics.tuples import check_columns


@dataclass(frozen=True)
class Endpoint:
    """Where a stream comes from, or where results go: FILE, KAFKA, SOCKET, RATE, TABLE."""

    kind: str
    name: str | None = None
    format: str | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class StreamDefinition:
    """Columns, order, disorder, source. Without `order_by` the timestamp is latent.

    `frame` is the DataFrame that was handed over as the source, if one was; `bounded` says that it is a batch, all of which is
    known: without a disorder clause nothing in it is late.
    """

    name: str
    columns: tuple[Column, ...]
    order_by: str | None = None
    disorder: Disorder = field(default_factory=Disorder)
    source: Endpoint | None = None
    frame: Any = field(default=None, compare=False, repr=False)
    bounded: bool = False

    def __post_init__(self) -> None:
        check_columns(column.name for column in self.columns)
        unit = self.order_unit
        generator = self.disorder.generator
        if isinstance(generator, PunctuationClause):
            check_punctuation(generator, self.schema, self.title)
        elif isinstance(generator, Ordered):
            for column in generator.per:
                self.schema.find(column, self.title)
        elif isinstance(generator, SlackPercent):
            raise WrongUnit(
                "SLACK in percent is a part of a window's RANGE; a stream has none",
                given=f"SLACK {generator.percent:g}%",
                remedy="give a length here, or the percentage in the window's bracket",
            )
        elif isinstance(generator, Slack) and unit_of(generator.slack) not in (Unit.ROWS, unit):
            raise WrongUnit(
                f"column {self.order!r} is measured in {unit.value}",
                given=f"SLACK {generator.slack}",
                remedy="give SLACK in that unit, or in ROWS",
            )
        check_named(self.disorder, self.schema, self.title)
        if self.disorder.ahead is not None:
            named = self.disorder.arrival_by
            check_ahead(self.schema.find(self.order, self.title), None if named is None else self.schema.find(named, self.title))
        if self.disorder.compares_arrival and self.disorder.arrival_by is not None:
            check_arrival(self.schema.find(self.disorder.arrival_by, self.title), self.schema.find(self.order, self.title))

    @property
    def title(self) -> str:
        return f"stream {self.name!r}"

    @property
    def order(self) -> str:
        """The order column; latent streams have their arrival."""
        return self.order_by or ARRIVAL_TS

    @property
    def order_unit(self) -> Unit:
        return unit_of_type(self.schema.find(self.order, self.title))

    @property
    def timestamp_kind(self) -> str:
        """external, internal or latent (seed 003)."""
        if self.order_by is None:
            return "latent"
        return "internal" if self.order_by == ARRIVAL_TS else "external"

    @cached_property
    def schema(self) -> Schema:
        return Schema(self.columns, IMPLICIT)
