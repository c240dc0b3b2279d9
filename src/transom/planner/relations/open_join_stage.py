"""A step of a join whose rows may turn out to be none, as a stage: outer, semi and anti joins before the last step."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pyarrow as pa

from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.operators.open_join_operator import OF_LEFT, OF_RIGHT, OpenJoinRecord
from transom.planner.relations.relational_stages import JoinStage, Types


@dataclass(frozen=True)
class OpenJoinStage(JoinStage):
    """It gives the rows that are certain after the last step, and before it what happens to rows: `changes` says which."""

    @property
    def name(self) -> str:
        return f"{self.kind} join" if not self.changes else f"{self.kind} join, open"

    @property
    def kept(self) -> str:
        return "the rows that are in their windows, once, and those that wait until it shows whether they have a match"

    @property
    def described(self) -> str:
        return f"open {super().described}"

    def record(self, inputs: tuple[Input, ...], places: int) -> OpenJoinRecord:
        left, right = inputs
        keys = tuple(name for name, _ in self.inputs[0].carried.keys)
        least, most = (None if bound is None else bound * places for bound in (self.least, self.most))
        back = None if self.back is None else math.ceil(self.back * places)
        return OpenJoinRecord((left, right), self.kind, keys, not self.changes, least, most, back, self.condition)

    def output(self, types: list[Types]) -> Types:
        own = {OF_LEFT: pa.int64(), OF_RIGHT: pa.int64()}
        made = {name: kind for name, kind in super().output(types).items() if name not in own}
        return made | own if self.changes else made
