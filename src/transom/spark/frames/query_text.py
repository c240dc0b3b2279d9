"""A query as the text that its state keeps, to show what has changed."""

from __future__ import annotations

from transom.errors import NotSupported
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.sql.render import render
from transom.plan.sql.stream_sql import render_stream


def described(node: Node) -> str:
    """A query and its streams as lines of SQL."""
    streams = [render_stream(one.stream) for one in node.walk() if isinstance(one, Scan)]
    try:
        return "\n".join([*dict.fromkeys(streams), render(node)])
    except NotSupported:  # what has no words of its own in SQL
        return "\n".join([*dict.fromkeys(streams), *(one.label() for one in node.walk())])
