"""Late tuples of a query: they come from the execution of the query that missed them."""

from __future__ import annotations

from transom.errors import NotSupported
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, Project

ROW_BY_ROW = (Filter, Project, Extend, Derived)
"""What can be computed of late tuples, which come from the same execution as results."""


def late_of(plan: Node) -> LateOf | None:
    """The late tuples that a query reads, if it does: they come from the execution of the query that missed them."""
    return next((node for node in plan.chain() if isinstance(node, LateOf)), None)


def nodes_above(plan: Node, core: Node) -> list[Node]:
    """What is computed of the rows of `core`, late tuples or the results that missed them; from below."""
    nodes: list[Node] = []
    for node in plan.chain():
        if node == core:
            break
        if not isinstance(node, ROW_BY_ROW):
            raise NotSupported(
                "over late tuples a query can select and filter", given=node.label(), remedy="write them to a table first"
            )
        nodes.append(node)
    return nodes[::-1]
