"""From a plan over an operator, or over a window with policies, to its stage and those that its ports read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from transom.column_names import ROW_NUM
from transom.errors import NotSupported
from transom.plan.applied.sorted_first import check_one_order, order_of_feed
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.disorder import Disorder
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, Project, Scan, TableJoin
from transom.plan.nodes.union import in_order
from transom.plan.nodes.windowed import Aggregate, Cut, Frames
from transom.plan.panes import PaneAggregate
from transom.planner.applied.applied_stage import AppliedStage
from transom.planner.applied.container_stage import ContainerStage, Feed
from transom.planner.applied.policy_stage import PolicyStage, PolicyWindowStage
from transom.planner.stage import Stage
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.of_rows import OfRows
from transom.windowing.policy_window import PolicyWindow

ROW_BY_ROW = (Filter, Project, Extend, TableJoin, Derived)

Made = TypeVar("Made", bound=ContainerStage)


@dataclass(frozen=True)
class Stages:
    """How stages of other kinds are made: a chain of windows, a stream that is read tuple by tuple, a node that moves below a
    window, and what every stage says of what it reads."""

    chained: Callable[[Node], tuple[list[Any], list[Node]]]
    reading: Callable[[Scan], Stage]
    moved: Callable[[Node, Cut], Node]
    read_by: Callable[[Scan | None, list[Node], Cut | None, Any], tuple[Any, ...]]


def runs_in_containers(plan: Node) -> bool:
    """Whether the topmost thing that keeps state is an operator, or a window with policies."""
    nodes = list(plan.chain())
    stateful = next((node for node in nodes if isinstance(node, Cut | Frames)), nodes[-1])
    return isinstance(stateful, Applied) or (isinstance(stateful, Cut) and isinstance(base_of(stateful.window), PolicyWindow))


def container_stage(plan: Node, stages: Stages) -> ContainerStage:
    """The stage of the topmost operator, or window with policies, of this chain of nodes."""
    nodes = list(plan.chain())
    place = next((n for n, node in enumerate(nodes) if isinstance(node, Cut)), None)
    if place is not None:
        return _windowed(nodes, place, stages)
    *above, node = nodes
    assert isinstance(node, Applied)
    return AppliedStage(tuple(_feed(feed, stages) for feed in node.feeds), _above(above), node=node)


def _windowed(nodes: list[Node], place: int, stages: Stages) -> PolicyStage:
    cut = nodes[place]
    assert isinstance(cut, Cut)
    top = next(n for n in range(place - 1, -1, -1) if isinstance(nodes[n], Aggregate | Project))
    between = [stages.moved(node, cut) for node in reversed(nodes[top + 1 : place]) if not isinstance(node, Filter)]
    feed = _feed(cut.input, stages)
    below = [*feed.below, *between]
    scan, what = None if feed.stage is None else feed.stage.scan, nodes[top]
    width = what.width if isinstance(what, PaneAggregate) else None
    window = replace(PolicyWindowStage(*stages.read_by(scan, below, cut, what), cut=cut), width=width)
    _check(window)
    return PolicyStage((replace(feed, below=tuple(below)),), _above(nodes[:top]), window=window)


def _check(window: PolicyWindowStage) -> None:
    """Refuse what other windows take and these do not: rather than leave it out."""
    if window.row_numbers or ROW_NUM in window.listed:
        raise NotSupported(
            "rows of a window with policies are not numbered",
            given=ROW_NUM,
            remedy="select window_end, the position of the last row in its partition",
        )
    if window.cut.timestamp != "instant":
        raise NotSupported(
            "results of a window with policies have the timestamp of what caused them",
            given=f"TIMESTAMP {window.cut.timestamp.upper()}",
            remedy="leave it out, and select min(ts) or max(ts)",
        )
    if window.cut.disorder != Disorder():
        raise NotSupported(
            "windows with policies take tuples as they come, and know no lateness",
            given=window.cut.label(),
            remedy="give the stream a disorder clause: then it is sorted first",
        )


def refuse_policies_within(plan: Node) -> None:
    """Refuse joins and set operations of windows with policies, and streams of their changes."""
    for node in plan.walk():
        if isinstance(node, Applied) or (isinstance(node, Cut) and isinstance(base_of(node.window), PolicyWindow)):
            raise NotSupported(
                "windows with policies and operators are not joined, united or watched for changes here",
                given=node.label(),
                remedy="join with an operator: transom.windowing.toolkit.Join; or use a window in time or of rows",
            )


def refuse_above_containers(nodes: list[Node]) -> None:
    """Refuse windows in time over what an operator or a window with policies gives, which has no progress in time."""
    for node in nodes:
        if isinstance(node, Applied) or (isinstance(node, Cut) and isinstance(base_of(node.window), PolicyWindow)):
            raise NotSupported(
                "over what an operator or a window with policies gives, a query can select, filter, or apply another",
                given=node.label(),
                remedy='for windows in time, make a stream of it: tr.stream(relation.to_df(), order_by="ts", slack=...)',
            )


def _above(nodes: list[Node]) -> tuple[Node, ...]:
    """The nodes above an operator, from below."""
    for one in reversed(nodes):
        if not isinstance(one, ROW_BY_ROW):
            raise NotSupported(
                "over what an operator gives, a query can select and filter, or apply another operator",
                given=one.label(),
                remedy='for windows in time, make a stream of it: tr.stream(relation.to_df(), order_by="ts", slack=...)',
            )
    return tuple(reversed(nodes))


def _feed(plan: Node, stages: Stages) -> Feed:
    if runs_in_containers(plan):
        stage = container_stage(plan, stages)
        return Feed(stage.above, stages=(replace(stage, above=(), passes_on=True),))
    *between, last = plan.chain()
    between.reverse()
    if isinstance(last, Scan) and all(isinstance(one, ROW_BY_ROW) for one in between):
        if order_of_feed(last) is None:
            return Feed(tuple(between), stage=stages.reading(last))
        check_one_order(last)
        plan = in_order(plan)  # tuples are sorted first, and leave when the frontier has passed them
        return _of_windows(plan, stages, ties="arrival")
    return _of_windows(plan, stages, ties="content")


def _of_windows(plan: Node, stages: Stages, *, ties: str) -> Feed:
    """What windows give, in the order of their instants."""
    for node in plan.chain():
        if isinstance(node, Cut) and isinstance(base_of(node.window), OfRows):
            raise NotSupported(
                "results of windows of rows follow no time, and have no order here",
                given=node.label(),
                remedy="give the operator a window that counts: sliding(count(100), count(10))",
            )
    made, pending = stages.chained(plan)
    return Feed(tuple(pending), stages=tuple(made), ties=ties)


def ticking(stage: Made, ticks: bool = False) -> Made:
    """The stage, and those below it, with whether the clock matters to any of them: then all hear of it."""
    ticks = ticks or stage.reads_clock
    feeds = tuple(
        replace(feed, stages=tuple(ticking(one, ticks) if isinstance(one, ContainerStage) else one for one in feed.stages))
        for feed in stage.feeds
    )
    return replace(stage, feeds=feeds, ticks=ticks)
