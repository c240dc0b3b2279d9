"""Checks of a whole plan before anything runs: state that would grow without end."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import UnboundedState
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Project
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin
from transom.plan.types.algebra import holistic
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.landmark import Landmark


def check_bounded(plan: Node) -> None:
    """Refuse a plan whose state for a single key would grow with the stream."""
    for node in plan.walk():
        if isinstance(node, WindowJoin | SetOperation):
            for side in node.inputs:
                _kept(side)
        if isinstance(node, Aggregate | Project):
            cut = next((below for below in node.input.chain() if isinstance(below, Cut)), None)
            if cut is not None and node.is_windowed and isinstance(base_of(cut.window), Landmark):
                _landmark(node)
        if isinstance(node, Frames):
            for name, item in node.items:
                if isinstance(item, Frame) and item.preceding is None and _needs_all(item) and item.user is None:
                    raise UnboundedState(
                        f"{name!r} would keep every tuple of its partition: {holistic(item.aggregate)[0]} needs them all",
                        given="UNBOUNDED PRECEDING",
                        remedy="give the frame a length, or use an aggregate such as sum, min or max",
                    )


def _needs_all(frame: Frame) -> bool:
    """Whether an aggregate needs every tuple of its frame. The first and the last are one value each."""
    tree = frame.aggregate.tree
    return bool(holistic(frame.aggregate)) and not isinstance(tree, exp.First | exp.Last | exp.FirstValue | exp.LastValue)


def _kept(side: Node) -> None:
    """Refuse what a join or a set operation would keep for ever: the tuples of a landmark without an end."""
    tuples = next((node for node in side.chain() if isinstance(node, Cut | Aggregate)), None)
    if isinstance(tuples, Cut) and isinstance(base_of(tuples.window), Landmark):
        raise UnboundedState(
            "a LANDMARK without an end would keep more and more: its extents hold every tuple since then",
            given=tuples.label(),
            remedy="use LANDMARK EVERY, LANDMARK UNTIL or BAND, or aggregate it first",
        )


def _landmark(node: Aggregate | Project) -> None:
    whole = [name for _, item in node.items for name in holistic(item)]
    if isinstance(node, Aggregate) and not whole:
        return
    grows = f"{whole[0]} needs every tuple since then" if whole else "its extents hold every tuple since then"
    raise UnboundedState(
        f"a LANDMARK without an end would keep more and more: {grows}",
        given=node.label(),
        remedy="use LANDMARK EVERY, LANDMARK UNTIL or BAND, or an aggregate such as sum, min or max",
    )
