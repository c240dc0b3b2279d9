"""The nodes that need no window of their own."""

from __future__ import annotations

from dataclasses import dataclass

from transom.plan.expression import Expression
from transom.plan.node import Node
from transom.plan.schema import IMPLICIT, Column, Schema
from transom.plan.stream import StreamDefinition

Items = tuple[tuple[str, Expression], ...]
"""A select list: names and what they are."""


@dataclass(frozen=True)
class Scan(Node):
    """A stream, as its source delivers it."""

    stream: StreamDefinition

    @property
    def schema(self) -> Schema:
        return self.stream.schema

    @property
    def time_attribute(self) -> str | None:
        return self.stream.order

    @property
    def carries_progress(self) -> bool:
        return True

    def label(self) -> str:
        return f"Scan {self.stream.name} order by {self.stream.order} ({self.stream.timestamp_kind})"


@dataclass(frozen=True)
class Unary(Node):
    """A node that reads from one other."""

    input: Node

    @property
    def child(self) -> Node | None:
        return self.input

    @property
    def schema(self) -> Schema:
        return self.input.schema

    @property
    def time_attribute(self) -> str | None:
        return self.input.time_attribute


@dataclass(frozen=True)
class Derived(Unary):
    """`CREATE STREAM name AS ...`, or a subquery under an alias: a stream made of a query."""

    name: str

    @property
    def schema(self) -> Schema:
        return Schema(self.input.schema.columns, (*IMPLICIT, Column("event_ts", "TIMESTAMP")))

    @property
    def is_windowed(self) -> bool:
        return False

    def label(self) -> str:
        return f"Derived {self.name}"


@dataclass(frozen=True)
class LateOf(Unary):
    """`LATE OF q`: the tuples that missed a window of q, with the frontier that excluded them."""

    name: str

    @property
    def schema(self) -> Schema:
        scan = next(node for node in self.input.chain() if isinstance(node, Scan))
        order = scan.schema.find(scan.stream.order)
        return Schema((*scan.stream.columns, Column("frontier", order.type)), IMPLICIT)

    @property
    def time_attribute(self) -> str | None:
        return next(node for node in self.input.chain() if isinstance(node, Scan)).stream.order

    @property
    def is_windowed(self) -> bool:
        return False

    def label(self) -> str:
        return f"LateOf {self.name}"


@dataclass(frozen=True)
class Filter(Unary):
    """Tuples for which a condition is true."""

    condition: Expression

    def label(self) -> str:
        return f"Filter {self.condition.text}"


@dataclass(frozen=True)
class Project(Unary):
    """A select list, computed tuple by tuple."""

    items: Items

    @property
    def schema(self) -> Schema:
        below = self.input.schema
        hidden = () if self.is_windowed else below.hidden
        return Schema(tuple(Column(name, item.type_in(below)) for name, item in self.items), hidden)

    def label(self) -> str:
        return "Project " + show_items(self.items)


@dataclass(frozen=True)
class Distinct(Unary):
    """Of equal rows of an extent, one."""

    def label(self) -> str:
        return "Distinct"


@dataclass(frozen=True)
class Sort(Unary):
    """The rows of each extent in an order."""

    by: tuple[Expression, ...]

    def label(self) -> str:
        return "Sort " + ", ".join(item.text for item in self.by)


@dataclass(frozen=True)
class TableJoin(Unary):
    """A stream joined with a static table."""

    table: str
    columns: tuple[Column, ...]
    condition: Expression
    kind: str = "INNER"

    @property
    def schema(self) -> Schema:
        below = self.input.schema
        return Schema((*below.columns, *self.columns), below.hidden)

    def label(self) -> str:
        return f"TableJoin {self.kind} {self.table} on {self.condition.text}"


def show_items(items: Items) -> str:
    """A select list in one line."""
    return ", ".join(item.text if item.text == name else f"{item.text} AS {name}" for name, item in items)
