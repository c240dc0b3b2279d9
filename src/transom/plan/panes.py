"""Panes: sub-windows that successive windows share (seed 000, section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from transom.errors import NotSupported, ReservedName
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import show_items
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.windowed import Aggregate
from transom.plan.sql.window_sql import render_length
from transom.plan.types.bounds import common_bounds
from transom.plan.types.schema import Column, Schema
from transom.semantics.length import Length


@dataclass(frozen=True)
class PaneAggregate(Aggregate):
    """Aggregates computed once per pane of `width`, and combined for each window."""

    width: Length = 0

    def label(self) -> str:
        by = f" group by {', '.join(self.group_by)}" if self.group_by else ""
        return f"PaneAggregate {show_items(self.items)}{by} in panes of {render_length(self.width)}"


@dataclass(frozen=True)
class Together(Node):
    """Queries that run as one. Each row says in `query` which of them it answers, from 0."""

    queries: tuple[Node, ...]

    def __post_init__(self) -> None:
        for query in self.queries:
            if any(column.name.lower() == "query" for column in query.schema.columns):
                raise ReservedName(
                    "rows of queries that run together say in a column `query` which of them they answer",
                    given="query",
                    remedy="give the column another name",
                )
            strange = next((node for node in query.walk() if isinstance(node, LateOf | Insert)), None)
            if strange is not None:
                raise NotSupported(
                    "queries that run together differ in their windows alone",
                    given=strange.label(),
                    remedy="results and late rows of one execution: write(q.insert_into(...), q.late().insert_into(...))",
                )

    @property
    def schema(self) -> Schema:
        alike = zip(*(query.schema.columns for query in self.queries), strict=False)  # others are refused when they run
        return Schema((Column("query", "INT"), *(reduce(_wider, each) for each in alike)))

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.queries

    @property
    def time_attribute(self) -> str | None:
        return self.queries[0].time_attribute

    def label(self) -> str:
        return f"Together {len(self.queries)} queries"


def _wider(one: Column, other: Column) -> Column:
    """Bounds of windows of different lengths may be of different types."""
    return Column(one.name, common_bounds(one.type, other.type) or one.type)
