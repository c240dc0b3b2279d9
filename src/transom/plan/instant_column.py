"""Which column of a query is the instant at which its rows were evaluated."""

from __future__ import annotations

from sqlglot import exp

from transom.column_names import EVENT_TS, WINDOW_END
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Project, Unary
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Cut, Frames
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.of_rows import OfRows


def is_instant(node: Node, name: str) -> bool:
    """Whether a column is the instant of the windows that rows come from, so that progress speaks of it.

    Rows of a window have it as `event_ts`, unless TIMESTAMP MIN or MAX stands for it, and as `window_end` where extents end at
    it. Row windows end by count, and OVER frames at every tuple: they have none.
    """
    name = name.lower()
    if isinstance(node, Join):
        return name in (EVENT_TS, node.owners.get((0, node.instants[0].lower())))
    if isinstance(node, Union):
        return name == EVENT_TS
    if isinstance(node, Cut):
        return _of_window(node, name)
    if isinstance(node, Project | Aggregate):
        item = next((item for given, item in node.items if given.lower() == name), None)
        if item is not None:
            return isinstance(item.tree, exp.Column) and is_instant(node.input, item.tree.name)
        return name == EVENT_TS and is_instant(node.input, name)
    if isinstance(node, Derived):
        return is_instant(node.input, name)
    return isinstance(node, Unary) and not isinstance(node, Frames) and is_instant(node.input, name)


def _of_window(cut: Cut, name: str) -> bool:
    base = base_of(cut.window)
    if cut.timestamp != "instant" or isinstance(base, OfRows):
        return False
    return name == EVENT_TS or (name == WINDOW_END and base.end_is_instant)
