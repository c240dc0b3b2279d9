"""The lines of EXPLAIN, which a program can find by their first word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import Any

from transom.explain.operator_lines import operator_lines
from transom.plan.applied.port_graph import graph_of
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.disorder import PunctuationClause
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Scan
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.sql.stream_sql import render_disorder
from transom.plan.sql.window_sql import render_frame, render_window
from transom.planner import PhysicalPlan
from transom.planner import plan as planned
from transom.planner.in_step.merged_stage import MergedStage
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.session_zone import local_clauses
from transom.planner.stages import AnyStage
from transom.planner.strategy import frontier_of
from transom.semantics.classes.context import context_class
from transom.semantics.classes.measured import base_of
from transom.semantics.classes.monotonicity import monotonicity
from transom.semantics.length import Rows
from transom.semantics.tuples import Rank
from transom.semantics.windows.of_rows import OfRows
from transom.windowing.policy_window import PolicyWindow


def explain(plan: Node, shards: int | None = None) -> str:
    """What a query is and how it would be answered, in so many `shards` if they are asked for.

    >>> from transom import minutes, stream
    >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> query = traffic.window(range=minutes(5), slide=minutes(1)).agg(hi="max(speed)")
    >>> [line for line in explain(query.plan).splitlines() if line.startswith(("class", "strategy"))]
    ['class: CF (context free: the tuple alone)', 'strategy: panes (all aggregates are algebraic and ids are known on arrival)']
    """
    return report(planned(plan), shards)


def report(physical: PhysicalPlan, shards: int | None = None) -> str:
    """What a plan says of itself."""
    plan, optimized = physical.written, physical.optimized
    lines = ["plan:", *_tree(plan)]
    for step in physical.fired:
        lines += [f"rule: {step.rule}", *_tree(step.after)]
    for node in optimized.walk():
        if isinstance(node, Cut):
            lines += _window(node)
    arriving = _in_order_of_arrival(optimized)
    lines.append("punctuation:")
    for node in _upward(optimized):
        lines.append(f"  {_as_they_come(node) if id(node) in arriving else _punctuation(node)}")
    lines += _ports(optimized)
    strategy = physical.strategy
    if strategy is not None:
        keys = ", ".join(optimized.keys) or "none"
        lines += [
            f"strategy: {strategy.name} ({strategy.reason})",
            f"keys: {keys}",
            f"shards: {strategy.shards}",
            *(f"frontier: {where}" for where in _frontiers(physical.stages, shards)),
            f"state per key: {strategy.state}",
        ]
        if isinstance(physical.stages[-1], RelationalStage):
            lines += operator_lines(physical.stages[-1])
    else:
        lines.append("strategy: none (tuple by tuple, no state)")
    columns = ", ".join(f"{column.name} {column.type}" for column in plan.schema.columns)
    return "\n".join([*lines, f"columns: {columns}", f"time: {plan.time_attribute}"])


def _frontiers(stages: Sequence[AnyStage], shards: int | None) -> list[str]:
    """Where the sequences of controllers are folded, in the stages below others too."""
    branches = [branch for stage in stages if isinstance(stage, MergedStage) for branch in stage.branches]
    below = [where for branch in branches for where in _frontiers(branch.stages, shards)]
    return list(dict.fromkeys([*below, *(where for stage in stages if (where := frontier_of(stage, shards)) is not None)]))


def _ports(plan: Node) -> list[str]:
    """Each port of a plan with operators or policies: its punctuation mode, and where window punctuation comes from."""
    by_policies = any(isinstance(base_of(node.window), PolicyWindow) for node in plan.walk() if isinstance(node, Cut))
    if not by_policies and not any(isinstance(node, Applied) for node in plan.walk()):
        return []
    return ["ports:", *(f"  {line}" for line in graph_of(plan).explain())]


def _tree(plan: Node) -> list[str]:
    return [f"  {line}" for line in _lines(plan)]


def _lines(plan: Node) -> list[str]:
    lines: list[str] = []
    for depth, node in enumerate(plan.chain()):
        lines.append("  " * depth + label(node))
        lines += ["  " * (depth + 1) + line for below in node.inputs for line in _lines(below)]
    return lines


def _upward(plan: Node) -> Iterator[Node]:
    """All nodes, each after those that it reads from."""
    for node in reversed(list(plan.chain())):
        for below in node.inputs:
            yield from _upward(below)
        yield node


def label(node: Node) -> str:
    if isinstance(node, Cut):
        return f"Cut [{render_window(node.window)}{render_disorder(node.disorder)}]"
    if isinstance(node, Frames):
        return "Frames " + ", ".join(render_frame(item) if isinstance(item, Frame) else name for name, item in node.items)
    return node.label()


def _window(cut: Cut) -> list[str]:
    kind, state = context_class(cut.window), monotonicity(cut.window)
    name, _, meaning = state.value.partition(": ")
    local = " and ".join(local_clauses(cut))
    zone = [f"time zone: UTC for the times of {local} (a run takes spark.sql.session.timeZone)"] if local else []
    return [*zone, f"class: {kind.name} ({kind.value})", f"monotonicity: {name} ({meaning})"]


def _passed_on(cut: Cut) -> str:
    """How far the timestamps of results have come, as the operators have it (`passed_on`)."""
    window, order, is_instant = base_of(cut.window), cut.input.time_attribute, cut.timestamp == "instant"
    if isinstance(window, OfRows):
        if is_instant and isinstance(window.counting, Rank) and window.attribute == order:
            return "progress at the last row"
        hint = f"; WATTR rank({order}) orders them" if is_instant and order is not None else ""
        return f"no progress (results follow no time: a window over them closes at the end{hint})"
    if is_instant:
        return "progress at the last complete instant"
    if window.attribute != order:
        return "no progress (what stamps results is not what the window is on: a window over them closes at the end)"
    return "progress at the oldest tuple that an open window can have"


def _passed_on_by(frames: Frames) -> str:
    slides = any(
        isinstance(item, Frame) and item.slide is not None and not isinstance(item.slide, Rows) for _, item in frames.items
    )
    return "progress at the start of the slot" if slides else "unchanged"


def _unstated(stream: StreamDefinition) -> str:
    """What holds where a stream has no disorder clause."""
    if stream.bounded:
        return "at the end (a bounded DataFrame without a disorder clause: nothing is late)"
    return "ORDERED" if stream.timestamp_kind != "external" else "SLACK 0"


def _in_order_of_arrival(plan: Node) -> set[int]:
    """The streams without a disorder clause that windows with policies, or operators, read as they come."""
    found: set[int] = set()
    for node in plan.walk():
        by_policies = isinstance(node, Cut) and isinstance(base_of(node.window), PolicyWindow)
        for feed in node.inputs if isinstance(node, Applied) else [node.input] if isinstance(node, Cut) and by_policies else []:
            below = list(feed.chain())
            scan, known = below[-1], any(isinstance(one, Cut | Frames) for one in below)
            if isinstance(scan, Scan) and scan.stream.disorder.generator is None and not known:
                found.add(id(scan))
    return found


def _as_they_come(node: Node) -> str:
    return f"{node.label().split(' order')[0]}: none (tuples are taken as they come)"


@singledispatch
def _punctuation(node: Any) -> str:
    """How punctuation reaches a node, and leaves it."""
    return f"{type(node).__name__}: unchanged"


@_punctuation.register
def _of_scan(node: Scan) -> str:
    clause = render_disorder(node.stream.disorder).strip() or _unstated(node.stream)
    return f"{node.label().split(' order')[0]}: {clause}"


@_punctuation.register
def _of_cut(node: Cut) -> str:
    own = render_disorder(node.disorder).strip()
    made = f"its own {own}; " if own and not isinstance(node.disorder.generator, PunctuationClause) else ""
    return f"Cut: {made}{_passed_on(node)}, a boundary after each extent"


@_punctuation.register
def _of_frames(node: Frames) -> str:
    return f"Frames: {_passed_on_by(node)}"


@_punctuation.register
def _of_aggregate(node: Aggregate) -> str:
    return f"{type(node).__name__}: progress and boundaries of its window"


@_punctuation.register
def _of_join(node: Join) -> str:
    return "Join: the smaller progress of its inputs, a boundary after each instant that both have passed"


@_punctuation.register
def _of_applied(node: Applied) -> str:
    return f"{node.name}: no progress (rows come in the order in which they are emitted)"


@_punctuation.register
def _of_union(node: Union) -> str:
    return "Union: the smallest progress of its inputs; one that is silent is passed over"


@_punctuation.register(Derived)
@_punctuation.register(LateOf)
def _of_named(node: Derived | LateOf) -> str:
    return f"{node.label()}: carried on"
