"""FROM: streams and windows joined with one another, then tables beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlglot import exp

from transom.errors import BadQuery, NotSupported
from transom.language.bind.joins import is_in_step, join_of_streams
from transom.language.bind.relations.as_of_join import as_of_join, check_timestamp, gathered, is_as_of
from transom.language.bind.relations.window_join import JoinedInputs, check_using, kind_of
from transom.language.bind.resolve import Beside, Resolver
from transom.language.catalog import Catalog
from transom.language.parse.parser import WINDOW
from transom.plan.expression import Expression
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, TableJoin, TableScan
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.flat_naming import FlatNaming, flat_naming
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
        self._begin_with_the_stream(tree)
        source = tree.args["from_"].this
        joins = tuple(tree.args.get("joins") or ())
        beside = [join for join in joins if self._is_static(join)]
        among = [join for join in joins if not self._is_static(join)]
        self._check_order(joins)
        node, relations, joined = self.relation(source), {alias_of(source): name_of(source)}, None
        if among:
            condition = tree.args.get("where")
            joined = self._among(node, source, among, None if condition is None else condition.this)
            node, relations = joined, {name: name for name in named(joined).names}
            self._star_in_order(tree, joined, beside)
        tables: dict[str, Beside] = {}
        for join in beside:
            before = len(node.schema.names)
            node, relations = self._beside(node, relations, join)
            if node.only_filters:
                continue
            names = tuple(column.name for column in node.columns)
            tables[alias_of(join.this).lower()] = Beside(names, len(node.schema.names) - before)
        return node, replace(
            self.where,
            schema=node.schema,
            relations=relations,
            aggregates=self.catalog.aggregates,
            joined=None if joined is None else named(joined),
            beside=tables,
        )

    def _check_order(self, joins: Sequence[exp.Join]) -> None:
        """Tables are joined behind all streams and windows: the same, but where rows of a later input are kept."""
        static = False
        for join in joins:
            if static and not self._is_static(join) and kind_of(join) in ("RIGHT", "FULL"):
                raise _unsupported(
                    join.this,
                    f"a {kind_of(join)} JOIN behind a table",
                    self.where,
                    "join the table last, or in a stream of its own",
                )
            static = static or self._is_static(join)

    def _begin_with_the_stream(self, tree: exp.Select) -> None:
        """`table JOIN stream` is `stream JOIN table` with the columns of `*` in the order that was written."""
        table, joins = tree.args["from_"].this, tree.args.get("joins") or []
        among = [join for join in joins if not self._is_static(join)]
        if not among or not self._is_table(table):
            return
        first = joins[0]
        if first is not among[0] or kind_of(first) not in ("INNER", "RIGHT") or first.args.get("method"):
            remedy = "begin with the stream: stream JOIN table, or stream LEFT JOIN table"
            raise _unsupported(table, f"a table in front of {self._written(among[0])} with a stream", self.where, remedy)
        stream, side = first.this, "LEFT" if kind_of(first) == "RIGHT" else None
        if any(map(_is_bare_star, tree.expressions)):
            shown = [join.this for join in joins if kind_of(join) not in ("SEMI", "ANTI")]
            self._in_order(tree, [table, *shown], first)
        tree.args["from_"].set("this", stream)
        first.set("this", table)
        first.set("side", side)

    @staticmethod
    def _written(join: exp.Join) -> str:
        kind = str(join.args.get("method") or kind_of(join))
        return "JOIN" if kind == "INNER" else f"{kind} JOIN"

    def _in_order(self, tree: exp.Select, relations: list[exp.Expr], first: exp.Join) -> None:
        """`*` as the columns of each relation."""
        if any(join.args.get("using") for join in tree.args["joins"]):
            raise _unsupported(first.this, "* of a table before a stream with USING", self.where, "name the columns")
        each = [exp.Column(this=exp.Star(), table=exp.to_identifier(alias_of(one))) for one in relations]
        items: list[exp.Expr] = []
        for item in tree.expressions:
            items += [one.copy() for one in each] if _is_bare_star(item) else [item]
        tree.set("expressions", items)

    def _star_in_order(self, tree: exp.Select, joined: Among, beside: Sequence[exp.Join]) -> None:
        """`*` in the order that was written, where a stream is looked up for one that does not stand right before it."""
        joins = [join for join in tree.args["joins"] if kind_of(join) not in ("SEMI", "ANTI")]
        relations = [tree.args["from_"].this, *(join.this for join in joins if join not in beside)]
        written = [alias_of(one).lower() for one in relations]
        moved = [name.lower() for name in named(joined).names if name.lower() in written] != written
        if moved and any(map(is_as_of, joins)) and any(map(_is_bare_star, tree.expressions)):
            self._in_order(tree, [*relations, *(join.this for join in joins if join in beside)], joins[0])

    def _is_table(self, relation: exp.Expr) -> bool:
        return isinstance(relation, exp.Table) and WINDOW not in relation.meta and self.catalog.table(relation.name) is not None

    def _is_static(self, join: exp.Join) -> bool:
        """Whether it joins a table, or a DataFrame with an end that stands for one: without a bracket, and not as of a time."""
        table = join.this
        if not isinstance(table, exp.Table):
            return False
        plain = WINDOW not in table.meta and not join.args.get("method")
        return (self.catalog.beside if plain else self.catalog.table)(table.name) is not None

    def _among(self, node: Node, source: exp.Expr, joins: list[exp.Join], condition: exp.Expr | None) -> Among:
        nodes = (node, *(self.relation(join.this) for join in joins))
        names = (alias_of(source) or "subquery", *(alias_of(join.this) or "subquery" for join in joins))
        return joined_among(nodes, names, joins, self._of(names), condition)

    def _of(self, names: tuple[str, ...]) -> Resolver:
        return replace(self.where, relations={name: name for name in names}, aggregates=self.catalog.aggregates)

    def _beside(self, source: Node, relations: dict[str, str], join: exp.Join) -> tuple[TableJoin, dict[str, str]]:
        """A static table beside the stream, or beside a join of windows."""
        self.relation(join.this)
        table = self.catalog.beside(join.this.name)
        assert table is not None
        before, relations = relations, {**relations, alias_of(join.this): table.name}
        using = tuple(str(column.name) for column in join.args.get("using") or ())
        if isinstance(source, Among) or (isinstance(source, TableJoin) and not source.gives_instants):
            self._refuse_clash(source, table, using, join)
        both = Resolver(Schema((*source.schema.columns, *table.columns), source.schema.hidden), relations, self.where.sql)
        if isinstance(source, Among):
            both = replace(both, joined=named(source))
        condition = self._condition(join, both, relations, using)
        build = partial(TableJoin, source, table.name, table.columns, condition, kind_of(join), using, table.frame)
        made = self.where.located(join.this, build)
        return made, before if made.only_filters else relations

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


def _is_bare_star(item: exp.Expr) -> bool:
    return isinstance(item, exp.Star)


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
    other = next((join for join in joins if join.args.get("method") and not is_as_of(join)), None)
    if other is not None:
        raise _unsupported(other.this, f"{other.args['method']} JOIN", where, "write ON or USING")
    if not any(map(is_as_of, joins)):
        pair, called, first = (nodes[0], nodes[1]), (names[0], names[1]), joins[0]
        if len(joins) == 1 and is_in_step(*pair, called, first, where):
            return join_of_streams(_as_stream(pair[0]), _as_stream(pair[1]), called, first, where)
        return JoinedInputs(nodes, names, tuple(joins), where).bind(condition)
    return _with_as_of(nodes, names, joins, where, condition)


def _with_as_of(
    nodes: tuple[Node, ...], names: tuple[str, ...], joins: list[exp.Join], where: Resolver, condition: exp.Expr | None
) -> Among:
    """As-of joins, one after the other or beside joins of windows."""
    check_using(joins)
    inputs, others = gathered(nodes, names, joins, where)
    made = tuple(as_of_join(one, nodes, names, joins, where) for one in inputs)
    if not others:
        check_timestamp(joins, where)
        assert isinstance(made[0], AsOfJoin)
        return made[0]
    using = next((join for join in joins if join.args.get("using")), None)
    if using is not None:
        raise _unsupported(using.this, "USING beside an as-of join and others", where, "write ON for each of them")
    first = tuple(names[one.places[0]] for one in inputs)
    behind = [joins.index(join) + 1 for join in others]
    unseen = tuple(frozenset(name for n, name in enumerate(names) if n > place) for place in behind)
    return JoinedInputs(made, first, tuple(others), where, unseen, tuple(joins)).bind(condition)


def named(joined: Among) -> Join | FlatNaming:
    """The relations of a join, and what their columns are called."""
    return joined if isinstance(joined, Join) else flat_naming(joined)


def _unsupported(tree: exp.Expr, what: str, where: Resolver, remedy: str = "leave it out") -> NotSupported:
    return NotSupported(f"{what} is not supported yet", given=tree.sql("spark")[:80], remedy=remedy, span=where.span(tree))
