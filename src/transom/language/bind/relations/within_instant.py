"""ISTREAM and its like, LIMIT, and functions that rank the rows of a window."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from transom.errors import BadFrame, BadQuery
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import KEEP_FIRST, modifiers_of
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.relations.changes import Changes
from transom.plan.relations.within_instant import RANKED, RANKINGS, Limit, Ranked, Ranking, partition_of_rank


def limited(tree: exp.Expr, node: Node, names: Resolver) -> Node:
    """The first rows of each instant, where LIMIT says so."""
    limit = tree.args.get("limit")
    if limit is None:
        return node
    number = limit.expression
    if not isinstance(number, exp.Literal) or not number.is_int:
        raise BadQuery("LIMIT is a whole number", given=number.sql("spark"), remedy="write LIMIT 3", span=names.span(limit))
    return names.located(number, lambda: Limit(node, int(number.name)))


def as_stream_of_changes(tree: exp.Select, node: Node, names: Resolver) -> Node:
    """The stream of what appears or disappears, or of all, where SELECT says so."""
    kind = next((word for word in modifiers_of(tree) if word != KEEP_FIRST), None)
    return node if kind is None else names.located(tree, lambda: Changes(node, kind))


def keeps_first(tree: exp.Select) -> bool:
    """Whether DISTINCT keeps the earliest of equal rows."""
    return KEEP_FIRST in modifiers_of(tree)


def ranked(tree: exp.Select, source: Node, names: Resolver) -> tuple[exp.Select, Ranked]:
    """The select list with ranks as columns, and the rows that have them."""
    if tree.args.get("group") or tree.args.get("having") or any(map(names.aggregate_in, _without_ranks(tree))):
        raise BadFrame(
            "ranks number the rows of a window, not its groups",
            given="both",
            remedy="rank a query on this one: SELECT *, rank() OVER (...) FROM (SELECT ... GROUP BY ...) q",
            span=names.span(next(iter(tree.find_all(exp.Window)))),
        )
    found: dict[str, Ranking] = {}
    made = tree.copy()
    for window in [one for item in made.expressions for one in item.find_all(exp.Window)]:
        ranking = names.located(window, partial(_ranking, window, names))
        found[ranking.text] = ranking
        window.replace(exp.column(ranking.text, quoted=True))
    first = next(window for item in tree.expressions for window in item.find_all(exp.Window))
    return made, names.located(first, lambda: Ranked(source, tuple(found.values())))


def _without_ranks(tree: exp.Select) -> list[exp.Expr]:
    """The select list with its windows taken out."""
    made = tree.copy()
    for window in [one for item in made.expressions for one in item.find_all(exp.Window)]:
        window.replace(exp.null())
    return list(made.expressions)


def _ranking(window: exp.Window, names: Resolver) -> Ranking:
    function = RANKED.get(type(window.this))
    if function is None:
        raise BadFrame(
            "OVER frames stand on a stream, without a window; within a window, rows are numbered or ranked",
            given=window.sql("spark")[:80],
            exists=RANKINGS,
            remedy="use GROUP BY for aggregates of a window, or query a derived stream",
        )
    by = partition_of_rank(window)
    order = window.args.get("order")
    items = [] if order is None else [_ordered(item, names) for item in order.expressions]
    return Ranking(function, tuple(names.column(column).name for column in by), tuple(items))


def _ordered(item: exp.Expr, names: Resolver) -> Expression:
    return names.expression(item)
