"""An inner join is commutative: its inputs are put in the order of their names, so that queries that differ in it share work."""

from __future__ import annotations

from dataclasses import replace

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Project
from transom.plan.nodes.windowed import Aggregate
from transom.plan.relations.window_join import WindowJoin
from transom.rules.relations.everywhere import rewrite_relations
from transom.rules.walk import keeps_order_of_inputs


def join_commutes(plan: Node) -> Node:
    """Exchange two inputs. Columns keep their names, so what selects them by name does not notice."""
    return plan if keeps_order_of_inputs(plan) else rewrite_relations(plan, _here)


def _here(node: Node) -> Node | None:
    """Below a select list or an aggregate alone: elsewhere the order of columns is that of the inputs."""
    if not isinstance(node, Project | Aggregate) or not isinstance(node.input, WindowJoin):
        return None
    join = node.input
    if len(join.sides) != 2 or join.steps[0].kind != "INNER" or join.using or join.names[0].lower() <= join.names[1].lower():
        return None
    return replace(node, input=replace(join, sides=join.sides[::-1], names=join.names[::-1]))
