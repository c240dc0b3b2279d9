"""The plan of a query as a graph, made of the stages that run: what Spark computes step by step, and operators in between.

Each edge says whose counts are the rows on it: those that the operator below gave, or those that the operator above took.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transom.column_names import AGGREGATE
from transom.explain.explain_lines import label
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Project
from transom.plan.sql.window_sql import render_window
from transom.planner import PhysicalPlan
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.applied.policy_stage import PolicyStage
from transom.planner.in_step.merged_stage import MergedStage
from transom.planner.late_of import late_of, nodes_above
from transom.planner.physical import numbers_of
from transom.planner.relations.inputs import StreamInput
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.stage import Stage
from transom.planner.stages import AnyStage
from transom.planner.windowed.window_stage import WindowStage
from transom.quality.moment import metric_of

ROW_BY_ROW = (Project, Extend, Derived)
"""Steps that give as many rows as they take."""

Taken = tuple[str, int]
"""An operator, and which of its inputs."""


@dataclass(frozen=True)
class PlanEdge:
    """What goes from one box to the next. `gave` is the operator whose results these rows are, `late` that they are its late
    tuples instead; `taken` is the operator that takes them all; of those that it counts, `picks` says that WHERE picked them."""

    below: Box
    gave: str | None = None
    taken: Taken | None = None
    late: bool = False
    picks: bool = False

    def to_json(self) -> dict[str, Any]:
        taken = None if self.taken is None else list(self.taken)
        found = {"gave": self.gave, "taken": taken, "late": self.late, "picks": self.picks}
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True)
class Box:
    """A source, a step that Spark computes, or an operator; and what it reads."""

    label: str
    kind: str
    reads: tuple[PlanEdge, ...] = ()
    operator: str | None = None


def graph_of(physical: PhysicalPlan) -> list[dict[str, Any]]:
    """The boxes from the result down to the sources, each with the numbers of those that it reads, and what is known of each
    edge."""
    making = _Making({} if not physical.stages else numbers_of(physical.stages))
    if not physical.stages:
        scan, *above = reversed(list(physical.optimized.chain()))
        return _listed(Box("results", "result", (making.steps(PlanEdge(_source(scan)), above),)))
    last = physical.stages[-1]
    flow = making.chain(physical.stages)
    asked = late_of(physical.written)
    if asked is None:
        flow = making.steps(flow, last.above)
    else:
        late = PlanEdge(flow.below, gave=flow.below.operator, late=True)
        flow = making.steps(late, [asked, *nodes_above(physical.written, asked)], keeps=(type(asked),))
    return _listed(Box("results", "result", (flow,)))


@dataclass(frozen=True)
class _Making:
    """Makes boxes from the source up; an edge is what goes out of what has been made."""

    numbers: Mapping[int, int]

    def chain(self, stages: Sequence[AnyStage]) -> PlanEdge:
        """What the last of a chain of operators gives."""
        flow: PlanEdge | None = None
        for stage in stages:
            flow = self.operator(stage, flow)
        assert flow is not None
        return flow

    def operator(self, stage: AnyStage, flow: PlanEdge | None) -> PlanEdge:
        """What an operator gives, and its condition leaves."""
        name = metric_of(self.numbers.get(id(stage)))
        box = Box(_label(stage), _kind(stage), self.inputs(stage, flow, name), name)
        condition = _condition(stage)
        out = PlanEdge(box, gave=name)
        return out if condition is None else PlanEdge(Box(f"Filter {condition}", "step", (out,)))

    def inputs(self, stage: AnyStage, flow: PlanEdge | None, name: str) -> tuple[PlanEdge, ...]:
        if isinstance(stage, RelationalStage):
            return tuple(
                self.into(self.chain(one.stages), one.below, (name, n))
                if not isinstance(one, StreamInput)
                else self.into(self.chain(one.stages) if one.stages else self.read(one.stage), one.stage.below, (name, n))
                for n, one in enumerate(stage.inputs)
            )
        if isinstance(stage, MergedStage):
            return tuple(self.into(self.chain(one.stages), one.below, (name, n)) for n, one in enumerate(stage.branches))
        if isinstance(stage, ContainerStage):
            return tuple(
                self.into(self.chain(one.stages) if one.stage is None else self.read(one.stage), one.below, (name, n))
                for n, one in enumerate(stage.feeds)
            )
        picks = stage.condition is not None
        return (self.into(self.read(stage) if flow is None else flow, stage.below, (name, 0), picks=picks),)

    def read(self, stage: Stage) -> PlanEdge:
        """The stream that a stage reads: a box of its own, also where several read the same."""
        assert stage.scan is not None
        return PlanEdge(_source(stage.scan))

    def into(self, flow: PlanEdge, nodes: Sequence[Node], taken: Taken, *, picks: bool = False) -> PlanEdge:
        """What an operator takes, after the steps before it."""
        shown = [node for node in nodes if not isinstance(node, Derived)]
        for n, node in enumerate(shown):
            if all(isinstance(one, ROW_BY_ROW) for one in shown[n:]):
                flow = _taken(flow, taken, picks)
            flow = self.steps(flow, [node])
        return _taken(flow, taken, picks)

    def steps(self, flow: PlanEdge, nodes: Sequence[Node], keeps: tuple[type[Node], ...] = ()) -> PlanEdge:
        """What Spark makes of rows, from below."""
        for node in nodes:
            if isinstance(node, Derived):
                continue
            box = Box(label(node), "step", (flow,))
            same = isinstance(node, (*ROW_BY_ROW, *keeps))
            flow = PlanEdge(box, gave=flow.gave if same else None, late=flow.late and same)
        return flow


def _taken(flow: PlanEdge, taken: Taken, picks: bool) -> PlanEdge:
    """Where the operator below has counted the rows, that count stands."""
    return PlanEdge(flow.below, gave=flow.gave, taken=taken, late=flow.late, picks=picks and flow.gave is None)


def _source(node: Node) -> Box:
    return Box(label(node), "source")


def _label(stage: AnyStage) -> str:
    if isinstance(stage, ContainerStage):
        return _cut(stage.window) if isinstance(stage, PolicyStage) else stage.node.label()  # type: ignore[attr-defined]
    if isinstance(stage, RelationalStage):
        windows = [f"[{render_window(one.stage.cut.window)}]" for one in stage.inputs if isinstance(one, StreamInput)]
        over = f" over {' and '.join(windows)}" if windows else ""
        return f"{stage.name}{over}: {label(stage.node)}"
    if isinstance(stage, MergedStage):
        return label(stage.node)
    return _cut(stage) if isinstance(stage, WindowStage) else label(stage.top)


def _cut(stage: WindowStage) -> str:
    """A window and what is computed of it; several windows share one aggregate."""
    where = "" if stage.condition is None else f" where {stage.condition}"
    together = ", ".join(f"[{render_window(window)}]" for window in stage.together)
    return f"{f'Cut {together}' if together else label(stage.cut)}{where}: {label(stage.top)}"


def _kind(stage: AnyStage) -> str:
    if isinstance(stage, WindowStage | PolicyStage):
        return "window"
    return "frames" if isinstance(stage, Stage) and stage.calls else "operator"


def _condition(stage: AnyStage) -> str | None:
    """What leaves out rows that the operator has given: HAVING, or a condition on pairs."""
    if isinstance(stage, WindowStage) and stage.aggregate is not None:
        return None if stage.aggregate.having is None else stage.aggregate.having.text
    _, condition = stage.finish()
    if condition is None:
        return None
    for n, call in reversed(list(enumerate(getattr(stage, "calls", ())))):
        condition = condition.replace(f"{AGGREGATE}{n}", call.text)
    return condition


def _listed(result: Box) -> list[dict[str, Any]]:
    """Boxes with numbers in place of references, each before those that it reads."""
    boxes = list(_walked(result))
    number = {id(box): n for n, box in enumerate(boxes)}
    return [_box(box, number) for box in boxes]


def _walked(box: Box) -> Iterator[Box]:
    yield box
    for edge in box.reads:
        yield from _walked(edge.below)


def _box(box: Box, number: Mapping[int, int]) -> dict[str, Any]:
    found: dict[str, Any] = {"label": box.label, "kind": box.kind, "reads": [number[id(edge.below)] for edge in box.reads]}
    found["edges"] = [edge.to_json() for edge in box.reads]
    return found if box.operator is None else {**found, "operator": box.operator}
