"""Joins of streams: two queries over windows, on keys and on the instant."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from transom.errors import BadQuery, NotSupported, UnboundedState
from transom.language.bind.resolve import Resolver
from transom.plan import Derived, Join, Node
from transom.plan.types.instants import is_instant

Pairs = list[tuple[str, str]]

INSTANTS = "compare the instants of two queries over windows: ... AND a.event_ts = b.event_ts"


def join_of_streams(left: Node, right: Node, names: tuple[str, str], tree: exp.Join, where: Resolver) -> Join:
    """The join of two derived streams. What else is called a join of streams is refused by name."""
    for side in (left, right):
        if not isinstance(side, Derived):
            raise NotSupported(
                "a join between streams or their windows is not supported yet, only one between queries over windows",
                given=tree.sql("spark")[:80],
                remedy=f"define a stream for each of the two, and {INSTANTS}",
                span=where.span(tree.this),
            )
    using = tuple(str(column.name) for column in tree.args.get("using") or ())
    pairs = [(name, name) for name in using] or _compared(tree, names, (left, right), where)
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


def _compared(tree: exp.Join, names: tuple[str, str], sides: tuple[Node, Node], where: Resolver) -> Pairs:
    on = tree.args.get("on")
    return [] if on is None else [_pair(term, names, sides, where) for term in _terms(on)]


def _terms(condition: exp.Expr) -> list[exp.Expr]:
    condition = condition.unnest()
    return list(condition.flatten()) if isinstance(condition, exp.And) else [condition]


def _pair(term: exp.Expr, names: tuple[str, str], sides: tuple[Node, Node], where: Resolver) -> tuple[str, str]:
    """An equality of a column of either side."""
    term = term.unnest()
    if isinstance(term, exp.EQ) and isinstance(term.this, exp.Column) and isinstance(term.expression, exp.Column):
        found = {_side(column, names, sides, where): column for column in (term.this, term.expression)}
        if len(found) == 2:
            left, right = (where.located(found[n], partial(sides[n].schema.find, found[n].name, names[n])).name for n in (0, 1))
            return left, right
    raise NotSupported(
        "streams are joined where columns of the one equal columns of the other",
        given=term.sql("spark")[:80],
        remedy="put other conditions into WHERE",
        span=where.span(term),
    )


def _side(column: exp.Column, names: tuple[str, str], sides: tuple[Node, Node], where: Resolver) -> int:
    """Which side a column is of: by its qualifier, or because only one side has it."""
    if column.table:
        either = Resolver(sides[0].schema, {name: name for name in names}, where.sql)
        known = [n for n, name in enumerate(names) if name.lower() == column.table.lower()]
        return known[0] if known else int(bool(either.column(column)))
    known = [n for n, node in enumerate(sides) if _has(node, column.name)]
    if len(known) == 2:
        raise BadQuery(
            f"two relations have a column {column.name!r}",
            given=column.name,
            exists=names,
            remedy=f"write which: {names[0]}.{column.name}",
            span=where.span(column),
        )
    return known[0] if known else 0


def _has(node: Node, name: str) -> bool:
    return name.lower() in {column.name.lower() for column in (*node.schema.columns, *node.schema.hidden)}
