"""Which nodes of a plan need operators on relations, and where streams that are made of them begin."""

from __future__ import annotations

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct
from transom.plan.nodes.windowed import Aggregate, Cut, Frames
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.changes import Changes
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin
from transom.plan.relations.within_instant import Limit, Ranked

RELATIONAL = (Changes, WindowJoin, AsOfJoin, SetOperation, Limit, Ranked)


def needs_relations(node: Node) -> bool:
    """Whether a node by itself needs an operator on relations."""
    return isinstance(node, RELATIONAL)


def has_relational(plan: Node) -> bool:
    """Whether there is such a node anywhere in a plan."""
    return any(map(needs_relations, plan.walk()))


def is_relational(plan: Node) -> bool:
    """Whether the topmost operator of a plan is one on relations: no window or frame stands above it."""
    grouped = False
    for node in plan.chain():
        if needs_relations(node) or (grouped and isinstance(node, Aggregate | Distinct)):
            return True
        if isinstance(node, Cut | Frames):
            return False
        grouped |= isinstance(node, Aggregate)
    return False


def stream_below(plan: Node) -> Node | None:
    """The stream that the windows or frames on top of a plan read, if operators on relations make it."""
    found: Node | None = None
    for node in plan.chain():
        if needs_relations(node):
            return found
        if isinstance(node, Cut | Frames):
            found = node.input
    return None
