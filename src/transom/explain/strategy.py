"""Which strategy a window and its aggregates call for, and why."""

from __future__ import annotations

from dataclasses import dataclass

from transom.plan.algebra import holistic
from transom.plan.expression import Expression
from transom.plan.node import Node
from transom.plan.windowed import Aggregate, Cut, Frames
from transom.semantics.context import ContextClass, context_class
from transom.semantics.measured import base_of
from transom.semantics.row_window import RowWindow
from transom.semantics.window import Window


@dataclass(frozen=True)
class Strategy:
    """A strategy, the reason for it, and the state it keeps for each key."""

    name: str
    reason: str
    state: str


def strategy_of(plan: Node) -> Strategy | None:
    """The strategy for the topmost window of a plan; None where nothing is windowed."""
    for node in plan.chain():
        if isinstance(node, Frames):
            return Strategy("slide by tuple", "results tuple by tuple, from a sorted buffer", "the tuples of the longest frame")
        if isinstance(node, Aggregate):
            cut = next(below for below in node.input.chain() if isinstance(below, Cut))
            return _aggregated(cut.window, [item for _, item in node.items])
        if isinstance(node, Cut):
            return Strategy("extents", "the tuples of each extent are the result", "the tuples of the open windows")
    return None


def _aggregated(window: Window, items: list[Expression]) -> Strategy:
    whole = [name for item in items for name in holistic(item)]
    if whole:
        return Strategy("extents", f"{whole[0]} is holistic: it needs the tuples", "the tuples of the open windows")
    kind = context_class(window)
    if kind in (ContextClass.CF, ContextClass.FCF):
        base = base_of(window)
        shard = " in one total order, hence one shard" if isinstance(base, RowWindow) and window is base else ""
        return Strategy("panes", f"all aggregates are algebraic and ids are known on arrival{shard}", "one partial per open pane")
    return Strategy("slide by tuple", "window-ids come from tuples", "the tuples of the open windows, sorted")
