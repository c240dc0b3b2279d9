"""From a logical plan to what runs, decided once: rules, stages, panes and strategies.

Execution, EXPLAIN and the test engines all take the same object; the reference alone evaluates the plan as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from transom.plan.nodes.node import Node
from transom.plan.nodes.sink import Insert
from transom.plan.relations.concrete_view import written
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.in_step.merged_stage import Branch, MergedStage
from transom.planner.late_of import late_of
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.relations.used_columns import with_used_columns
from transom.planner.session_zone import in_zone
from transom.planner.stage import Stage
from transom.planner.stages import AnyStage, refuse_without_panes, stages_of
from transom.planner.strategy import Strategy, strategy_of
from transom.planner.windowed.window_stage import WindowStage
from transom.rules import RULES, Fired, optimize
from transom.rules.walk import Rule


@dataclass(frozen=True)
class PhysicalPlan:
    """A plan as it was written, the rules that fired and what they made of it, and the stages that run, from the source up; none
    of a query without windows."""

    written: Node
    fired: tuple[Fired, ...]
    optimized: Node
    stages: tuple[AnyStage, ...]

    @property
    def strategy(self) -> Strategy | None:
        """The strategy of the topmost window; None where nothing is windowed."""
        return strategy_of(self.stages[-1]) if self.stages else None

    @property
    def fingerprints(self) -> list[str]:
        """What the state of each stage depends on, of the query as it was written: rules do not change it."""
        return [stage.fingerprint for stage in self.stages]


def plan(node: Node, rules: Sequence[Rule] = RULES, *, zone: str = "UTC") -> PhysicalPlan:
    """How a query runs, in a session of this time zone."""
    query = written(node) if isinstance(node, Insert) else node
    optimized, fired = optimize(query, rules)
    made, as_written = (
        [in_zone(stage, zone) for stage in stages_of(late_of(one) or one)] for one in (with_used_columns(optimized), query)
    )
    stages = tuple(map(_stamped, made, as_written))
    for stage in stages:
        if isinstance(stage, WindowStage):
            refuse_without_panes(stage)
    return PhysicalPlan(query, tuple(fired), optimized, stages)


def _stamped(stage: AnyStage, written: AnyStage) -> AnyStage:
    """A stage with the fingerprint of the query as it was written."""
    if isinstance(stage, Stage):
        return replace(stage, written=written.fingerprint)
    if isinstance(stage, RelationalStage | ContainerStage):
        return replace(stage, written=written.fingerprint)
    assert isinstance(written, MergedStage)
    branches = tuple(map(_stamped_branch, stage.branches, written.branches))
    return replace(stage, branches=branches, written=written.fingerprint)


def _stamped_branch(branch: Branch, written: Branch) -> Branch:
    return replace(branch, stages=tuple(map(_stamped, branch.stages, written.stages)))


def chains_below(stage: AnyStage) -> tuple[tuple[AnyStage, ...], ...]:
    """The operators below each input of an operator, from the source up; none where it reads a stream."""
    if isinstance(stage, MergedStage):
        return tuple(branch.stages for branch in stage.branches)
    if isinstance(stage, RelationalStage):
        return tuple(one.stages for one in stage.inputs)
    if isinstance(stage, ContainerStage):
        return tuple(feed.stages for feed in stage.feeds)
    return ()


def operators_of(stages: Sequence[AnyStage]) -> Iterator[AnyStage]:
    """All operators, each after those that it reads: the first reads a stream, the last gives the results."""
    for stage in stages:
        for chain in chains_below(stage):
            yield from operators_of(chain)
        yield stage


def numbers_of(stages: Sequence[AnyStage]) -> dict[int, int]:
    """The number of each operator but the last, from 1, by the identity of its stage."""
    *below, _ = operators_of(stages)
    return {id(stage): number for number, stage in enumerate(below, start=1)}
