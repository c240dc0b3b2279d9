"""Joins of streams: two queries over windows, on keys and on the instant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sqlglot import exp

from transom.errors import BadQuery, NotSupported, UnboundedState
from transom.language.bind.resolve import Resolver
from transom.plan.instant_column import is_instant
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived

Pairs = list[tuple[str, str]]

INSTANTS = "compare the instants of two queries over windows: ... AND a.event_ts = b.event_ts"


def is_in_step(left: Node, right: Node, names: tuple[str, str], tree: exp.Join, where: Resolver) -> bool:
    """Whether a join is of two queries over windows, on equal instants and other equal columns alone."""
    if not isinstance(left, Derived) or not isinstance(right, Derived) or tree.kind or str(tree.side).upper() not in ("", "LEFT"):
        return False
    using = [str(column.name) for column in tree.args.get("using") or ()]
    on = tree.args.get("on")
    if using:
        return any(is_instant(left, name) and is_instant(right, name) for name in using)
    terms = [] if on is None else [term.unnest() for term in _terms(on)]
    if not all(isinstance(term, exp.EQ) and _are_columns(term) for term in terms):
        return False
    pairs = [_pair(term, names, (left, right), where) for term in terms if _of_both(term, names, (left, right), where)]
    return len(pairs) == len(terms) and any(is_instant(left, one) and is_instant(right, other) for one, other in pairs)


def _are_columns(term: exp.Expr) -> bool:
    return isinstance(term.this, exp.Column) and isinstance(term.expression, exp.Column)


def _of_both(term: exp.Expr, names: tuple[str, str], sides: tuple[Node, Node], where: Resolver) -> bool:
    return len({side_of(column, names, sides, where) for column in (term.this, term.expression)}) == 2


def join_of_streams(left: Node, right: Node, names: tuple[str, str], tree: exp.Join, where: Resolver) -> Join:
    """The join of two derived streams in step."""
    using = tuple(str(column.name) for column in tree.args.get("using") or ())
    pairs = [(name, name) for name in using] or compared_columns(tree, names, (left, right), where)
    instants = next((pair for pair in pairs if is_instant(left, pair[0]) and is_instant(right, pair[1])), None)
    if instants is None:
        raise UnboundedState(
            "rows of a join that does not compare instants would wait for their match for ever",
            given=tree.sql("spark")[:80],
            remedy=INSTANTS,
            span=where.span(tree),
        )
    pairs.remove(instants)
    kind = str(tree.side or "INNER").upper()
    build = partial(Join, left, right, names, instants, tuple(pairs), kind, using)
    return where.located(tree, build)


def compared_columns(tree: exp.Join, names: tuple[str, str], sides: tuple[Node, Node], where: Resolver) -> Pairs:
    """The pairs of columns that ON compares, one of either side."""
    return [_pair(term, names, sides, where) for term in terms_of_on(tree)]


def terms_of_on(tree: exp.Join) -> list[exp.Expr]:
    """The conditions of ON that all have to hold."""
    on = tree.args.get("on")
    return [] if on is None else [term.unnest() for term in _terms(on)]


def _terms(condition: exp.Expr) -> list[exp.Expr]:
    condition = condition.unnest()
    return list(condition.flatten()) if isinstance(condition, exp.And) else [condition]


def _pair(term: exp.Expr, names: tuple[str, str], sides: tuple[Node, Node], where: Resolver) -> tuple[str, str]:
    """An equality of a column of either side."""
    term = term.unnest()
    if isinstance(term, exp.EQ) and isinstance(term.this, exp.Column) and isinstance(term.expression, exp.Column):
        found = {side_of(column, names, sides, where): column for column in (term.this, term.expression)}
        if len(found) == 2:
            left, right = (where.located(found[n], partial(sides[n].schema.find, found[n].name, names[n])).name for n in (0, 1))
            return left, right
    raise not_an_equality(term, where)


def not_an_equality(term: exp.Expr, where: Resolver) -> NotSupported:
    return NotSupported(
        "streams are joined where columns of the one equal columns of the other",
        given=term.sql("spark")[:80],
        remedy="put other conditions into WHERE",
        span=where.span(term),
    )


def side_of(column: exp.Column, names: Sequence[str], sides: Sequence[Node], where: Resolver) -> int:
    """Which side a column is of: by its qualifier, or because only one side has it."""
    if column.table:
        either = Resolver(sides[0].schema, {name: name for name in names}, where.sql)
        known = [n for n, name in enumerate(names) if name.lower() == column.table.lower()]
        return known[0] if known else int(bool(either.column(column)))
    known = [n for n, node in enumerate(sides) if _has(node, column.name)]
    if len(known) > 1:
        raise BadQuery(
            f"two relations have a column {column.name!r}",
            given=column.name,
            exists=names,
            remedy=f"write which: {names[known[0]]}.{column.name}",
            span=where.span(column),
        )
    return known[0] if known else 0


def _has(node: Node, name: str) -> bool:
    return name.lower() in {column.name.lower() for column in (*node.schema.columns, *node.schema.hidden)}
