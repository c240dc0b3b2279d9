"""Applying a rule somewhere in a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from transom.plan.nodes.join import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.panes import Together
from transom.plan.nodes.relational import Unary
from transom.plan.nodes.union import Union

Rule = Callable[[Node], Node]


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
