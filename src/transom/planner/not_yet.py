"""What is defined, and answered by the reference, but not executed yet: refused by name, never answered in another way."""

from __future__ import annotations

from transom.errors import NotSupported
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.changes import Changes
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin
from transom.plan.relations.within_instant import Limit, Ranked


def refuse_relations(plan: Node) -> None:
    """Refuse a plan with a node that no kernel runs."""
    for node in plan.walk():
        keeps_first = isinstance(node, Distinct) and node.keep_first
        if isinstance(node, Changes | WindowJoin | AsOfJoin | SetOperation | Limit | Ranked) or keeps_first:
            raise NotSupported(
                f"{type(node).__name__} is defined, but not executed yet",
                given=node.label(),
                remedy="ask the reference: transom.testing runs it on small inputs",
            )
