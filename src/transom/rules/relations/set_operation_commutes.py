"""Union and intersection are commutative: inputs are put in the order of their names, so that queries that differ in it share
work."""

from __future__ import annotations

from dataclasses import replace

from transom.plan.nodes.node import Node
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.stamps import name_of, stamps_of
from transom.rules.relations.everywhere import rewrite_relations


def set_operation_commutes(plan: Node) -> Node:
    """Exchange two inputs. Not so for EXCEPT, nor where the first gives columns their names or types."""
    return rewrite_relations(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, SetOperation) or node.operation == "EXCEPT":
        return None
    nested = any(isinstance(below, SetOperation) for side in node.inputs for below in side.chain())
    if nested or node.left.schema.columns != node.right.schema.columns or any(map(stamps_of, node.inputs)):
        return None
    if name_of(node.left).lower() <= name_of(node.right).lower():
        return None
    return replace(node, left=node.right, right=node.left)
