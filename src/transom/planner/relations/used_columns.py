"""Which columns of a join what stands above it names: the operators carry no others on.

The rule `projection_past_join` does so below the windows, and keeps the columns that several inputs have, for a join names
columns by who else has them. Here names are settled.
"""

from __future__ import annotations

from dataclasses import replace

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Project
from transom.plan.nodes.windowed import Aggregate
from transom.plan.relations.window_join import WindowJoin
from transom.plan.types.builtin import depends_on_order
from transom.rules.projection_past_window import used_by
from transom.rules.relations.everywhere import rewrite_relations
from transom.rules.walk import below_filters, over


def with_used_columns(plan: Node) -> Node:
    """A plan whose joins below a select list or an aggregate know which of their columns are used."""
    while (changed := rewrite_relations(plan, _here)) is not plan:
        plan = changed
    return plan


def _here(node: Node) -> Node | None:
    if not isinstance(node, Aggregate | Project) or _sees_order(node):
        return None
    above, below = below_filters(node)
    if not isinstance(below, WindowJoin) or below.used is not None:
        return None
    used = [*used_by(node), *(name for one in above for name in one.condition.columns)]
    return over(node, above, replace(below, used=frozenset(name.lower() for name in used)))


def _sees_order(node: Aggregate | Project) -> bool:
    """Whether rows are put in order for an aggregate: where nothing else tells them apart, by all of their columns."""
    if isinstance(node, Project):
        return False
    items = [item for _, item in node.items]
    return any(map(depends_on_order, items if node.having is None else [*items, node.having]))
