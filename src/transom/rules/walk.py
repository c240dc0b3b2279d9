"""Applying a rule somewhere in a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from transom.column_names import ROW_NUM
from transom.plan.expression import Expression
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct, Extend, Filter, Project, Sort, Unary
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.panes import Together
from transom.plan.types.builtin import depends_on_order
from transom.semantics.windows.filtered import Filtered

Rule = Callable[[Node], Node]


def asks_for_late(plan: Node) -> bool:
    """Whether late tuples are wanted: each is then judged by itself, with all its columns."""
    return any(isinstance(node, LateOf) for node in plan.walk())


def keeps_order_of_inputs(plan: Node) -> bool:
    """Whether it matters which input of a join comes first: late tuples are numbered so, and rows are in that order."""
    aggregates = [node for node in plan.walk() if isinstance(node, Aggregate)]
    return asks_for_late(plan) or any(depends_on_order(item) for node in aggregates for item in _items(node))


def names_row_numbers(plan: Node) -> bool:
    """Whether the number of a tuple among those of its stream, or of its partition, is needed."""
    return any(map(numbers_rows, plan.walk()))


def numbers_rows(node: Node) -> bool:
    """Whether this node asks for it."""
    return any(ROW_NUM in (name.lower() for name in item.columns) for item in _items(node))


def compares_rows(plan: Node) -> bool:
    """Whether rows of an extent are compared with each other."""
    return any(isinstance(node, Distinct | Sort) for node in plan.walk())


def _items(node: Node) -> list[Expression]:
    """The expressions of a node."""
    found = [node.condition] if isinstance(node, Filter) else []
    if isinstance(node, Project | Extend | Aggregate):
        found += [item for _, item in node.items]
    if isinstance(node, Aggregate) and node.having is not None:
        found.append(node.having)
    if isinstance(node, Cut) and isinstance(node.window, Filtered):
        found.append(Expression(node.window.where.text))
    return found


def below_filters(node: Unary) -> tuple[list[Filter], Node]:
    """The conditions right below a node, from the top, and what they are conditions on."""
    filters: list[Filter] = []
    below = node.input
    while isinstance(below, Filter):
        filters.append(below)
        below = below.input
    return filters, below


def over(node: Unary, filters: Sequence[Filter], below: Node) -> Node:
    """A node with the same conditions over another node."""
    for one in reversed(filters):
        below = replace(one, input=below)
    return replace(node, input=below)


def rewrite(plan: Node, here: Callable[[Node], Node | None]) -> Node:
    """The plan with a change made at the first node, from the top, where `here` gives one; the plan itself if nowhere."""
    changed = here(plan)
    if changed is not None:
        return changed
    if isinstance(plan, Together):
        queries = tuple(rewrite(query, here) for query in plan.queries)
        return plan if all(new is old for new, old in zip(queries, plan.queries, strict=True)) else replace(plan, queries=queries)
    if isinstance(plan, Join):
        left, right = rewrite(plan.left, here), rewrite(plan.right, here)
        return plan if left is plan.left and right is plan.right else replace(plan, left=left, right=right)
    if isinstance(plan, Union):
        streams = tuple(rewrite(stream, here) for stream in plan.streams)
        return plan if all(new is old for new, old in zip(streams, plan.streams, strict=True)) else replace(plan, streams=streams)
    if not isinstance(plan, Unary):
        return plan
    below = rewrite(plan.input, here)
    return plan if below is plan.input else replace(plan, input=below)
