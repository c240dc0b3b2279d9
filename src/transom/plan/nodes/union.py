"""The union of streams: one stream, in the order of their timestamps (seed 003, section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

from sqlglot import exp

from transom.column_names import EVENT_TS
from transom.errors import BadQuery, NotSupported
from transom.plan.expression import Expression
from transom.plan.nodes.in_step import InStep
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Items, Project, Scan
from transom.plan.nodes.windowed import Cut, Frames
from transom.plan.types.bounds import bounds_type, common_bounds
from transom.plan.types.schema import INTEGER_TYPES, Column, Schema
from transom.semantics.sql_type import SqlType
from transom.semantics.time import Duration, seconds
from transom.semantics.windows.now import Now

WIDER = (*INTEGER_TYPES, "DOUBLE")
"""Types of which each takes in those before it; DOUBLE takes in FLOAT, too."""

NESTED = ("ARRAY", "MAP", "STRUCT", "VARIANT")

IDLE_AFTER = seconds(10)
"""How long an input may be silent before the others go on without it, where it does not say so itself."""


@dataclass(frozen=True)
class Union(InStep):
    """Streams merged by their timestamps. It has one frontier, the smallest of theirs.

    `every` is UNION ALL; without it, of equal rows with equal timestamps there is one. Columns go by their place, and have the
    names that the first stream gives them; `event_ts` is the timestamp, whatever a stream calls it.
    """

    streams: tuple[Node, ...]
    every: bool = True

    def __post_init__(self) -> None:
        for node in self.streams:
            if node.is_windowed:
                raise NotSupported(
                    "UNION of windows is not supported yet, only that of streams",
                    given=node.label(),
                    remedy="define a stream for each of the two: CREATE STREAM ... AS SELECT ... FROM ... [...]",
                )
            if node.is_bounded:
                raise BadQuery("a union is of streams, and a table is none", given=node.label(), remedy="read a stream")
            if any(isinstance(below, Frames) and _is_by_arrival(below) for below in node.chain()):
                raise BadQuery(
                    "frames in the order of arrival have no timestamps to merge by",
                    given=node.label(),
                    remedy="give the stream an ORDER BY",
                )
            if not self.every and any(_base(column) in NESTED for column in node.schema.columns):
                raise NotSupported(
                    "equal rows are found by columns of simple types", given=_listed(node.schema), remedy="write UNION ALL"
                )
        first, *others = self.streams
        for node in others:
            self._check_alike(first, node)

    def _check_alike(self, first: Node, other: Node) -> None:
        given = f"({_listed(first.schema)}) and ({_listed(other.schema)})"
        one, two = first.schema.columns, other.schema.columns
        if len(one) != len(two) or any(common_type(a.type, b.type) is None for a, b in zip(one, two, strict=True)):
            raise BadQuery(
                "streams of a union have as many columns, of the same types", given=given, remedy="select or cast what is common"
            )
        times = [instant_of(node).type for node in (first, other)]
        if common_bounds(*times) is None:
            raise BadQuery(
                "streams of a union are ordered by timestamps of one type",
                given=" and ".join(times),
                remedy="order them by columns of the same type",
            )

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.streams

    @cached_property
    def schema(self) -> Schema:
        columns = []
        for place, column in enumerate(self.streams[0].schema.columns):
            kind = column.type
            for node in self.streams[1:]:
                kind = common_type(kind, node.schema.columns[place].type) or kind
            columns.append(Column(column.name, kind))
        instants = [instant_of(node).type for node in self.streams]
        return Schema(tuple(columns), (Column(EVENT_TS, reduce(lambda one, two: common_bounds(one, two) or one, instants)),))

    def label(self) -> str:
        return f"Union {'ALL ' if self.every else ''}by event_ts"


def in_order(node: Node) -> Node:
    """A stream of a union whose rows leave when its own frontier has passed them: those of windows and frames do; tuples are
    taken instant by instant."""
    if _is_stateful(node):
        return node
    below, items = _parts(node)
    return Project(Cut(below, Now(wattr=str(below.time_attribute))), items)


def idle_after(node: Node) -> Duration:
    """How long a stream of a union may be silent."""
    scan = next((below for below in node.chain() if isinstance(below, Scan)), None)
    return (None if scan is None else scan.stream.disorder.idle_after) or IDLE_AFTER


def instant_of(node: Node) -> Column:
    """The timestamp by which a stream of a union is merged."""
    giving = next((below for below in node.chain() if below.gives_instants or isinstance(below, Frames)), None)
    if giving is None:
        below = _parts(node)[0]
        return Column(EVENT_TS, bounds_type(below.schema.find(str(below.time_attribute), "the stream").type))
    return (giving.source if isinstance(giving, Frames) else giving.schema).find(EVENT_TS)


def _is_stateful(node: Node) -> bool:
    return any(below.gives_instants or isinstance(below, Frames) for below in node.chain())


def _parts(node: Node) -> tuple[Node, Items]:
    """What a query without windows selects from, and what it selects."""
    if isinstance(node, Project):
        return node.input, node.items
    return node, tuple((name, Expression.of(exp.column(name, quoted=True))) for name in node.schema.names)


def common_type(one: str, other: str) -> str | None:
    """The type that takes in both; what is not known without Spark is left to it."""
    if one == other or "UNKNOWN" in (one, other):
        return one if other == "UNKNOWN" else other
    if "FLOAT" in (one, other):
        return "DOUBLE" if {one, other} <= {"FLOAT", *WIDER} else None
    if {one, other} <= {*WIDER}:
        return WIDER[max(map(WIDER.index, (one, other)))]
    return common_bounds(one, other) if all(kind in WIDER or kind.startswith("DECIMAL(38,") for kind in (one, other)) else None


def _base(column: Column) -> str:
    return SqlType.of(column.type).name


def _listed(schema: Schema) -> str:
    return ", ".join(f"{column.name} {column.type}" for column in schema.columns)


def _is_by_arrival(node: Frames) -> bool:
    """Whether frames stand on a stream without timestamps."""
    scan = list(node.chain())[-1]
    return isinstance(scan, Scan) and scan.stream.order_by is None
