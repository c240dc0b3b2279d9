"""UNION of streams; INTERSECT and EXCEPT, which streams do not have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sqlglot import exp

from transom.errors import NotSupported, UnboundedState
from transom.language.bind.resolve import Resolver
from transom.plan import Node, Union

PARTS = {"this", "expression", "distinct", "with_"}
"""The parts of a set operation that mean something here."""


def union_of_streams(tree: exp.SetOperation, query: Callable[[exp.Expr], Node], where: Resolver) -> Union:
    """The streams of a union, given how a query is bound. Of operations on windows, none is supported yet."""
    if isinstance(tree, exp.Except | exp.Intersect):
        _refuse(tree, query, where)
    other = next((part for part, value in tree.args.items() if value and part not in PARTS), None)
    if other is not None:
        raise NotSupported(
            f"{other.strip('_').replace('_', ' ').upper()} on a union is not supported yet",
            given=tree.sql("spark")[:80],
            remedy="put it on a query on the union: SELECT ... FROM (... UNION ...) AS u",
            span=where.span(tree),
        )
    every = not tree.args.get("distinct")
    streams = [query(side) for side in _sides(tree, every)]
    return where.located(tree, partial(Union, tuple(streams), every))


def _sides(tree: exp.Expr, every: bool) -> list[exp.Expr]:
    """What is united: unions of unions of the same kind are one."""
    if isinstance(tree, exp.Union) and bool(tree.args.get("distinct")) != every and not _others(tree):
        return [*_sides(tree.left, every), *_sides(tree.right, every)]
    return [tree]


def _others(tree: exp.Union) -> bool:
    return any(value and part not in PARTS for part, value in tree.args.items())


def _refuse(tree: exp.SetOperation, query: Callable[[exp.Expr], Node], where: Resolver) -> None:
    what = type(tree).__name__.upper()
    if any(query(side).is_windowed for side in (tree.left, tree.right)):
        raise NotSupported(
            f"{what} of windows is not supported yet", given=tree.sql("spark")[:80], remedy="leave it out", span=where.span(tree)
        )
    raise UnboundedState(
        f"{what} of streams without windows would have to keep all that ever came",
        given=tree.sql("spark")[:80],
        remedy="put a window behind each stream, for example [TUMBLE 5 MINUTES]",
        span=where.span(tree),
    )
