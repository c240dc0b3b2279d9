"""Which rows of a relation leave: those that are new in a join, what changes, or all at each instant."""

from __future__ import annotations

from enum import Enum

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Filter, Project, TableJoin
from transom.plan.relations.changes import Changes
from transom.plan.relations.window_join import WindowJoin


class Form(Enum):
    """What a query gives of its relation."""

    STREAM = "the rows of a stream, one by one"
    CHANGES = "what ISTREAM, DSTREAM or RSTREAM asks for"
    NEW_PAIRS = "each pair of a join once, when it is whole"
    RELATION = "the relation at each instant"


def form_of(node: Node) -> Form:
    """What a node gives of the relation below it. Nothing but a select list, conditions and tables leaves a join on top."""
    if isinstance(node, Changes):
        return Form.CHANGES
    if not node.is_windowed:
        return Form.STREAM
    while isinstance(node, Project | Filter | TableJoin | Derived):
        node = node.input
    return Form.NEW_PAIRS if isinstance(node, WindowJoin) else Form.RELATION
