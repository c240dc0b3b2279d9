"""Applying a rule somewhere in a plan, within the inputs of joins and set operations too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Unary
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin


def rewrite_relations(plan: Node, here: Callable[[Node], Node | None]) -> Node:
    """The plan with a change made at the first node, from the top, where `here` gives one; the plan itself if nowhere."""
    changed = here(plan)
    if changed is not None:
        return changed
    if isinstance(plan, WindowJoin):
        sides = tuple(rewrite_relations(side, here) for side in plan.sides)
        return plan if all(new is old for new, old in zip(sides, plan.sides, strict=True)) else replace(plan, sides=sides)
    if isinstance(plan, SetOperation):
        left, right = (rewrite_relations(side, here) for side in plan.inputs)
        return plan if left is plan.left and right is plan.right else replace(plan, left=left, right=right)
    if not isinstance(plan, Unary):
        return plan
    below = rewrite_relations(plan.input, here)
    return plan if below is plan.input else replace(plan, input=below)
