"""A plan as stages: what Spark computes below each window operator, the operator, and what Spark computes above it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from sqlglot import exp

from transom.column_names import ARRIVAL_TS, ROW_NUM, WINDOW_COLUMNS
from transom.errors import BadQuery, NotSupported
from transom.plan.expression import Expression
from transom.plan.nodes.disorder import Disorder
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, Project, Scan, TableJoin
from transom.plan.nodes.union import Union, idle_after, in_order
from transom.plan.nodes.windowed import Aggregate, Cut, Frames
from transom.plan.panes import PaneAggregate, Together
from transom.plan.reading import disorder_of, order_of
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.applied.feeds import (
    Stages,
    container_stage,
    refuse_above_containers,
    refuse_policies_within,
    runs_in_containers,
    ticking,
)
from transom.planner.in_step.join_stage import JoinInStepStage
from transom.planner.in_step.merged_stage import Branch, MergedStage
from transom.planner.in_step.union_stage import UnionStage
from transom.planner.relations.compile.compiler import relational_stage
from transom.planner.relations.compile.relational_nodes import is_relational, stream_below
from transom.planner.relations.late_stages import finding_late
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.stage import Stage
from transom.planner.windowed.late_stage import LateStage
from transom.planner.windowed.over_stage import OverStage
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.classes.measured import base_of
from transom.semantics.length import Rows, measure
from transom.semantics.sql_type import SqlType
from transom.semantics.windows.of_rows import OfRows
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.sliding import Sliding

AnyStage = Stage | MergedStage | RelationalStage | ContainerStage

ReadBy = tuple[Scan | None, tuple[Node, ...], Any, Disorder, str, bool]


def stages_of(plan: Node) -> list[AnyStage]:
    """The stages of a plan, from the source, or from a join of branches, up."""
    if runs_in_containers(plan):
        return [ticking(container_stage(plan, Stages(_chained, _reading, _moved, _read_by)))]
    if isinstance(plan, LateOf):
        return _late_of(plan)
    if is_relational(plan):
        refuse_policies_within(plan)
        return [relational_stage(plan, _chained)]
    if isinstance(plan, Together):
        return [_together([stages_of(query) for query in plan.queries])]
    made, pending = _chained(plan)
    if made:
        last = made[-1]
        above = tuple(pending) or ((_selected(last.node),) if isinstance(last, MergedStage | RelationalStage) else ())
        made[-1] = replace(last, above=above)
    return made


def _late_of(asked: LateOf) -> list[AnyStage]:
    """The stages of a query, which also give the late tuples; of a stream without a window, a stage that finds them."""
    made = stages_of(asked.input)
    if not made:
        *above, scan = asked.input.chain()
        made.append(LateStage(*_read_by(_own(scan, made), above[::-1], None, asked.input)))
    if isinstance(made[0], Stage) and len(made) == 1:
        return [replace(made[0], wants_late=True, only_late=True)]
    return finding_late(made, asked)


def _selected(node: Node) -> Project:
    """The columns of a node, and not the instant that it also gives."""
    return Project(node, tuple((name, Expression.of(exp.column(name, quoted=True))) for name in node.schema.names))


def _branch(plan: Node) -> Branch:
    made, pending = _chained(plan)
    return Branch(tuple(made), tuple(pending))


def _in_union(plan: Node) -> Branch:
    """An input of a union: the others do not wait for it when it is silent."""
    branch = _branch(in_order(plan))
    first, *rest = branch.stages
    return replace(branch, stages=(replace(first, silent_after=idle_after(plan)), *rest)) if isinstance(first, Stage) else branch


def _chained(plan: Node) -> tuple[list[AnyStage], list[Node]]:
    """The stages of a plan, and the nodes above the last."""
    if is_relational(plan):
        refuse_policies_within(plan)
        stage = relational_stage(plan, _chained)
        return [replace(stage, above=())], list(stage.above)
    nodes = list(plan.chain())
    if any(isinstance(node, LateOf) for node in nodes):
        raise NotSupported(
            "a query over late tuples runs by itself", given="LATE OF in a query", remedy="write it to a table first"
        )
    refuse_above_containers(nodes)
    made: list[AnyStage] = []
    scan = nodes[-1]
    below = stream_below(nodes[0])
    if below is not None:
        nodes = nodes[: next(n for n, node in enumerate(nodes) if node is below) + 1]
        made, between = _chained(below)
        return _upward(below, list(reversed(nodes[:-1])), made, between)
    if isinstance(scan, Join):
        made.append(JoinInStepStage(tuple(map(_branch, scan.inputs)), join=scan))
    elif isinstance(scan, Union):
        made.append(UnionStage(tuple(map(_in_union, scan.streams)), union=scan))
    elif not isinstance(scan, Scan):
        raise NotSupported("a query reads from a stream", given=nodes[-1].label(), remedy="read a table with Spark itself")
    upward = _numbered(scan, list(reversed(nodes[:-1]))) if isinstance(scan, Scan) else list(reversed(nodes[:-1]))
    return _upward(scan, upward, made, [])


def _upward(scan: Node, upward: list[Node], made: list[AnyStage], pending: list[Node]) -> tuple[list[AnyStage], list[Node]]:
    """The stages above a source, or above the operators that make a stream."""
    place = 0
    while place < len(upward):
        node = upward[place]
        if isinstance(node, Cut):
            top = next((n for n in range(place + 1, len(upward)) if isinstance(upward[n], Aggregate | Project)), None)
            if top is None:
                raise BadQuery(
                    "a window by itself answers nothing", given=node.label(), remedy="call agg(...) or select(...) first"
                )
            below = [*pending, *(_moved(between, node) for between in upward[place + 1 : top] if not isinstance(between, Filter))]
            made.append(_window_stage(_own(scan, made), below, node, upward[top]))
            pending, place = [], top + 1
        elif isinstance(node, Frames):
            made.append(OverStage(*_read_by(_own(scan, made), pending, None, node)))
            pending, place = [], place + 1
        else:
            pending.append(node)
            place += 1
    return made, pending


def _numbered(scan: Scan, upward: list[Node]) -> list[Node]:
    """The nodes above a stream; where they read `row_num` and no operator numbers the rows, on a window of each row by itself."""
    first = next((n for n, node in enumerate(upward) if isinstance(node, Cut | Frames)), len(upward))
    implicit = {name.lower() for node in upward[:first] for name in _read(node)} & {ROW_NUM, ARRIVAL_TS}
    if ROW_NUM not in implicit:
        return upward
    if first < len(upward):
        raise NotSupported(
            "row_num is not known below a window or a frame",
            given=upward[first].label(),
            remedy="name it in the select list of that query, or write the numbered rows to a table first",
        )
    names = [*scan.schema.names, *(name for name in (ROW_NUM, ARRIVAL_TS) if name in implicit)]
    each = Cut(scan, RowWindow(range=Rows(1), slide=Rows(1)))
    columns = tuple((name, Expression.of(exp.column(name, quoted=True))) for name in names)
    ends = [] if any(isinstance(node, Project) for node in upward) else [_selected(upward[-1])]
    return [each, Project(each, columns), *upward, *ends]


def _read(node: Node) -> list[str]:
    """The columns that a node reads by name."""
    if isinstance(node, Filter):
        return list(node.condition.columns)
    if isinstance(node, Project | Extend):
        return [name for _, item in node.items for name in item.columns]
    return list(node.condition.columns) if isinstance(node, TableJoin) else []


def _moved(node: Node, cut: Cut) -> Node:
    """What stands between a window and its aggregate and can as well stand below the window."""
    base = base_of(cut.window)
    names = {name.lower() for _, item in node.items for name in item.columns} if isinstance(node, Extend) else set()
    joins = isinstance(node, TableJoin) and not (base.ids_from_tuples or isinstance(base, OfRows))
    computes = isinstance(node, Extend) and not names & set(WINDOW_COLUMNS)
    if isinstance(node, Derived) or computes or joins:
        return node
    raise NotSupported(
        "this does not stand between a window and its aggregate",
        given=node.label(),
        remedy="join the table, or compute the column, in a stream of its own, and window that",
    )


def _together(queries: list[list[AnyStage]]) -> WindowStage:
    """One stage for queries that differ in their windows alone."""
    stages = [stage for each in queries for stage in each if len(each) == 1 and isinstance(stage, WindowStage)]
    alike = len(stages) == len(queries) and all(_but_window(stage) == _but_window(stages[0]) for stage in stages)
    windows = [stage.window for stage in stages]
    plain = all(isinstance(window, Sliding) and _is_plain(window) for window in windows)
    if alike and stages[0].judges_each:
        raise NotSupported(
            "tuples of queries that run together are not judged one by one",
            given="PUNCTUATION, ORDERED PER, PER SOURCE, AHEAD, LATE CONSISTENT or late()",
            remedy="leave that out, or run them by themselves",
        )
    if not alike or not plain:
        raise NotSupported(
            "queries that run together have algebraic aggregates and differ in the RANGE and SLIDE of their window alone",
            given=f"{len(queries)} queries",
            remedy="run the others by themselves",
        )
    if SqlType.of(stages[0].input_schema.find(str(stages[0].attribute)).type).is_floating:
        raise NotSupported(
            "windows on doubles have no panes to share",
            given=f"{len(queries)} queries over windows on {stages[0].attribute}",
            remedy="cast the column to a DECIMAL, or run them by themselves",
        )
    return replace(stages[0], together=tuple(windows))


def refuse_without_panes(stage: WindowStage) -> None:
    """Windows run together on panes that they share."""
    if stage.together and stage.width is None:
        raise NotSupported(
            "queries that run together have algebraic aggregates and differ in the RANGE and SLIDE of their window alone",
            given=f"{len(stage.together)} queries",
            remedy="run the others by themselves",
        )


def _is_plain(window: Sliding) -> bool:
    """Whether window ends are multiples of the slide, so that windows share panes."""
    whole = Fraction(measure(window.range)) % Fraction(measure(window.slide)) == 0
    return whole and window.offset is None and window.origin is None and not window.lag


def _but_window(stage: WindowStage) -> tuple[Any, ...]:
    top = stage.aggregate
    about = None if top is None else (top.group_by, top.items, top.having)
    return stage.scan, stage.below, stage.disorder, about, stage.above


def _own(scan: Node, made: list[AnyStage]) -> Scan | None:
    """The stream that a stage reads, if no other stage is below it."""
    return scan if isinstance(scan, Scan) and not made else None


def _read_by(scan: Scan | None, below: list[Node], cut: Cut | None, top: Any) -> ReadBy:
    """What every stage says of the stream that it reads."""
    known = scan is None or scan.stream.order_by is not None
    return scan, tuple(below), top, disorder_of(scan, cut), order_of(scan), known


def _reading(scan: Scan) -> Stage:
    """A stream that is read tuple by tuple."""
    return LateStage(*_read_by(scan, [], None, scan))


def _window_stage(scan: Scan | None, below: list[Node], cut: Cut, top: Node) -> WindowStage:
    width = top.width if isinstance(top, PaneAggregate) else None
    return WindowStage(*_read_by(scan, below, cut, top), cut=cut, width=width)
