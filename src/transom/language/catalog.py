"""What can be named: streams, queries, tables and aggregates. Names are the same in any case."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from transom.errors import BadQuery, NotSupported, UnknownFunction, UnknownStream, nearest
from transom.plan.expression import AnyAggregate
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import TableScan
from transom.plan.types.schema import Schema
from transom.windowing import Operator


@dataclass
class Catalog:
    """The streams, tables and aggregates that statements have defined, or that were handed over."""

    streams: dict[str, Node] = field(default_factory=dict)
    tables: dict[str, Schema] = field(default_factory=dict)
    frames: dict[str, Any] = field(default_factory=dict)
    """DataFrames with an end that were handed over, each a stream too: beside a stream, without a bracket, one is a table."""
    views: dict[str, Schema] = field(default_factory=dict)
    """Concrete views, which queries over streams keep."""
    aggregates: dict[str, AnyAggregate] = field(default_factory=dict)
    """By their names in lower case."""
    operators: dict[str, Operator] = field(default_factory=dict)
    """Operators that can be called as table functions."""
    spark_alone: bool = False
    """Whether there are no functions but Spark's own: no session has added any, as `spark.udf.register` does."""
    one_time: bool = False
    """Whether queries over tables and concrete views alone are answered, once, by Spark."""

    def copy(self) -> Catalog:
        """What is known now; later definitions do not change it."""
        return replace(
            self,
            streams=dict(self.streams),
            tables=dict(self.tables),
            views=dict(self.views),
            frames=dict(self.frames),
            aggregates=dict(self.aggregates),
            operators=dict(self.operators),
        )

    def stream(self, name: str) -> Node:
        """A stream."""
        return self.streams[self._known(name, [*self.streams])]

    def table(self, name: str) -> TableScan | None:
        """A table; None if there is none of this name."""
        if name.lower() in map(str.lower, self.views):
            raise NotSupported(
                "a concrete view changes while a stream is read, and is not joined with it",
                given=name,
                remedy="join the query that makes the view, as a subquery; or read the view by itself: SELECT * FROM it in Spark",
            )
        known = next((table for table in self.tables if table.lower() == name.lower()), None)
        return None if known is None else TableScan(known, self.tables[known].columns)

    def beside(self, name: str) -> TableScan | None:
        """What can stand beside a stream as its static side: a table, or a DataFrame with an end."""
        known = next((frame for frame in self.frames if frame.lower() == name.lower()), None)
        if known is None or self.table(name) is not None:
            return self.table(name)
        return TableScan(known, self.streams[known].schema.columns, self.frames[known])

    def relation(self, name: str) -> Node:
        """A stream or a table."""
        return self.table(name) or self.streams[self._known(name, [*self.streams, *self.tables])]

    def operator(self, name: str) -> Operator:
        """An operator."""
        for known, operator in self.operators.items():
            if known.lower() == name.lower():
                return operator
        raise UnknownFunction(
            f"there is no operator {name!r}",
            given=name,
            exists=[*self.operators],
            remedy=f"hand it over: tr.sql(text, {name}=MyOperator())" if not self.operators else nearest(name, self.operators),
        )

    def vacant(self, name: str) -> None:
        """Refuse a name that is taken."""
        if name.lower() in {taken.lower() for taken in self.streams}:
            raise BadQuery(f"{name!r} exists already", given=name, remedy="choose another name, or drop it first")
        if name.lower() in {taken.lower() for taken in (*self.tables, *self.views)}:
            raise BadQuery(f"{name!r} exists already", given=name, remedy="choose another name")

    def drop(self, name: str) -> None:
        """Forget a stream."""
        del self.streams[self._known(name, [*self.streams])]

    def _known(self, name: str, names: list[str]) -> str:
        for known in names:
            if known.lower() == name.lower():
                return known
        raise UnknownStream(f"there is no stream or table {name!r}", given=name, exists=names, remedy=nearest(name, names))
