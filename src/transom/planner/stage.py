"""One operator over a stream, or over the operator below: what it takes from the columns there, and what it computes.

Each kind of operator is a stage of its own: `windowed.window_stage`, `windowed.over_stage`, `windowed.late_stage`.
"""

from __future__ import annotations

import hashlib
import json
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import pyarrow as pa

from transom.column_names import (
    AHEAD,
    ARRIVAL,
    ARRIVAL_TS,
    FIXED,
    IS_PUNCTUATION,
    KEY,
    ORDER,
    OWN,
    PICK,
    PROMISED,
    ROW_NUM,
    VALUE,
    WID,
)
from transom.disorder.slack import Slack
from transom.plan.expression import Expression
from transom.plan.nodes.disorder import Disorder
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct, Scan, Sort
from transom.plan.quoted import quoted
from transom.plan.reading import Reading
from transom.planner.aggregate_calls import WrittenAggregate
from transom.semantics.length import Rows, measure
from transom.semantics.sql_type import SqlType
from transom.semantics.time import Duration

Items = list[tuple[str, str]]


@dataclass(frozen=True)
class Stage(ABC):
    """One operator and what surrounds it. All expressions are Spark SQL.

    `below` are the nodes from the input up to the operator, `top` is what it computes, `above` what follows. After `silent_after`
    others do not wait for it. `late_number` is that of its late tuples among those of several streams. `written` is the
    fingerprint of the query as it was written.
    """

    scan: Scan | None
    below: tuple[Node, ...]
    top: Node
    disorder: Disorder
    order: str
    order_known: bool
    above: tuple[Node, ...] = ()
    wants_late: bool = False
    only_late: bool = False
    late_number: int | None = None
    tables: tuple[tuple[str, Any], ...] = ()
    silent_after: Duration | None = None
    written: str = ""

    # -- what each kind says of itself -----------------------------------------------------------------------

    @property
    @abstractmethod
    def attribute(self) -> str | None:
        """The column the axis is made of; None in the order of arrival."""

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """The columns that make groups."""

    @property
    def partition_by(self) -> tuple[str, ...]:
        """The columns that each have windows of their own."""
        return ()

    @property
    def calls(self) -> list[WrittenAggregate]:
        """The aggregates it computes, each once."""
        return []

    @property
    def lengths(self) -> list[Any]:
        """The lengths of windows and frames on the axis."""
        return []

    @property
    def condition(self) -> str | None:
        """What picks tuples after the extent is cut."""
        return None

    @property
    def needs_order(self) -> bool:
        """Whether the order column goes along beside the axis: for results in its order, or stamped with it."""
        return False

    @property
    def expires(self) -> bool:
        """Whether it reports when tuples expire."""
        return False

    @property
    def spread_by(self) -> tuple[str, ...]:
        """The columns that tuples could be spread by, whatever promises speak of."""
        return ()

    @property
    @abstractmethod
    def described(self) -> Any:
        """The windows or frames, for the fingerprint."""

    @abstractmethod
    def window_types(self, axis: pa.DataType, bounds: pa.DataType, order: pa.DataType | None) -> dict[str, pa.DataType]:
        """The columns that an operator adds to a result, given the types of the attribute, of bounds, and of the order."""

    @abstractmethod
    def finish(self) -> tuple[Items, str | None]:
        """The select list over what the operator gives, and the condition on it."""

    # -- what goes in ----------------------------------------------------------------------------------------

    @property
    def own_progress(self) -> bool:
        """Whether the bracket of the window says where progress comes from."""
        return False

    @cached_property
    def reading(self) -> Reading:
        """How it reads its stream."""
        return Reading(self.scan, self.disorder, self.attribute, self.order, self.input_schema, self.own_progress)

    @property
    def input_schema(self) -> Any:
        return (self.top.child or self.top).schema

    @property
    def listed(self) -> tuple[str, ...]:
        """The tuple columns that come out again."""
        names = [column.name for column in self.input_schema.columns]
        if self.wants_late:
            return tuple(names)
        used = {name.lower() for _, item in self.plain_items for name in item.columns}
        wanted = [name for name in (*names, ROW_NUM, ARRIVAL_TS) if name.lower() in used]
        return tuple(dict.fromkeys(wanted))

    @property
    def plain_items(self) -> list[tuple[str, Expression]]:
        """The items of the select list that are computed of tuples."""
        items: Any = getattr(self.top, "items", ())
        return [(name, item) for name, item in items if isinstance(item, Expression)]

    def columns(self) -> dict[str, str]:
        """The columns that Spark computes for bucket, as expressions over the operator's input."""
        made: dict[str, str] = {}
        if self.attribute is not None:
            made[VALUE] = quoted(self.attribute)
        if self.needs_order:
            made[ORDER] = quoted(self.order)
        for name in self.keys:
            made[f"{KEY}{name}"] = quoted(name)
        for name in self.reading.promised_columns:
            made[f"{FIXED}{name}"] = quoted(name)
        for n, text in enumerate(self.arguments):
            made[f"x{n}"] = text
        for name in self.listed:
            if name != ROW_NUM:
                made[f"{OWN}{name}"] = quoted(name)
        if self.condition is not None:
            made[PICK] = self.condition
        punctuation = self.reading.punctuation
        if punctuation is not None:
            made[IS_PUNCTUATION] = punctuation.when.text
            made[PROMISED] = quoted(self.reading.promised_attribute) if self.reading.hears_promises else "CAST(NULL AS BIGINT)"
        if self.disorder.arrival_by is not None or (self.disorder.compares_arrival and self.reading.in_time):
            made[ARRIVAL] = ARRIVAL_TS
        if self.disorder.ahead is not None:
            made[AHEAD] = f"{quoted(self.order)} > timestampadd(MICROSECOND, {self.disorder.ahead.micros}, {ARRIVAL_TS})"
        return made

    @property
    def arguments(self) -> list[str]:
        """The arguments of aggregates, each once; the row number is not for Spark to compute."""
        texts = dict.fromkeys(text for call in self.calls for text in call.args)
        return [text for text in texts if text.lower() != ROW_NUM]

    @property
    def moves_in_silence(self) -> bool:
        """Whether the clock brings progress while no tuple comes: for expiries, and where others wait for a stream that the clock
        orders; unless the source itself reports progress."""
        awaited = self.silent_after is not None and self.scan is not None and self.scan.stream.timestamp_kind != "external"
        told = self.reading.hears_promises and self.reading.punctuation is None
        return (self.expires or awaited) and self.scan is not None and self.reading.in_time and told

    @property
    def looks_at_clock(self) -> bool:
        """Whether the time of a micro-batch matters, and time passes without data."""
        return self.disorder.idle_after is not None or self.silent_after is not None or self.moves_in_silence

    # -- the operator ----------------------------------------------------------------------------------------

    @property
    def consistent(self) -> bool:
        return self.disorder.late == "consistent"

    @property
    def is_complete(self) -> bool:
        """Whether nothing is late, and windows are complete at the end: a bounded DataFrame without a disorder clause."""
        return self.scan is not None and self.scan.stream.bounded and self.disorder.states_no_tolerance

    @property
    def without_tolerance(self) -> str | None:
        """The stream, if SLACK 0 holds for it only because no clause says otherwise: what that makes late is worth a warning.

        Who asks for the late tuples has them, and is not warned.
        """
        if self.scan is None or self.disorder.generator is not None or self.is_complete or self.wants_late:
            return None
        stream = self.scan.stream
        return (
            stream.name
            if stream.timestamp_kind == "external" and self.attribute is not None and self.reading.hears_promises
            else None
        )

    @property
    def judges_each(self) -> bool:
        """Whether only the operator can judge tuples, each by itself."""
        return self.wants_late or self.reading.judges_each

    @property
    def shard_by(self) -> tuple[str, ...]:
        """The columns that tuples are spread by."""
        promised = self.reading.promised_columns
        if promised:
            return promised if set(promised) <= set(self.spread_by) else ()
        return self.spread_by

    @property
    def row_numbers(self) -> set[str]:
        """`row_num`, if the operator numbers the rows."""
        return {ROW_NUM} if ROW_NUM in self.listed or any(ROW_NUM in call.args for call in self.calls) else set()

    @property
    def _slack_scale(self) -> int:
        """How fine an axis of numbers must be for SLACK: places are kept in such parts of one."""
        generator = self.disorder.generator
        if self.attribute is None or not isinstance(generator, Slack) or isinstance(generator.slack, Rows):
            return 1
        kind = SqlType.of(self.input_schema.find(self.attribute).type)
        fine = Fraction(1 if kind.is_floating else measure(generator.slack)).denominator
        return math.lcm(10 ** (kind.digits or 0), fine)

    @property
    def fingerprint(self) -> str:
        """What the state depends on: of two queries with the same, one can resume where the other stopped. It is that of the
        query as it was written, whichever rules fired."""
        if self.written:
            return self.written
        about = [
            repr(self.described),
            self.keys,
            [call.text for call in self.calls],
            [repr(call.call.user.aggregate) for call in self.calls if call.call.user is not None],
            self.listed,
            self.columns(),
            repr(self.disorder.untuned),
            self._slack_scale,
            self.order,
        ]
        return hashlib.sha256(json.dumps(about, default=str).encode()).hexdigest()[:16]

    # -- what comes out --------------------------------------------------------------------------------------

    @property
    def asked_for(self) -> set[str]:
        """The columns of the operator that the select list, HAVING or what is above needs."""
        items, having = self.finish()
        texts = [text for _, text in items] + ([having] if having is not None else [])
        extent = {WID} if self.orders_extents else set()
        return {name.lower() for text in texts for name in Expression(text).columns} | extent

    @property
    def orders_extents(self) -> bool:
        """Whether what is above looks at each extent as a whole."""
        return any(isinstance(node, Distinct | Sort) for node in self.above)
