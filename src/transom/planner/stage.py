"""One window operator of a plan: what it takes from the columns below it, what it computes, and where its progress comes from."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import pyarrow as pa

from transom.disorder.slack import Slack
from transom.kernels.spec import ROW_NUM
from transom.plan.expression import Expression
from transom.plan.nodes.disorder import Disorder
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct, Filter, Scan, Sort
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.reading import Reading
from transom.planner.calls import Aggregated, aggregates_of
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.length import Length, Rows, measure
from transom.semantics.sql_type import SqlType
from transom.semantics.time import Duration
from transom.semantics.tuples import ARRIVAL_TS
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.window import Window

WINDOW_COLUMNS = ("window_start", "window_end", "wid", "event_ts")


@dataclass(frozen=True)
class Stage:
    """One window operator and what surrounds it. All expressions are Spark SQL.

    `below` are the nodes from the input up to the window; `columns` what goes into the operator, by name;
    `finish` the select list over what comes out, `having` a condition on it, `above` what follows. After `silent_after` others
    do not wait for it.
    """

    scan: Scan | None
    below: tuple[Node, ...]
    cut: Cut | None
    top: Node
    disorder: Disorder
    order: str
    order_known: bool
    above: tuple[Node, ...] = ()
    wants_late: bool = False
    only_late: bool = False
    together: tuple[Window, ...] = ()
    tables: tuple[tuple[str, Any], ...] = ()
    silent_after: Duration | None = None

    width: Length | None = None
    written: str = ""

    # -- what goes in ----------------------------------------------------------------------------------------

    @cached_property
    def reading(self) -> Reading:
        """How it reads its stream."""
        own = self.cut is not None and self.cut.disorder.generator is not None
        return Reading(self.scan, self.disorder, self.attribute, self.order, self.input_schema, own)

    @property
    def window(self) -> Window | None:
        return None if self.cut is None else base_of(self.cut.window)

    @property
    def attribute(self) -> str | None:
        """The column the axis is made of."""
        if isinstance(self.top, Frames):
            return None if self.in_arrival_order else self._frame_order
        if self.cut is None:
            return self.order
        return self.window.attribute if self.window is not None else None

    @property
    def frames(self) -> list[Frame]:
        return [item for _, item in self.top.items if isinstance(item, Frame)] if isinstance(self.top, Frames) else []

    @property
    def _frame_order(self) -> str:
        return next((frame.order_by for frame in self.frames if frame.order_by is not None), self.order)

    @property
    def in_arrival_order(self) -> bool:
        """Whether frames follow the order of arrival: no order is given, and nothing is measured on one."""
        if not self.frames or self.order_known or any(frame.order_by for frame in self.frames):
            return False
        return not any(_measures(frame) for frame in self.frames)

    @property
    def aggregated(self) -> list[Aggregated]:
        """The aggregates, each once."""
        items = [item for _, item in self.top.items] if isinstance(self.top, Aggregate) else []
        if isinstance(self.top, Aggregate) and self.top.having is not None:
            items = [*items, self._having_spelled]
        found = {one.text: one for item in items for one in aggregates_of(item)}
        return list(found.values())

    @property
    def _having_spelled(self) -> Expression:
        assert isinstance(self.top, Aggregate)
        assert self.top.having is not None
        return self.top.having

    @property
    def partition_by(self) -> tuple[str, ...]:
        if self.frames:
            shared = set.intersection(*(set(frame.partition_by) for frame in self.frames))
            return tuple(name for name in self.frames[0].partition_by if name in shared)
        return () if self.cut is None else partition_columns(self.cut.window)

    @property
    def keys(self) -> tuple[str, ...]:
        if self.frames:
            return tuple(dict.fromkeys(name for frame in self.frames for name in frame.partition_by))
        group = self.top.group_by if isinstance(self.top, Aggregate) else ()
        return tuple(dict.fromkeys((*self.partition_by, *group)))

    @property
    def condition(self) -> str | None:
        """What picks tuples after the extent is cut."""
        conditions = []
        if self.cut is not None and isinstance(self.cut.window, Filtered):
            conditions.append(self.cut.window.where.text)
        conditions += [node.condition.text for node in self._between if isinstance(node, Filter)]
        return " AND ".join(f"({text})" for text in conditions) or None

    @property
    def _between(self) -> list[Node]:
        """The nodes between the window and what is computed of it."""
        nodes = []
        for node in list(self.top.chain())[1:]:
            if node is self.cut:
                break
            nodes.append(node)
        return nodes if self.cut is not None else []

    @property
    def listed(self) -> tuple[str, ...]:
        """The tuple columns that come out again."""
        if isinstance(self.top, Aggregate) and not self.wants_late:
            return ()
        below = self.input_schema
        names = [column.name for column in below.columns]
        if self.wants_late:
            return tuple(names)
        used = {name.lower() for _, item in self._plain_items for name in item.columns}
        wanted = [name for name in (*names, ROW_NUM, ARRIVAL_TS) if name.lower() in used]
        return tuple(dict.fromkeys(wanted))

    @property
    def _plain_items(self) -> list[tuple[str, Expression]]:
        items: Any = getattr(self.top, "items", ())
        return [(name, item) for name, item in items if isinstance(item, Expression)]

    @property
    def input_schema(self) -> Any:
        return (self.top.child or self.top).schema

    @property
    def calls(self) -> list[Aggregated]:
        """What is computed: the aggregates, or those of the frames."""
        if self.frames:
            return [aggregates_of(frame.aggregate)[0] for frame in self.frames]
        return self.aggregated

    def columns(self) -> dict[str, str]:
        """The columns that Spark computes for bucket, as expressions over the operator's input."""
        made: dict[str, str] = {}
        if self.attribute is not None:
            made["__value"] = _quoted(self.attribute)
        if self.needs_order:
            made["__order"] = _quoted(self.order)
        for name in self.keys:
            made[f"k:{name}"] = _quoted(name)
        for name in self.reading.promised_columns:
            made[f"g:{name}"] = _quoted(name)
        for n, text in enumerate(self.arguments):
            made[f"x{n}"] = text
        for name in self.listed:
            if name != ROW_NUM:
                made[f"t:{name}"] = _quoted(name)
        if self.condition is not None:
            made["__pick"] = self.condition
        punctuation = self.reading.punctuation
        if punctuation is not None:
            made["__punct"] = punctuation.when.text
            made["__px"] = _quoted(self.reading.promised_attribute) if self.reading.hears_promises else "CAST(NULL AS BIGINT)"
        if self.disorder.arrival_by is not None or (self.disorder.compares_arrival and self.reading.in_time):
            made["__arrival"] = ARRIVAL_TS
        if self.disorder.ahead is not None:
            made["__ahead"] = f"{_quoted(self.order)} > timestampadd(MICROSECOND, {self.disorder.ahead.micros}, {ARRIVAL_TS})"
        return made

    @property
    def arguments(self) -> list[str]:
        """The arguments of aggregates, each once; the row number is not for Spark to compute."""
        texts = dict.fromkeys(text for call in self.calls for text in call.args)
        return [text for text in texts if text.lower() != ROW_NUM]

    @property
    def needs_order(self) -> bool:
        """Whether the order column goes along beside the axis: for results in its order, or stamped with it."""
        if self.frames or self.cut is None:
            return False
        return isinstance(self.window, RowWindow) or self.attribute != self.order

    @property
    def moves_in_silence(self) -> bool:
        """Whether the clock brings progress while no tuple comes: for expiries, and where others wait for a stream that the clock
        orders; unless the source itself tells progress."""
        active = any(frame.active for frame in self.frames)
        awaited = self.silent_after is not None and self.scan is not None and self.scan.stream.timestamp_kind != "external"
        told = self.reading.hears_promises and self.reading.punctuation is None
        return (active or awaited) and self.scan is not None and self.reading.in_time and told

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
        """The columns that tuples can be spread by."""
        window = self.window
        if self.frames:
            columns = () if self._row_numbers else self.partition_by
        elif window is None:
            columns = ()
        elif isinstance(window, RowWindow) or window.ids_from_tuples or window.reports_changes or ROW_NUM in self._row_numbers:
            columns = self.partition_by
        elif any(isinstance(node, Distinct | Sort) for node in self.above):
            columns = ()
        else:
            columns = self.keys
        promised = self.reading.promised_columns
        if promised:
            return promised if set(promised) <= set(columns) else ()
        return columns

    @property
    def _row_numbers(self) -> set[str]:
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
        return self.written or self._described

    @property
    def _described(self) -> str:
        about = [
            repr(self.together or (self.cut.window if self.cut is not None else [repr(frame) for frame in self.frames])),
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

    def window_types(self, axis: pa.DataType, bounds: pa.DataType, order: pa.DataType | None) -> dict[str, pa.DataType]:
        """The columns that an operator adds to a result, given the types of the attribute, of bounds, and of the order."""
        if self.frames:
            return {"event_ts": bounds if any(frame.active for frame in self.frames) else axis}
        if self.cut is None:
            return {}
        base = self.window
        assert base is not None
        if order is not None and pa.types.is_date(order):
            order = pa.timestamp("us", "UTC")
        if isinstance(base, RowWindow):
            return {"window_start": pa.int64(), "window_end": pa.int64(), "wid": pa.int64(), "event_ts": order or axis}
        event = bounds if self.cut.timestamp == "instant" else order or axis
        wid = bounds if base.ids_are_values else pa.int64()
        query = {"query": pa.int32()} if self.together else {}
        return {"window_start": bounds, "window_end": bounds, "wid": wid, "event_ts": event, **query}

    # -- what comes out --------------------------------------------------------------------------------------

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        """The select list over what the operator gives, and the condition on it."""
        if self.frames:
            items, n = [], 0
            assert isinstance(self.top, Frames)
            for name, item in self.top.items:
                if isinstance(item, Frame):
                    items.append((name, self._frame_result(item, n)))
                    n += 1
                else:
                    items.append((name, item.text))
            return items, None
        if isinstance(self.top, Aggregate):
            which = [("query", "query")] if self.together else []
            names = {call.text: f"__y{n}" for n, call in enumerate(self.aggregated)}
            items = which + [(name, item.replacing(names).text) for name, item in self.top.items]
            having = self.top.having
            return items, None if having is None else having.replacing(names).text
        return [(name, item.text) for name, item in self._plain_items], None

    @property
    def asked_for(self) -> set[str]:
        """The columns of the operator that the select list, HAVING or what is above needs."""
        items, having = self.finish()
        texts = [text for _, text in items] + ([having] if having is not None else [])
        extent = {"wid"} if any(isinstance(node, Distinct | Sort) for node in self.above) else set()
        return {name.lower() for text in texts for name in Expression(text).columns} | extent

    def _frame_result(self, frame: Frame, n: int) -> str:
        aggregated = aggregates_of(frame.aggregate)
        return frame.aggregate.replacing({aggregated[0].text: f"__y{n}"}).text


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _measures(frame: Frame) -> bool:
    by_axis = frame.slide is not None and not isinstance(frame.slide, Rows)
    return by_axis or not by_rows(frame)


def by_rows(frame: Frame) -> bool:
    return not frame.peers if frame.preceding is None else isinstance(frame.preceding, Rows)


def on_axis(length: Any) -> bool:
    return length is not None and not isinstance(length, Rows)
