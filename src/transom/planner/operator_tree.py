"""The operators of a query in one order, with the numbers that their metrics go by: for what runs, and for whoever shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transom.planner.applied.container_stage import ContainerStage
from transom.planner.in_step.merged_stage import MergedStage
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.stages import AnyStage


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
