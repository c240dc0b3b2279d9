"""Concrete views (seed 003, section 1): the latest complete relation of a query, kept as a table."""

from __future__ import annotations

from transom.errors import BadQuery, ReservedName
from transom.plan.nodes.node import Node
from transom.plan.nodes.sink import Insert
from transom.plan.relations.changes import INSTANT, LATEST, THERE, Changes

VIEW = "VIEW"
"""The kind of target that is a concrete view."""


def check_relation(node: Node) -> None:
    """Refuse a view of what is no relation."""
    if not node.is_windowed:
        raise BadQuery(
            "a concrete view holds a relation, and a stream without a window is none",
            given=node.label(),
            remedy="put a window behind the stream, for example [RANGE 5 MINUTES SLIDE 1 MINUTE]",
        )

    taken = [name for name in node.schema.names if name.lower() in (THERE, INSTANT)]
    if taken:
        raise ReservedName("a column of this name stands beside those of a view", given=taken[0], remedy="rename it")


def written(insert: Insert) -> Node:
    """What a target is given: the rows of the query; of a view, the relation at the last instant."""
    return Changes(insert.input, LATEST) if insert.target.kind.upper() == VIEW else insert.input
