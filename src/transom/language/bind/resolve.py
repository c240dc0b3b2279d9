"""Resolving the names in expressions, and showing where one is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

from sqlglot import exp

from transom.column_names import EVENT_TS
from transom.errors import BadQuery, NotSupported, Span
from transom.language.parse.spans import with_span
from transom.plan.expression import Aggregates, Expression
from transom.plan.nodes.node import Node
from transom.plan.types.builtin import check_aggregates
from transom.plan.types.fields import field as field_of
from transom.plan.types.fields import holder_of, no_relation
from transom.plan.types.schema import Column, Schema
from transom.plan.types.user_calls import fitted

T = TypeVar("T")


class JoinedColumns(Protocol):
    """What a join says of its inputs' columns."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def inputs(self) -> tuple[Node, ...]: ...

    @property
    def using(self) -> tuple[str, ...]: ...

    @property
    def owners(self) -> Mapping[tuple[int, str], str]: ...

    def columns_of(self, side: int) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Beside:
    """A static table beside a stream: its columns, and how many of them stand behind those of the stream."""

    columns: tuple[str, ...]
    added: int


@dataclass(frozen=True)
class Resolver:
    """The columns in scope, the relations they may be qualified with (aliases to names), and the text they are written in."""

    schema: Schema
    relations: Mapping[str, str]
    sql: str
    aggregates: Aggregates = field(default_factory=dict)
    joined: JoinedColumns | None = None
    """The join that the columns come from, if it is one of streams or windows."""
    beside: Mapping[str, Beside] = field(default_factory=dict)
    """The static tables among the relations, by their names in the query."""

    def span(self, tree: exp.Expr) -> Span | None:
        """Where a part of the tree stands in the text."""
        places = [node.meta for node in tree.walk() if "start" in node.meta]
        if not places:
            return None
        return Span(self.sql, min(place["start"] for place in places), max(place["end"] for place in places) + 1)

    def located(self, tree: exp.Expr, build: Callable[[], T]) -> T:
        """Build something; what goes wrong is shown where `tree` stands."""
        return with_span(self.span(tree), build)

    def column(self, tree: exp.Column) -> Column:
        """The column that a name means."""
        return self.located(tree, partial(self._column, tree.name, tree.table))

    def _column(self, name: str, qualifier: str) -> Column:
        if qualifier and self._relation(qualifier) is None:
            raise no_relation(exp.column(name, table=qualifier), self.schema, self.relations)
        if self.joined is not None and qualifier.lower() in {one.lower() for one in self.joined.names}:
            return self._of_side(self.joined, name, qualifier)
        if not qualifier and self._is_ambiguous(name):
            which = f"{next(iter(self.relations))}.{name}"
            raise BadQuery(
                f"two relations have a column {name!r}", given=name, exists=self.relations, remedy=f"write which: {which}"
            )
        return self.schema.find(name)

    def _relation(self, alias: str) -> str | None:
        return next((name for known, name in self.relations.items() if known.lower() == alias.lower()), None)

    def _of_side(self, join: JoinedColumns, name: str, qualifier: str) -> Column:
        """A column of one side of a join of streams; its instant is that of the row."""
        side = [one.lower() for one in join.names].index(qualifier.lower())
        here = join.owners.get((side, name.lower()))
        if here is None and name.lower() == EVENT_TS:
            return self.schema.find(EVENT_TS)
        return self.schema.find(here or join.inputs[side].schema.find(name, qualifier).name)

    def _is_ambiguous(self, name: str) -> bool:
        if self.joined is not None:
            inputs = enumerate(self.joined.inputs)
            sides = {side for side, node in inputs if name.lower() in {column.lower() for column in node.schema.names}}
            shared = {one.lower() for one in self.joined.using}
            return len(sides) > 1 and name.lower() not in shared and name.lower() != EVENT_TS
        return sum(column.name.lower() == name.lower() for column in self.schema.columns) > 1

    def expression(self, tree: exp.Expr, extra: Iterable[str] = ()) -> Expression:
        """An expression with every name as it was declared. `extra` names may stand for themselves."""
        self._refuse_nesting(tree)
        known = {name.lower() for name in extra}

        def resolved(node: exp.Expr) -> exp.Expr:
            return node if not isinstance(node, exp.Column) or node.name.lower() in known else self._resolved(node)

        made = Expression.of(tree.copy().transform(resolved), qualified=True, aggregates=self.aggregates)
        self.located(tree, lambda: check_aggregates(made))
        return self.located(tree, lambda: fitted(made, self.schema))

    def aggregate_in(self, tree: exp.Expr) -> exp.Expr | None:
        """An aggregate within an expression, built in or a user's."""
        found = tree.find(exp.AggFunc)
        return found if found is not None else self.user_call_in(tree)

    def _aggregates(self, node: exp.Expr) -> bool:
        return isinstance(node, exp.AggFunc) or str(node.this).lower() in self.aggregates

    def user_call_in(self, tree: exp.Expr) -> exp.Expr | None:
        """A call of an aggregate that a user wrote."""
        return next((node for node in tree.find_all(exp.Anonymous) if str(node.this).lower() in self.aggregates), None)

    def _resolved(self, column: exp.Column) -> exp.Expr:
        """The column under its declared name, qualified only where it must be; or a field of a struct."""
        struct = holder_of(column, self.schema, self.relations)
        if struct is not None:
            held, fields = struct
            kind = self.column(held).type
            return self.located(column, lambda: field_of(self._resolved(held), kind, fields))
        found = self.column(column).name
        holder = column.table
        qualifier = self._relation(holder) if holder and self.joined is None and self._is_ambiguous(found) else None
        return exp.column(found, table=qualifier, quoted=True)

    def _refuse_nesting(self, tree: exp.Expr) -> None:
        if tree.find(exp.Query) is not None:
            raise NotSupported(
                "a query within an expression is not supported yet",
                given=tree.sql("spark")[:80],
                remedy="join the table",
                span=self.span(tree),
            )
        if tree.find(exp.Window) is not None:
            raise NotSupported(
                "OVER within an expression is not supported yet",
                given=tree.sql("spark")[:80],
                remedy="select the frame under a name, and compute with it in a query on that",
                span=self.span(tree),
            )
        marker = tree.find(exp.Placeholder, exp.Parameter)
        if marker is not None:
            raise NotSupported(
                "a query has no parameters",
                given=marker.sql("spark"),
                remedy="write the value into the text",
                span=self.span(tree),
            )
        if isinstance(tree, exp.Alias):
            raise BadQuery(
                "an expression has one name", given=tree.sql("spark"), remedy="leave AS out: the name is given already"
            )
        for aggregate in tree.find_all(exp.AggFunc, exp.Anonymous):
            inner = [self.aggregate_in(part) for part in aggregate.iter_expressions()]
            if self._aggregates(aggregate) and any(part is not None for part in inner):
                raise BadQuery(
                    "aggregates do not nest",
                    given=aggregate.sql("spark"),
                    remedy="aggregate a subquery",
                    span=self.span(aggregate),
                )
