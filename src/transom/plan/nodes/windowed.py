"""The nodes that cut windows, and those that need one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlglot import exp

from transom.column_names import EVENT_TS, WID, WINDOW_END, WINDOW_START
from transom.disorder.slack import Slack
from transom.errors import BadFrame, BadQuery, NotALength, UnknownColumn, WrongUnit
from transom.plan.expression import AnyAggregate, Expression
from transom.plan.nodes.disorder import (
    Disorder,
    PunctuationClause,
    SlackPercent,
    check_ahead,
    check_arrival,
    check_named,
    check_punctuation,
)
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Extend, Filter, Items, Scan, TableJoin, Unary, show_items
from transom.plan.types.algebraic import is_algebra
from transom.plan.types.arguments import check_arguments
from transom.plan.types.bounds import axis_type, bounds_type
from transom.plan.types.builtin import check_aggregates, unknown_aggregate
from transom.plan.types.conditions import check_condition
from transom.plan.types.schema import INTEGER_TYPES, NUMBER_TYPES, TIME_TYPES, Column, Schema, unit_of_type
from transom.semantics.classes.measured import base_of, check_measured_on, measured_lengths, partition_columns
from transom.semantics.length import Length, Rows, Unit, unit_of
from transom.semantics.look_back import check_frame
from transom.semantics.sql_type import SqlType
from transom.semantics.tuples import check_beside
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.of_rows import OfRows
from transom.semantics.windows.session import Session
from transom.semantics.windows.session_groups import of_groups
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window
from transom.uda.run.invocation import chosen


@dataclass(frozen=True)
class Cut(Unary):
    """A window on a stream: from here on, rows belong to windows."""

    window: Window
    disorder: Disorder = field(default_factory=Disorder)
    timestamp: str = "instant"
    unbounded_state: bool = False
    """Whether state may grow as long as the stream goes on."""

    def __post_init__(self) -> None:
        below = self.input.schema
        conditions = self.window.where.columns if isinstance(self.window, Filtered) else ()
        for name in (*partition_columns(self.window), *conditions):
            below.find(name, "the stream")
        if isinstance(self.window, Filtered):
            check_condition("WHERE", Expression.of(self.window.where.text), below)
        self._check_varying()
        base = base_of(self.window)
        if base.attribute is not None:
            column = below.find(base.attribute, "the stream")
            check_measured_on(base, unit_of_type(column), is_integer=column.type in INTEGER_TYPES)
        generator = self.disorder.generator
        self._check_disorder_columns()
        if isinstance(generator, SlackPercent) and not isinstance(getattr(base, "range", None), Length):
            raise WrongUnit(
                "SLACK in percent needs a window with a RANGE", given=f"SLACK {generator.percent:g}%", remedy="give a length"
            )
        if (
            isinstance(generator, Slack)
            and self.attribute_unit is not None
            and unit_of(generator.slack) not in (Unit.ROWS, self.attribute_unit)
        ):
            raise WrongUnit(
                f"the window is measured in {self.attribute_unit.value}",
                given=f"SLACK {generator.slack}",
                remedy="give SLACK in that unit, or in ROWS",
            )

    @property
    def qualified(self) -> Mapping[str, tuple[str, str]]:
        return self.input.qualified

    def _check_disorder_columns(self) -> None:
        """Columns that the bracket's disorder clauses name are the stream's own."""
        scan = list(self.chain())[-1]
        if not isinstance(scan, Scan):
            return
        stream, attribute = scan.stream, base_of(self.window).attribute
        check_named(self.disorder, stream.schema, stream.title)
        if isinstance(self.disorder.generator, PunctuationClause):
            check_punctuation(self.disorder.generator, stream.schema, stream.title)
        arrival = self.disorder.arrival_by or stream.disorder.arrival_by
        if self.disorder.ahead is not None:
            known = None if arrival is None else stream.schema.find(arrival, stream.title)
            check_ahead(stream.schema.find(stream.order, stream.title), known)
        if self.disorder.compares_arrival and arrival is not None and attribute is not None:
            check_arrival(stream.schema.find(arrival, stream.title), self.input.schema.find(attribute, "the stream"))

    def _check_varying(self) -> None:
        base = base_of(self.window)
        for name in base.range.columns if isinstance(base, Varying) else ():
            if name.lower() != WINDOW_END:
                raise UnknownColumn(
                    "a RANGE that varies depends on window_end alone", given=name, exists=[WINDOW_END], remedy="use window_end"
                )
        if isinstance(base, Varying):
            self._check_length(base)

    def _check_length(self, base: Varying) -> None:
        """What a RANGE computes is a length on the axis, and no point on it."""
        column = self.input.schema.find(str(base.attribute), "the stream")
        in_time = unit_of_type(column) is Unit.TIME
        end = Schema((Column(WINDOW_END, "TIMESTAMP" if in_time else column.type),))
        kind = Expression.of(base.range.text).type_in(end)
        others = NUMBER_TYPES if in_time else ("INTERVAL",)
        if SqlType.of(kind).name in (*TIME_TYPES, "STRING", "BOOLEAN", *others):
            raise NotALength(
                f"a RANGE is a length, and this is {kind}",
                given=base.range.text,
                remedy="compute an interval: if(hour(window_end) < 6, INTERVAL '60' MINUTE, INTERVAL '5' MINUTE)"
                if in_time
                else "compute a number",
            )

    @property
    def gives_instants(self) -> bool:
        return True

    @property
    def attribute_unit(self) -> Unit | None:
        attribute = base_of(self.window).attribute
        return None if attribute is None else unit_of_type(self.input.schema.find(attribute))

    @cached_property
    def schema(self) -> Schema:
        below = self.input.schema
        base = base_of(self.window)
        lengths = measured_lengths(base).values()
        axis = "BIGINT" if isinstance(base, OfRows) else bounds_type(below.find(str(base.attribute)).type, lengths)
        order = axis_type(below.find(self.input.time_attribute).type) if self.input.time_attribute else axis
        event = order if isinstance(base, OfRows) or self.timestamp != "instant" else axis
        wid = axis if base.ids_are_values else "BIGINT"
        window = (Column(WINDOW_START, axis), Column(WINDOW_END, axis), Column(WID, wid), Column(EVENT_TS, event))
        kept = tuple(column for column in below.hidden if column.name != EVENT_TS)
        return Schema(below.columns, (*kept, *window))

    @property
    def frontier_type(self) -> str:
        base = base_of(self.window)
        if base.attribute is None:
            return "BIGINT"
        own = self.disorder.within(getattr(base, "range", None))
        slack = _slack_on(base.attribute, self.input) if own.generator is None else own.slack
        lengths = [*measured_lengths(base).values(), *([] if slack is None else [slack])]
        return bounds_type(self.input.schema.find(base.attribute).type, lengths)

    @property
    def time_attribute(self) -> str | None:
        return EVENT_TS

    @property
    def is_windowed(self) -> bool:
        return True

    @property
    def makes_boundaries(self) -> bool:
        return True

    @property
    def keys(self) -> tuple[str, ...]:
        return partition_columns(self.window)

    @property
    def is_blocking(self) -> bool:
        return True

    def label(self) -> str:
        return f"Cut {type(base_of(self.window)).__name__}"


@dataclass(frozen=True)
class Aggregate(Unary):
    """Grouping and aggregates over each extent."""

    group_by: tuple[str, ...]
    items: Items
    having: Expression | None = None

    def __post_init__(self) -> None:
        check_beside(name for name, _ in self.items)
        object.__setattr__(self, "input", _sessions_of_groups(self.input, self.group_by))
        below = self.input.schema
        for column in self.group_by:
            below.find(column)
        window = next((node.window for node in self.input.chain() if isinstance(node, Cut)), None)
        partitions = partition_columns(window) if window is not None else ()
        fixed = [*self.group_by, *partitions, WINDOW_START, WINDOW_END, WID, EVENT_TS]
        for name, item in self.items:
            _check_fixed(item, fixed, f"{item.text} AS {name}")
            check_arguments(item, below)
        if self.having is not None:
            _check_fixed(self.having, [*fixed, *(name for name, _ in self.items)], f"HAVING {self.having.text}")
            check_condition("HAVING", self.having, Schema((*self.schema.columns, *below.columns), below.hidden))

    @cached_property
    def schema(self) -> Schema:
        below = self.input.schema
        return Schema(tuple(Column(name, item.type_in(below)) for name, item in self.items))

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.input.keys, *self.group_by)))

    @property
    def is_blocking(self) -> bool:
        return True

    def label(self) -> str:
        by = f" group by {', '.join(self.group_by)}" if self.group_by else ""
        return f"Aggregate {show_items(self.items)}{by}"


def _sessions_of_groups(node: Node, group_by: tuple[str, ...]) -> Node:
    """What is grouped, with sessions as those of each group: the columns of the stream that are grouped by."""
    if isinstance(node, Cut):
        if not isinstance(base_of(node.window), Session):
            return node
        below = {column.name.lower(): column.name for column in node.input.schema.columns}
        own = {column.name.lower() for column in node.schema.hidden}
        grouped = of_groups(node.window, [name for name in group_by if name.lower() not in own])
        missing = [name for name in partition_columns(grouped) if name.lower() not in below]
        if missing:
            raise BadQuery(
                "sessions are those of each group, and this is known only behind the window",
                given=f"GROUP BY {', '.join(missing)}",
                exists=[column.name for column in node.input.schema.columns],
                remedy="compute it in a stream of its own, and window that; or cut the whole stream: SESSION GAP ... PATTR ()",
            )
        if grouped == node.window:
            return node
        return replace(node, window=of_groups(node.window, [below[name.lower()] for name in partition_columns(grouped)]))
    if isinstance(node, Filter | Extend | TableJoin):
        below_it = _sessions_of_groups(node.input, group_by)
        return node if below_it is node.input else replace(node, input=below_it)
    return node


def _check_fixed(item: Expression, fixed: list[str], given: str) -> None:
    """Every column outside an aggregate is one that all rows of a group share."""
    known = {name.lower() for name in fixed}
    check_aggregates(item)
    for column in item.columns_outside_aggregates:
        if column.lower() not in known:
            _check_called(item, column)
            raise BadQuery(
                f"column {column!r} is neither grouped nor aggregated",
                given=given,
                exists=sorted(known),
                remedy=f"add {column!r} to GROUP BY, or aggregate it",
            )


def _check_called(item: Expression, column: str) -> None:
    """Of a function that nobody knows, say so: it may be a misspelt aggregate."""
    for node in item.tree.find_all(exp.Column):
        found = unknown_aggregate(node, (user.name.lower() for user in item.aggregates)) if node.name == column else None
        if found is not None:
            raise found


@dataclass(frozen=True)
class Frame:
    """`aggregate OVER (PARTITION BY ... ORDER BY ... <frame> SLIDE ...)`. `preceding` None is UNBOUNDED.

    With `active` expiration a user's aggregate also gives results when tuples leave the frame.
    """

    aggregate: Expression
    preceding: Length | None
    partition_by: tuple[str, ...] = ()
    order_by: str | None = None
    slide: Length | None = None
    peers: bool = False
    active: bool = False
    unbounded_state: bool = field(default=False, repr=False)  # no part of a fingerprint

    def __post_init__(self) -> None:
        check_frame(self.preceding, self.slide)
        user = self.user
        if self.active and user is None:
            raise BadFrame(
                "ACTIVE EXPIRATION goes with a WINDOW AGGREGATE that has EXPIRE",
                given=self.aggregate.text,
                remedy="leave it out: what built-in aggregates give depends on arrivals alone",
            )
        if user is not None and not is_algebra(user):
            chosen(user, self.preceding, self.slide, active=self.active)

    @property
    def user(self) -> AnyAggregate | None:
        """The user's aggregate that runs tuple after tuple over the frame; None for built-in ones and those on arrays."""
        return next((user for _, user in self.aggregate.user_calls), None)


@dataclass(frozen=True)
class Frames(Unary):
    """A select list with OVER frames: one row per tuple, or per yield tuple."""

    items: tuple[tuple[str, Expression | Frame], ...]

    def __post_init__(self) -> None:
        check_beside(name for name, _ in self.items)
        below = self.input.schema
        frames = [item for _, item in self.items if isinstance(item, Frame)]
        if len(frames) > 1 and any(frame.active for frame in frames):
            raise BadFrame(
                "a frame with ACTIVE EXPIRATION stands alone", given=f"{len(frames)} frames", remedy="use one query for each"
            )
        for frame in frames:
            check_arguments(frame.aggregate, below)
            for name in frame.partition_by:
                below.find(name)
            order = below.find(frame.order_by or str(self.input.time_attribute))
            for length in (frame.preceding, frame.slide):
                if length is not None and not isinstance(length, Rows) and unit_of(length) is not unit_of_type(order):
                    raise WrongUnit(
                        f"column {order.name!r} is measured in {unit_of_type(order).value}",
                        given=str(length),
                        remedy="give ROWS, or a length in that unit",
                    )

    @cached_property
    def schema(self) -> Schema:
        below = self.source
        columns = [(name, item.aggregate if isinstance(item, Frame) else item) for name, item in self.items]
        instant = tuple(column for column in below.hidden if self.is_active and column.name == EVENT_TS)
        return Schema(tuple(Column(name, item.type_in(below)) for name, item in columns), instant)

    @property
    def source(self) -> Schema:
        """The columns that it selects from, the instant of a result among them."""
        return with_instant(self.input, self._lengths if self.is_active else None)

    @property
    def _lengths(self) -> list[Length]:
        frames = [item for _, item in self.items if isinstance(item, Frame)]
        given = [length for frame in frames for length in (frame.preceding, frame.slide)]
        return [length for length in given if length is not None and not isinstance(length, Rows)]

    @property
    def frontier_type(self) -> str:
        frames = [item for _, item in self.items if isinstance(item, Frame)]
        order = next((frame.order_by for frame in frames if frame.order_by), str(self.input.time_attribute))
        slack = _slack_on(order, self.input)
        return bounds_type(self.input.schema.find(order).type, [*self._lengths, *([] if slack is None else [slack])])

    @property
    def is_active(self) -> bool:
        """Whether rows also come when tuples leave."""
        return any(isinstance(item, Frame) and item.active for _, item in self.items)

    @property
    def time_attribute(self) -> str | None:
        """The instant of an expiry is not the time of its tuple."""
        return EVENT_TS if self.is_active else self.input.time_attribute

    @property
    def keys(self) -> tuple[str, ...]:
        frames = [item for _, item in self.items if isinstance(item, Frame)]
        return frames[0].partition_by if frames else ()

    @property
    def is_blocking(self) -> bool:
        return True

    def label(self) -> str:
        return "Frames " + ", ".join(name for name, _ in self.items)


def _slack_on(attribute: str, node: Node) -> Length | None:
    """The SLACK of the stream that is read, if it is one on this attribute; windows and frames are not late for others."""
    *between, scan = node.chain()
    reads = not any(one.gives_instants or isinstance(one, Frames) for one in between)
    return scan.stream.disorder.slack if isinstance(scan, Scan) and reads and attribute == scan.stream.order else None


def with_instant(node: Node, expiries: Iterable[Length] | None = None) -> Schema:
    """The columns of a stream, and the instant of a result: of an expiry after a length, it is not the time of its tuple."""
    schema, order = node.schema, node.time_attribute
    if order is None or EVENT_TS in [one.name for one in (*schema.columns, *(schema.hidden if expiries is None else ()))]:
        return schema
    kind = schema.find(order).type
    event = Column(EVENT_TS, axis_type(kind) if expiries is None else bounds_type(kind, expiries))
    return Schema(schema.columns, (*(column for column in schema.hidden if column.name != EVENT_TS), event))
