"""Whether a plan can run: what a run would refuse, found without Spark and before anything starts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import pyarrow as pa
from sqlglot import exp

from transom.errors import BadQuery, NotSupported
from transom.kernels.aggregates.catalogue import canonical, check
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct, Scan, Sort, TableJoin
from transom.plan.nodes.sink import Insert
from transom.plan.panes import Together
from transom.plan.relations.concrete_view import written
from transom.plan.types.schema import Schema
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.in_step.merged_stage import MergedStage
from transom.planner.late_of import ROW_BY_ROW, late_of, nodes_above
from transom.planner.physical import plan as planned
from transom.planner.relations.inputs import StreamInput
from transom.planner.relations.relational_stages import MultiplicityStage, RelationalStage
from transom.planner.spec_of import axis_of
from transom.planner.stage import Stage
from transom.planner.stages import AnyStage
from transom.planner.types.arrow import arrow_of

BELOW = (*ROW_BY_ROW, TableJoin)
ABOVE = (*BELOW, Distinct, Sort)
"""What Spark computes below a window operator, and above the last one."""


def check_runs(plan: Node) -> None:
    """Refuse what a run would refuse."""
    plan = written(plan) if isinstance(plan, Insert) else plan
    if isinstance(plan, Together):
        planned(plan)
        return
    late = late_of(plan)
    if late is not None:
        nodes_above(plan, late)
    stages = planned(plan).stages
    if not stages:
        _without_windows(plan)
    for stage in stages:
        _check_stage(stage)


def no_map(name: str, kind: str) -> NotSupported:
    """The error of a MAP as a key."""
    return NotSupported(
        "rows are not grouped or partitioned by a MAP",
        given=f"{name} {kind}",
        remedy=f"group by its entries, array_sort(map_entries({name})), or by one of its values",
    )


def _check_stage(stage: AnyStage) -> None:
    _check_nodes(stage.above, ABOVE, "this does not stand above a window", "put a window behind it, or use a derived stream")
    _check_order(stage.above)
    _check_inputs(stage)


@singledispatch
def _check_inputs(stage: Any) -> None:
    """What is below a stage, and what it computes."""
    raise NotImplementedError(type(stage))


@_check_inputs.register
def _applied(stage: ContainerStage) -> None:
    for feed in stage.feeds:
        _check_below(feed.below)
        for one in feed.stages:
            _check_stage(one)


@_check_inputs.register
def _relational(stage: RelationalStage) -> None:
    _check_matched(stage)
    for taken in stage.inputs:
        if isinstance(taken, StreamInput):
            _check_below(taken.stage.below)
        for one in taken.stages:
            _check_stage(one)


@_check_inputs.register
def _merged(stage: MergedStage) -> None:
    for branch in stage.branches:
        _check_below(branch.below)
        for one in branch.stages:
            _check_stage(one)


@_check_inputs.register
def _of_stream(stage: Stage) -> None:
    _check_below(stage.below)
    for name in (*stage.keys, *stage.reading.promised_columns):
        kind = stage.input_schema.find(name).type
        if "MAP<" in kind.upper():
            raise no_map(name, kind)
    stage.columns()
    stage.finish()
    _check_arguments(stage)
    if stage.attribute is not None:
        axis_of(stage, arrow_of(stage.input_schema.find(stage.attribute).type) or pa.int64())


def _check_matched(stage: RelationalStage) -> None:
    """A MAP can be neither compared nor used as a key."""
    for column in stage.node.schema.columns if isinstance(stage, MultiplicityStage) else ():
        if "MAP<" in column.type.upper():
            raise no_map(column.name, column.type)
    for taken in stage.inputs:
        below = taken.stage.input_schema if isinstance(taken, StreamInput) else _top(taken.stages[-1]).schema
        kinds = {column.name.lower(): column.type for column in below.columns}
        for name, text in taken.carried.keys:
            kind = kinds.get(text.strip("`").lower(), "")
            if "MAP<" in kind.upper():
                raise no_map(text.strip("`") or name, kind)


def _top(stage: Any) -> Node:
    """The node whose rows a stage below an operator gives."""
    top: Node = stage.top if isinstance(stage, Stage) else stage.node
    return top


def _check_order(nodes: Sequence[Node]) -> None:
    """Rows are ordered after the select list, by what it has."""
    for node in nodes:
        for item in node.by if isinstance(node, Sort) else ():
            tree = exp.maybe_parse(item.text, into=exp.Ordered, dialect="spark")
            if tree.find(exp.AggFunc) is not None:
                raise BadQuery(
                    "rows are ordered by what is selected",
                    given=item.text,
                    exists=node.schema.names,
                    remedy="select the aggregate under a name, and order by that",
                )
            for column in tree.find_all(exp.Column):
                Schema(node.schema.columns).find(column.name, "the select list")


def _check_below(nodes: Sequence[Node]) -> None:
    _check_nodes(nodes, BELOW, "this does not stand below a window", "put it above, or into a table")


def _check_nodes(nodes: Sequence[Node], known: tuple[type[Node], ...], problem: str, remedy: str) -> None:
    for node in nodes:
        if not isinstance(node, known):
            raise NotSupported(problem, given=node.label(), remedy=remedy)


def _check_arguments(stage: Stage) -> None:
    """Arguments that are columns have the types that their aggregate takes. Of expressions only Spark knows the type."""
    for called in stage.calls:
        trees: list[exp.Expr] = [exp.maybe_parse(text, dialect="spark") for text in called.args]
        if called.call.user is None and all(isinstance(tree, exp.Column) for tree in trees):
            kinds = [arrow_of(stage.input_schema.find(tree.name).type) for tree in trees]
            if called.call.distinct and any(kind is not None and pa.types.is_map(kind) for kind in kinds):
                raise NotSupported(
                    "values of a MAP are not compared",
                    given=called.text,
                    remedy="count its entries, array_sort(map_entries(...)), or one of its values",
                )
            if None not in kinds:
                check(canonical(called.call.function), [kind for kind in kinds if kind is not None])


def _without_windows(plan: Node) -> None:
    *nodes, scan = plan.chain()
    if not isinstance(scan, Scan):
        raise NotSupported("a query reads from a stream", given=scan.label(), remedy="name a stream")
    _check_nodes(nodes, BELOW, "this needs a window", "put a window behind the stream, for example [TUMBLE 5 MINUTES]")
