"""FROM: streams and windows joined with one another, then tables beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlglot import exp

from transom.errors import BadQuery, NotSupported
from transom.language.bind.joins import is_in_step, join_of_streams
from transom.language.bind.relations.as_of_join import as_of_join
from transom.language.bind.relations.window_join import Joined
from transom.language.bind.resolve import Beside, Resolver
from transom.language.catalog import Catalog
from transom.language.parse.parser import WINDOW
from transom.plan.expression import Expression
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, TableJoin, TableScan
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.window_join import WindowJoin
from transom.plan.types.schema import Schema

Among = Join | WindowJoin | AsOfJoin
"""What joins streams or windows with one another."""


@dataclass(frozen=True)
class FromClause:
    """Binds what a SELECT reads from, given how one relation of it is bound."""

    relation: Callable[[exp.Expr], Node]
    catalog: Catalog
    where: Resolver

    def bind(self, tree: exp.Select) -> tuple[Node, Resolver]:
        """What it reads from, and the names in it."""
        source = tree.args["from_"].this
        joins = tuple(tree.args.get("joins") or ())
        beside = [join for join in joins if self._is_static(join)]
        among = [join for join in joins if not self._is_static(join)]
        node, relations, joined = self.relation(source), {alias_of(source): name_of(source)}, None
        if among:
            condition = tree.args.get("where")
            joined = self._among(node, source, among, None if condition is None else condition.this)
            node, relations = joined, {name: name for name in joined.names}
        tables: dict[str, Beside] = {}
        for join in beside:
            if isinstance(node, Join):
                raise _unsupported(join.this, "a join of two streams with a table", self.where)
            before = len(node.schema.names)
            node, relations = self._beside(node, relations, join)
            names = tuple(column.name for column in node.columns)
            tables[alias_of(join.this).lower()] = Beside(names, len(node.schema.names) - before)
        return node, replace(
            self.where,
            schema=node.schema,
            relations=relations,
            aggregates=self.catalog.aggregates,
            joined=joined,
            beside=tables,
        )

    def _is_static(self, join: exp.Join) -> bool:
        """Whether it joins a table, or a DataFrame with an end that stands for one: without a bracket, and not as of a time."""
        table = join.this
        if not isinstance(table, exp.Table):
            return False
        plain = WINDOW not in table.meta and not join.args.get("method")
        return (self.catalog.beside if plain else self.catalog.table)(table.name) is not None

    def _among(self, node: Node, source: exp.Expr, joins: list[exp.Join], condition: exp.Expr | None) -> Among:
        if isinstance(node, TableScan):
            raise _unsupported(source, "a join that begins with a table", self.where, "begin with the stream")
        nodes = (node, *(self.relation(join.this) for join in joins))
        names = (alias_of(source) or "subquery", *(alias_of(join.this) or "subquery" for join in joins))
        return joined_among(nodes, names, joins, self._of(names), condition)

    def _of(self, names: tuple[str, ...]) -> Resolver:
        return replace(self.where, relations={name: name for name in names}, aggregates=self.catalog.aggregates)

    def _beside(self, source: Node, relations: dict[str, str], join: exp.Join) -> tuple[TableJoin, dict[str, str]]:
        """A static table beside the stream, or beside a join of windows."""
        if str(join.kind).upper() in ("SEMI", "ANTI"):
            raise _unsupported(join.this, f"a {join.kind} JOIN", self.where)
        self.relation(join.this)
        table = self.catalog.beside(join.this.name)
        assert table is not None
        relations = {**relations, alias_of(join.this): table.name}
        using = tuple(str(column.name) for column in join.args.get("using") or ())
        if isinstance(source, Among) or (isinstance(source, TableJoin) and not source.gives_instants):
            self._refuse_clash(source, table, using, join)
        both = Resolver(Schema((*source.schema.columns, *table.columns), source.schema.hidden), relations, self.where.sql)
        if isinstance(source, Among):
            both = replace(both, joined=source)
        condition = self._condition(join, both, relations, using)
        kind = str(join.side or "INNER").upper()
        return TableJoin(source, table.name, table.columns, condition, kind, using, table.frame), relations

    def _refuse_clash(self, source: Node, table: TableScan, using: tuple[str, ...], join: exp.Join) -> None:
        """Columns of a join have names of their own, which a table beside it must not take."""
        if not any(isinstance(node, Among) for node in source.chain()):
            return
        known = {name.lower() for name in source.schema.names} - {name.lower() for name in using}
        twice = next((name for name in table.schema.names if name.lower() in known), None)
        if twice is not None:
            raise BadQuery(
                f"two relations have a column {twice!r}",
                given=f"{table.name}.{twice}",
                remedy="rename it in a view of the table: CREATE VIEW ... AS SELECT ... AS ...",
                span=self.where.span(join.this),
            )

    def _condition(self, join: exp.Join, both: Resolver, relations: dict[str, str], using: tuple[str, ...]) -> Expression:
        on = join.args.get("on")
        if using:
            first, *_, last = relations.values()
            return Expression.of(" AND ".join(f"{first}.{column} = {last}.{column}" for column in using), qualified=True)
        return Expression.of("TRUE") if on is None else both.expression(on)


def _as_stream(node: Node) -> Node:
    return replace(node, relation=False) if isinstance(node, Derived) else node


def alias_of(table: exp.Expr) -> str:
    """The name by which a query calls what it reads."""
    return str(table.alias_or_name)


def name_of(table: exp.Expr) -> str:
    """The name of what is read."""
    return str(table.name or table.alias or "subquery")


def joined_among(
    nodes: tuple[Node, ...], names: tuple[str, ...], joins: list[exp.Join], where: Resolver, condition: exp.Expr | None = None
) -> Among:
    """The join of streams or windows, by the names that the query has for them."""
    as_of = next((join for join in joins if join.args.get("method")), None)
    if as_of is not None and str(as_of.args["method"]).upper() != "ASOF":
        raise _unsupported(as_of.this, f"{as_of.args['method']} JOIN", where, "write ON or USING")
    if as_of is not None and len(joins) > 1:
        raise _unsupported(as_of.this, "an as-of join beside others", where, "define a stream of it: CREATE STREAM ... AS")
    pair, called, first = (nodes[0], nodes[1]), (names[0], names[1]), joins[0]
    if as_of is not None:
        return as_of_join(pair, called, first, where)
    if len(joins) == 1 and is_in_step(*pair, called, first, where):
        return join_of_streams(_as_stream(pair[0]), _as_stream(pair[1]), called, first, where)
    return Joined(nodes, names, tuple(joins), where).bind(condition)


def _unsupported(tree: exp.Expr, what: str, where: Resolver, remedy: str = "leave it out") -> NotSupported:
    return NotSupported(f"{what} is not supported yet", given=tree.sql("spark")[:80], remedy=remedy, span=where.span(tree))
