"""The nodes that need no window of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlglot import exp

from transom.column_names import EVENT_TS, WINDOW_COLUMNS
from transom.errors import BadQuery, BlockingAggregate, NotOrdered, NotSupported
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.types.bounds import bounds_type
from transom.plan.types.conditions import check_condition
from transom.plan.types.schema import IMPLICIT, Column, Schema
from transom.semantics.sql_type import SqlType
from transom.semantics.tuples import check_beside

Items = tuple[tuple[str, Expression], ...]
"""A select list: names and what they are."""
UNORDERED = ("MAP", "VARIANT")
"""Types that Spark does not sort by."""


@dataclass(frozen=True)
class Scan(Node):
    """A stream, as its source delivers it."""

    stream: StreamDefinition

    @cached_property
    def schema(self) -> Schema:
        return self.stream.schema

    @property
    def time_attribute(self) -> str | None:
        return self.stream.order

    @property
    def frontier_type(self) -> str:
        slack = self.stream.disorder.slack
        return bounds_type(self.schema.find(self.stream.order).type, () if slack is None else (slack,))

    @property
    def carries_progress(self) -> bool:
        return True

    def label(self) -> str:
        return f"Scan {self.stream.name} order by {self.stream.order} ({self.stream.timestamp_kind})"


@dataclass(frozen=True)
class TableScan(Node):
    """A static table, or a DataFrame that stands for one."""

    name: str
    columns: tuple[Column, ...]
    frame: Any = field(default=None, compare=False, repr=False)

    @cached_property
    def schema(self) -> Schema:
        return Schema(self.columns)

    @property
    def time_attribute(self) -> str | None:
        return None

    @property
    def is_bounded(self) -> bool:
        return True

    def label(self) -> str:
        return f"TableScan {self.name}"


@dataclass(frozen=True)
class Unary(Node):
    """A node that reads from one other."""

    input: Node

    @property
    def child(self) -> Node | None:
        return self.input

    @cached_property
    def schema(self) -> Schema:
        return self.input.schema

    @property
    def time_attribute(self) -> str | None:
        return self.input.time_attribute


@dataclass(frozen=True)
class Derived(Unary):
    """`CREATE STREAM name AS ...`, or a subquery with a window on it: a stream made of a query.

    A subquery without a window of its own is a `relation`: its rows still belong to the windows below. One that
    CREATE STREAM `defined` goes by its name.
    """

    name: str
    relation: bool = False
    defined: bool = False

    @cached_property
    def schema(self) -> Schema:
        columns = self.input.schema.columns
        taken = {column.name.lower() for column in columns}
        hidden = [*IMPLICIT, *self._window_columns()]
        return Schema(columns, tuple(column for column in hidden if column.name not in taken))

    def _window_columns(self) -> tuple[Column, ...]:
        """event_ts, by which the rows of a window are ordered; all the window's columns while they belong to it."""
        cut = next((node for node in self.input.chain() if node.gives_instants), None)
        if cut is None:
            return tuple(column for column in self.input.schema.hidden if column.name == EVENT_TS)
        return tuple(
            column for column in cut.schema.hidden if column.name == EVENT_TS or (self.relation and column.name in WINDOW_COLUMNS)
        )

    @property
    def is_windowed(self) -> bool:
        return self.relation and self.input.is_windowed

    def label(self) -> str:
        return f"Derived {self.name}"


@dataclass(frozen=True)
class Filter(Unary):
    """Tuples for which a condition is true."""

    condition: Expression

    def __post_init__(self) -> None:
        if self.condition.is_aggregate:
            raise BadQuery("WHERE sees tuples, not groups", given=self.condition.text, remedy="put it into HAVING")
        check_condition("WHERE", self.condition, self.input.schema)

    @property
    def qualified(self) -> Mapping[str, tuple[str, str]]:
        return self.input.qualified

    def label(self) -> str:
        return f"Filter {self.condition.text}"


@dataclass(frozen=True)
class Project(Unary):
    """A select list, computed tuple by tuple."""

    items: Items

    def __post_init__(self) -> None:
        check_beside(name for name, _ in self.items)

    @cached_property
    def schema(self) -> Schema:
        below = self.input.schema
        hidden = () if self.is_windowed else below.hidden
        return Schema(tuple(Column(name, item.type_in(below)) for name, item in self.items), hidden)

    def label(self) -> str:
        return "Project " + show_items(self.items)


@dataclass(frozen=True)
class Extend(Unary):
    """Columns added to those of the input, computed tuple by tuple: what a GROUP BY of expressions groups by."""

    items: Items

    @cached_property
    def schema(self) -> Schema:
        below = self.input.schema
        return Schema((*below.columns, *(Column(name, item.type_in(below)) for name, item in self.items)), below.hidden)

    def label(self) -> str:
        return "Extend " + show_items(self.items)


@dataclass(frozen=True)
class Distinct(Unary):
    """Of equal rows of an extent, the most recent; with `keep_first` the earliest, until it leaves."""

    keep_first: bool = False

    def __post_init__(self) -> None:
        _check_ends(self.input, "DISTINCT")

    @property
    def is_blocking(self) -> bool:
        return True

    def label(self) -> str:
        return "Distinct" + (" keep first" if self.keep_first else "")


@dataclass(frozen=True)
class Sort(Unary):
    """The rows of each extent in an order."""

    by: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _check_ends(self.input, "ORDER BY")
        check_ordered(self.by, self.input.schema)

    @property
    def is_blocking(self) -> bool:
        return True

    def label(self) -> str:
        return "Sort " + ", ".join(item.text for item in self.by)


@dataclass(frozen=True)
class TableJoin(Unary):
    """A stream joined with a static table: one of Spark's by its name, or the DataFrame that was handed over as `frame`.

    SEMI and ANTI keep the rows that have a match in the table, and those that have none.
    """

    table: str
    columns: tuple[Column, ...]
    condition: Expression
    kind: str = "INNER"
    using: tuple[str, ...] = ()
    frame: Any = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in ("INNER", "LEFT", "SEMI", "ANTI"):
            raise NotSupported(
                "a stream has no end, at which the rows of a table without a match would be known",
                given=f"{self.kind} JOIN with table {self.table!r}",
                exists=["JOIN", "LEFT JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"],
                remedy="keep the rows of the stream: stream LEFT JOIN table, or table RIGHT JOIN stream",
            )
        check_beside(column.name for column in self.columns)

    @property
    def only_filters(self) -> bool:
        """Whether it takes no columns from the table."""
        return self.kind in ("SEMI", "ANTI")

    @cached_property
    def schema(self) -> Schema:
        below = self.input.schema
        if self.only_filters:
            return below
        shared = {name.lower() for name in self.using}
        added = tuple(column for column in self.columns if column.name.lower() not in shared)
        return Schema((*below.columns, *added), below.hidden)

    def label(self) -> str:
        return f"TableJoin {self.kind} {self.table} on {self.condition.text}"


def check_ordered(by: Iterable[Expression], schema: Schema) -> None:
    """Refuse an order of values that have none."""
    for item in by:
        value = item.tree.this if isinstance(item.tree, exp.Ordered) else item.tree
        kind = Expression.of(value).type_in(schema)
        if SqlType.of(kind).name in UNORDERED:
            raise NotOrdered(f"a {kind} has no order", given=item.text, remedy="order by what is in it")


def _check_ends(node: Node, what: str) -> None:
    if not node.is_windowed and not node.is_bounded:
        raise BlockingAggregate(
            f"{what} over a whole stream never ends",
            given=what,
            remedy="put a window behind the stream, for example [TUMBLE 5 MINUTES]",
        )


def show_items(items: Items) -> str:
    """A select list in one line."""
    return ", ".join(item.text if item.text == name else f"{item.text} AS {name}" for name, item in items)
