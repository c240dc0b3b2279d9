"""Which strategy a stage follows, and why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from transom.column_names import ROW_NUM
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.windowed import Frame
from transom.plan.types.algebraic import holistic, is_algebra, without_partials
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.applied.policy_stage import PolicyStage
from transom.planner.in_step.merged_stage import MergedStage
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.shards import CONTROLLED, ONCE, folds_once
from transom.planner.stage import Stage
from transom.planner.windowed.over_stage import OverStage
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.sql_type import SqlType
from transom.semantics.windows.of_rows import OfRows
from transom.semantics.windows.session import Session
from transom.semantics.windows.varying import Varying
from transom.uda.run.invocation import chosen


@dataclass(frozen=True)
class Strategy:
    """A strategy, the reason for it, the state it keeps for each key, and how the work is spread."""

    name: str
    reason: str
    state: str
    shards: str


@singledispatch
def strategy_of(stage: Any) -> Strategy | None:
    """The strategy of a stage; None where nothing is windowed."""
    return None


@strategy_of.register
def _applied(stage: ContainerStage) -> Strategy:
    shards = "by partition" if stage.spreads is None else f"one ({stage.spreads})"
    if isinstance(stage, PolicyStage) and stage.window.width is not None:
        reason = "all aggregates are algebraic: tuples are added up between two instants of the clock, and then combined"
        return Strategy("panes", reason, f"one partial per pane of {stage.window.width}", shards)
    if isinstance(stage, PolicyStage):
        state = "the tuples of each partition's window"
        return Strategy("container", "policies decide tuple by tuple which extents there are", state, shards)
    state = "the tuples of each partition's window, or their summary, and what the operator keeps"
    return Strategy(f"container ({stage.name})", "the operator reacts to the events of its windows", state, shards)


@strategy_of.register
def _merged(stage: MergedStage) -> Strategy:
    does = "are matched" if isinstance(stage.node, Join) else "leave"
    reason = f"rows of an instant {does} when all inputs have passed it"
    shards = f"by {', '.join(stage.node.keys)}" if stage.keys else "one (rows leave in the order of their timestamps)"
    return Strategy("extents", reason, "the rows of instants that not all inputs have passed", shards)


@strategy_of.register
def _relational(stage: RelationalStage) -> Strategy:
    shards = stage.spread.removeprefix("spread ") if stage.shards_by else "one (no equality to spread by)"
    state = "the rows of all inputs that are in their windows, once"
    return Strategy(f"relation ({stage.name})", "rows enter and leave at instants, which all inputs have passed", state, shards)


@strategy_of.register
def _over(stage: OverStage) -> Strategy:
    sequential = [frame for frame in stage.frames if frame.user is not None and not is_algebra(frame.user)]
    by_tuple = ("slide by tuple", "results tuple by tuple, from a sorted buffer", "the tuples of the longest frame")
    name, reason, state = _sequential(sequential) if sequential else by_tuple
    alone = "one (which slots are over depends on tuples of all partitions)" if stage.partition_by else NO_KEY
    return Strategy(name, reason, state, _spread(stage) or alone)


@strategy_of.register
def _window(stage: WindowStage) -> Strategy:
    return Strategy(*_of_window(stage), _spread(stage) or _in_one_shard(stage))


def _of_window(stage: WindowStage) -> tuple[str, str, str]:
    if stage.aggregate is None:
        return "extents", "the tuples of each extent are the result", "the tuples of the open windows"
    whole = [name for item in stage.spelled for name in holistic(item)]
    if whole:
        return "extents", f"{whole[0]} is holistic: it needs the tuples", "the tuples of the open windows"
    window = stage.window
    if window.ids_from_tuples:
        kind = "sessions are made of tuples" if isinstance(window, Session) else "window-ids come from tuples"
        return "slide by tuple", kind, "the tuples of the open windows, sorted"
    if stage.width is not None:
        judged = ", and each tuple is judged by itself, then added up" if stage.judges_each else " and ids are known on arrival"
        return (
            "panes",
            f"all aggregates are algebraic{judged}",
            "one partial per open pane, once those of several micro-batches are merged",
        )
    return "extents", _why_no_panes(stage), "the tuples of the open windows, sorted"


def _sequential(frames: list[Frame]) -> tuple[str, str, str]:
    """Users' aggregates run tuple after tuple: which version, and what it keeps."""
    ways = [(frame.user, chosen(frame.user, frame.preceding, frame.slide, active=frame.active)) for frame in frames if frame.user]
    kept = {
        "unbounded": "the tables of the body",
        "window": "the tables of the body, and inwindow",
        "active": "the tables of the body, and inwindow",
        "derived": "the tuples of the frame",
        "tumble": "the tables of the body, of the slot that is not over",
        "combine": "the tables of the body for each pane, and the pane that is not over",
        "feed": "one result for each pane, and the pane that is not over",
    }
    reason = "; ".join(dict.fromkeys(f"{user.name}: {way.reason}" for user, way in ways))
    return "sequential", reason, "; ".join(dict.fromkeys(kept[way.kind] for _, way in ways))


def _why_no_panes(stage: WindowStage) -> str:
    """What keeps algebraic aggregates from being added up."""
    if isinstance(stage.window, OfRows):
        return "slices of the last rows: RANGE and SLIDE have no pane of more than one row in common"
    if isinstance(stage.window, Varying):
        return "the range varies, so windows have no panes in common"
    if stage.cut.timestamp != "instant":
        return f"TIMESTAMP {stage.cut.timestamp.upper()} is that of a tuple"
    if any(ROW_NUM in call.args for call in stage.calls):
        return "row_num is numbered tuple by tuple"
    wide = [name for item in stage.spelled for name in without_partials(item, stage.input_schema)]
    if wide:
        return f"{wide[0]} has no partial result of fixed width"
    if SqlType.of(stage.input_schema.find(str(stage.attribute)).type).is_floating:
        return "on a column of doubles windows do not end exactly where panes do"
    return "RANGE and SLIDE have no more than one unit in common, so that each pane would be a place"


def _spread(stage: Stage) -> str | None:
    """The columns that tuples are spread by; None where all are in one shard."""
    if not stage.shard_by:
        return None
    limit = f", {CONTROLLED} at most by default" if stage.reading.is_controlled else ""
    return f"by {', '.join(stage.shard_by)}{limit}"


def frontier_of(stage: Any, shards: int | None = None) -> str | None:
    """Where the sequence of a controller is folded, if so many shards are asked for; None where there is none, or one shard."""
    if not isinstance(stage, Stage) or not stage.reading.is_controlled or not stage.shard_by:
        return None
    if not stage.disorder.is_folded_by_tuple:
        return "each shard folds the sequence, which mostly costs less than a stage of its own (spark.transom.frontier=stage)"
    if folds_once(shards or CONTROLLED, by_tuple=True, asked=None, able=True):
        return f"of a stream, a stage of its own folds the sequence once for all {shards} shards"
    return f"each shard folds the sequence; where {ONCE} or more are asked for, a stage of its own folds it once for all"


NO_KEY = "one (there is no key to spread by)"


def _in_one_shard(stage: WindowStage) -> str:
    """Why tuples are not spread."""
    window = stage.window
    if window.reports_changes and stage.keys:
        return "one (where a window differs in one group, it reports all of them)"
    rows = isinstance(window, OfRows) or window.ids_from_tuples
    return "one (windows are made of one total order)" if rows else NO_KEY
