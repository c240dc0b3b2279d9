"""UNION of streams; UNION, INTERSECT and EXCEPT of windows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sqlglot import exp

from transom.errors import NoInstant, NotSupported
from transom.language.bind.relations.within_instant import limited
from transom.language.bind.resolve import Resolver
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Sort
from transom.plan.nodes.union import Union
from transom.plan.relations.set_operation import SetOperation

PARTS = {"this", "expression", "distinct", "with_"}
WITHIN = {"order", "limit"}
"""The parts of a set operation that mean something here; the latter of windows alone."""


def set_operation(tree: exp.SetOperation, query: Callable[[exp.Expr], Node], where: Resolver) -> Node:
    """The streams of a union, or windows united, intersected or taken from each other, given how a query is bound."""
    other = next((part for part, value in tree.args.items() if value and part not in (*PARTS, *WITHIN)), None)
    if other is not None:
        raise NotSupported(
            f"{other.strip('_').replace('_', ' ').upper()} on a union is not supported yet",
            given=tree.sql("spark")[:80],
            remedy="put it on a query on the union: SELECT ... FROM (... UNION ...) AS u",
            span=where.span(tree),
        )
    every = not tree.args.get("distinct")
    operation = type(tree).__name__.upper()
    flat = isinstance(tree, exp.Union)
    trees = [one for side in (tree.left, tree.right) for one in (_sides(side, every) if flat else [side])]
    nodes = [query(side) for side in trees]
    if not flat or any(node.is_windowed for node in nodes):
        return _in_order(tree, _folded(operation, nodes, every, tree, where), where)
    if any(tree.args.get(part) for part in WITHIN):
        raise NoInstant(
            "a stream has the order of its timestamps, and no instants to sort or count within",
            given=tree.sql("spark")[-80:],
            remedy="put a window behind each stream, or behind the union: SELECT ... FROM (... UNION ...) [TUMBLE 5 MINUTES]",
            span=where.span(tree),
        )
    return where.located(tree, partial(Union, tuple(nodes), every))


def _folded(operation: str, nodes: list[Node], every: bool, tree: exp.Expr, where: Resolver) -> Node:
    """From left to right."""
    made, *rest = nodes
    for node in rest:
        made = where.located(tree, partial(SetOperation, operation, made, node, every))
    return made


def _in_order(tree: exp.SetOperation, node: Node, where: Resolver) -> Node:
    """With ORDER BY and LIMIT, which apply within each instant."""
    order = tree.args.get("order")
    names = replace(where, schema=node.schema)
    if order is not None:
        node = Sort(node, tuple(names.expression(item) for item in order.expressions))
    return limited(tree, node, names)


def _sides(tree: exp.Expr, every: bool) -> list[exp.Expr]:
    """What is united: unions of unions of the same kind are one."""
    if isinstance(tree, exp.Union) and bool(tree.args.get("distinct")) != every and not _others(tree):
        return [*_sides(tree.left, every), *_sides(tree.right, every)]
    return [tree]


def _others(tree: exp.Union) -> bool:
    return any(value and part not in PARTS for part, value in tree.args.items())
