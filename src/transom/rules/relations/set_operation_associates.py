"""Union and intersection are associative: nested ones of one kind lean to the left."""

from __future__ import annotations

from dataclasses import replace

from transom.plan.nodes.node import Node
from transom.plan.relations.set_operation import SetOperation
from transom.rules.relations.everywhere import rewrite_relations


def set_operation_associates(plan: Node) -> Node:
    """`A op (B op C)` becomes `(A op B) op C`: one chain, which an engine merges as one. Not so for EXCEPT."""
    return rewrite_relations(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, SetOperation) or node.operation == "EXCEPT":
        return None
    right = node.right
    alike = isinstance(right, SetOperation) and (right.operation, right.every) == (node.operation, node.every)
    if not isinstance(right, SetOperation) or not alike:
        return None
    return replace(node, left=replace(node, right=right.left), right=right.right)
