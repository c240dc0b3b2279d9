"""The optimizer: a tuple of rules that every query goes through, in this order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transom.plan.nodes.node import Node
from transom.rules.panes_by_gcd import panes_by_gcd
from transom.rules.partition_to_group import partition_to_group
from transom.rules.policies_to_rows import policies_to_rows
from transom.rules.projection_past_window import projection_past_window
from transom.rules.relations import RELATION_RULES
from transom.rules.selection_past_window import selection_past_window
from transom.rules.share_panes import share_panes
from transom.rules.walk import Rule

RULES: tuple[Rule, ...] = (
    policies_to_rows,
    *RELATION_RULES,
    selection_past_window,
    partition_to_group,
    projection_past_window,
    panes_by_gcd,
    share_panes,
)


@dataclass(frozen=True)
class Fired:
    """A rule that fired, and the plan on either side of it."""

    rule: str
    before: Node
    after: Node


def optimize(plan: Node, rules: Sequence[Rule] = RULES) -> tuple[Node, list[Fired]]:
    """The plan after every rule has had its say, and the rules that fired, in order."""
    fired = []
    for rule in rules:
        while (changed := rule(plan)) != plan:
            fired.append(Fired(rule.__name__, plan, changed))
            plan = changed
    return plan, fired
