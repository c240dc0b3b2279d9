"""Checks of a whole plan before anything runs: state that would grow without end."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import UnboundedState
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Project, Scan
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin
from transom.plan.types.algebraic import holistic
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.landmark import Landmark


def check_bounded(plan: Node) -> None:
    """Refuse a plan whose state for a single key would grow with the stream, unless it says UNBOUNDED STATE or the input ends."""
    if _ends(plan):
        return
    for node in plan.walk():
        if isinstance(node, WindowJoin | SetOperation):
            for side in node.inputs:
                _kept(side)
        if isinstance(node, Aggregate | Project):
            cut = next((below for below in node.input.chain() if isinstance(below, Cut)), None)
            if cut is not None and node.is_windowed and _grows(cut):
                _landmark(node)
        if isinstance(node, Frames):
            for name, item in node.items:
                if isinstance(item, Frame) and item.preceding is None and _needs_all(item) and not item.unbounded_state:
                    raise UnboundedState(
                        f"{name!r} would keep every tuple of its partition: {holistic(item.aggregate)[0]} needs them all",
                        given="UNBOUNDED PRECEDING",
                        remedy="give the frame a length, use an aggregate such as sum, min or max, or add UNBOUNDED STATE",
                    )


def _ends(plan: Node) -> bool:
    """Whether all that is read is bounded: DataFrames that do not stream."""
    scans = [node.stream.frame for node in plan.walk() if isinstance(node, Scan)]
    return bool(scans) and all(frame is not None and not frame.isStreaming for frame in scans)


def _grows(cut: Cut) -> bool:
    return isinstance(base_of(cut.window), Landmark) and not cut.unbounded_state


def _needs_all(frame: Frame) -> bool:
    """Whether an aggregate needs every tuple of its frame. The first and the last are one value each."""
    if frame.user is not None:
        return False
    tree = frame.aggregate.tree
    return bool(holistic(frame.aggregate)) and not isinstance(tree, exp.First | exp.Last | exp.FirstValue | exp.LastValue)


def _kept(side: Node) -> None:
    """Refuse what a join or a set operation would keep for ever: the tuples of a landmark without an end."""
    tuples = next((node for node in side.chain() if isinstance(node, Cut | Aggregate)), None)
    if isinstance(tuples, Cut) and _grows(tuples):
        raise UnboundedState(
            "a LANDMARK without an end would keep more and more: its extents hold every tuple since then",
            given=tuples.label(),
            remedy="use LANDMARK EVERY, LANDMARK UNTIL or BAND, aggregate it first, or add UNBOUNDED STATE to the bracket",
        )


def _landmark(node: Aggregate | Project) -> None:
    whole = [name for _, item in node.items for name in holistic(item)]
    if isinstance(node, Aggregate) and not whole:
        return
    grows = f"{whole[0]} needs every tuple since then" if whole else "its extents hold every tuple since then"
    raise UnboundedState(
        f"a LANDMARK without an end would keep more and more: {grows}",
        given=node.label(),
        remedy="use LANDMARK EVERY, LANDMARK UNTIL or BAND, an aggregate such as sum, min or max, or add UNBOUNDED STATE",
    )
