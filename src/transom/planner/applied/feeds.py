"""From a plan over an applied operator to its stage, and those of the operators and windows that its ports read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from transom.errors import NotSupported
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, Project, Scan, TableJoin
from transom.planner.applied.applied_stage import AppliedStage, Feed
from transom.planner.stage import Stage

ROW_BY_ROW = (Filter, Project, Extend, TableJoin, Derived)

Chained = Callable[[Node], tuple[list[Any], list[Node], bool]]
Reading = Callable[[Scan], Stage]


def is_applied(plan: Node) -> bool:
    """Whether an applied operator is the topmost thing that keeps state."""
    return isinstance(list(plan.chain())[-1], Applied)


def applied_stage(plan: Node, chained: Chained, reading: Reading) -> AppliedStage:
    """The stage of the operator at the bottom of this chain of nodes. `chained` makes the stages of windows, `reading` that of
    a stream."""
    *above, node = plan.chain()
    assert isinstance(node, Applied)
    above.reverse()
    for one in above:
        if not isinstance(one, ROW_BY_ROW):
            raise NotSupported(
                "over what an operator gives, a query can select and filter, or apply another operator",
                given=one.label(),
                remedy='for windows in time, make a stream of it: tr.stream(relation.to_df(), order_by="ts", slack=...)',
            )
    return AppliedStage(node, tuple(_feed(feed, chained, reading) for feed in node.feeds), tuple(above))


def _feed(plan: Node, chained: Chained, reading: Reading) -> Feed:
    *between, last = plan.chain()
    between.reverse()
    if isinstance(last, Applied):
        stage = applied_stage(plan, chained, reading)
        return Feed(stage.above, stages=(replace(stage, above=(), passes_on=True),))
    if isinstance(last, Scan) and all(isinstance(one, ROW_BY_ROW) for one in between):
        return Feed(tuple(between), stage=reading(last))
    made, pending, _ = chained(plan)
    return Feed(tuple(pending), stages=tuple(made))


def ticking(stage: AppliedStage, ticks: bool = False) -> AppliedStage:
    """The stage, and those below it, with whether the clock matters to any of them: then all hear of it."""
    ticks = ticks or stage.reads_clock
    feeds = tuple(
        replace(feed, stages=tuple(ticking(one, ticks) if isinstance(one, AppliedStage) else one for one in feed.stages))
        for feed in stage.feeds
    )
    return replace(stage, feeds=feeds, ticks=ticks)
