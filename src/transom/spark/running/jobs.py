"""The queries of a script as jobs: what runs as one execution, and where each of its outputs goes.

A query and its LATE OF come from one execution, or they could disagree: both are outputs of one job.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import Endpoint
from transom.plan.nodes.windowed import Cut, Frames
from transom.plan.relations.concrete_view import written
from transom.planner.late_of import ROW_BY_ROW, late_of, nodes_above


@dataclass(frozen=True)
class QueryOutput:
    """One query of a script: its place among the queries, its text, its plan, and its target; None if it is shown."""

    number: int
    text: str
    plan: Node
    target: Endpoint | None = None

    @property
    def title(self) -> str:
        if self.target is None:
            return f"query {self.number + 1}"
        return f"{self.target.kind} {self.target.name}"

    @property
    def name(self) -> str:
        """A name for a folder, by place and target."""
        target = "select" if self.target is None else f"{self.target.kind}-{self.target.name}"
        return f"{self.number:02}-{re.sub(r'[^A-Za-z0-9]+', '-', target).strip('-').lower()[-80:]}"

    @cached_property
    def late(self) -> LateOf | None:
        """The late tuples that it reads, if it does."""
        return late_of(self.plan)


@dataclass(frozen=True)
class Job:
    """Outputs of one execution. With `late` the execution tags its rows, and each output takes its own."""

    outputs: tuple[QueryOutput, ...]
    late: LateOf | None = None

    @property
    def name(self) -> str:
        return "+".join(output.name for output in self.outputs)

    @property
    def title(self) -> str:
        return " and ".join(output.title for output in self.outputs)

    @property
    def scans(self) -> list[Scan]:
        return [node for node in self.outputs[0].plan.walk() if isinstance(node, Scan)]

    @property
    def counted(self) -> list[int]:
        """The outputs whose rows are results: late tuples are counted as late."""
        results = [output.number for output in self.outputs if output.late is None]
        return results or [output.number for output in self.outputs]

    def above(self, output: QueryOutput) -> list[Node]:
        """What an output computes of the tagged rows that are its own, from below."""
        assert self.late is not None
        return nodes_above(output.plan, self.late if output.late is not None else self.late.input)


def output_of(number: int, text: str, plan: Node) -> QueryOutput:
    """A query as it was bound."""
    return QueryOutput(number, text, written(plan), plan.target) if isinstance(plan, Insert) else QueryOutput(number, text, plan)


def jobs_of(outputs: list[QueryOutput]) -> list[Job]:
    """Each output a job of its own, but results join the late tuples of the same query."""
    jobs: list[Job] = []
    taken: set[int] = set()
    for output in outputs:
        if output.number in taken:
            continue
        late = output.late or next((one.late for one in outputs if one.late is not None and _gives(output, one.late)), None)
        together = [output] if late is None else [one for one in outputs if _alike(one.late, late) or _gives(one, late)]
        taken |= {one.number for one in together}
        jobs.append(Job(tuple(together), late))
    return jobs


def _alike(one: Node | None, other: Node) -> bool:
    """Whether two plans are the same, over the same DataFrames."""
    return one == other and one is not None and _frames(one) == _frames(other)


def _frames(plan: Node) -> list[int]:
    return [id(node.stream.frame) for node in plan.walk() if isinstance(node, Scan)]


def _gives(output: QueryOutput, late: LateOf) -> bool:
    """Whether an output is computed row by row of the results that these late tuples missed."""
    if output.late is not None or not any(isinstance(node, Cut | Frames) for node in late.input.walk()):
        return False
    for node in output.plan.chain():
        if _alike(node, late.input):
            return True
        if not isinstance(node, ROW_BY_ROW):
            return False
    return False
