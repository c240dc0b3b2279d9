"""Late tuples of a query of several operators: the first operator of each stream finds them, those above pass them on.

So they come from the very execution that missed them, and each is told once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from transom.errors import NotSupported
from transom.plan.nodes.left_out import LateOf
from transom.planner.relations.inputs import AnyInput, StreamInput
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.stage import Stage


def finding_late(stages: Sequence[Any], asked: LateOf) -> list[Any]:
    """Stages of which those that read a stream also give its late tuples, numbered as the inputs of `asked` are."""
    numbers = count()
    made = _first(stages, numbers, asked)
    if next(numbers) != len(asked.leaves):
        raise _not_of(asked)
    return made


def _first(stages: Sequence[Any], numbers: Iterator[int], asked: LateOf) -> list[Any]:
    """A chain of stages, of which the first reads streams."""
    first, *others = stages
    if isinstance(first, RelationalStage):
        return [replace(first, inputs=tuple(_input(one, numbers, asked) for one in first.inputs)), *others]
    if isinstance(first, Stage) and first.scan is not None:
        return [replace(first, wants_late=True, late_number=next(numbers)), *others]
    raise _not_of(asked)


def _input(one: AnyInput, numbers: Iterator[int], asked: LateOf) -> AnyInput:
    if one.stages:
        return replace(one, stages=tuple(_first(one.stages, numbers, asked)))
    assert isinstance(one, StreamInput)
    return replace(one, stage=replace(one.stage, wants_late=True, late_number=next(numbers)))


def _not_of(asked: LateOf) -> NotSupported:
    return NotSupported(
        "late tuples of this query are counted, but not given as a stream",
        given=asked.label(),
        remedy="ask for LATE OF each of the queries below it",
    )
