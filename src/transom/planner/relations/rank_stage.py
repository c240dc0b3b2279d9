"""Ranks of the rows of each instant, and LIMIT, as a stage."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from transom.column_names import AGGREGATE, OWN
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.operators.rank_operator import RankRecord
from transom.planner.relations.inputs import Texts
from transom.planner.relations.relational_stages import RelationalStage, Types


@dataclass(frozen=True)
class RankStage(RelationalStage):
    """A number or a rank (`__y0`) for each row of an instant, or the first rows alone.

    `order` says of each item of ORDER BY whether it descends, and whether NULLs come first; rows that it leaves equal are in the
    order of their first columns, as many as `ties`. Of a window of rows with `partitions`, it gives the rows of a partition
    whenever a window of it ends.
    """

    function: str = "row_number"
    limit: int | None = None
    order: tuple[tuple[bool, bool], ...] = ()
    ties: int = 0
    gives: str = "changes"
    partitions: tuple[str, ...] = ()
    items: Texts = ()

    @property
    def name(self) -> str:
        return self.function if self.limit is None else f"limit {self.limit}"

    @property
    def gives_changes(self) -> bool:
        return self.gives == "changes"

    @property
    def described(self) -> str:
        by = f" {', '.join(self.partitions)}" if self.partitions else ""
        return f"{self.function} {self.limit} {self.order} {self.ties} {self.gives}{by}"

    def record(self, inputs: tuple[Input, ...], places: int) -> RankRecord:
        (rows,) = inputs
        carried = self.inputs[0].carried
        ties = tuple(name for name, _ in carried.columns[: self.ties])
        keys = tuple(name for name, _ in carried.keys)
        return RankRecord((rows,), keys, self.function, self.order, ties, self.limit, self.gives, self.partitions)

    def output(self, types: list[Types]) -> Types:
        made = {name[2:]: kind for name, kind in types[0].items() if name.startswith(OWN)}
        return made | ({f"{AGGREGATE}0": pa.int32()} if self.limit is None else {})

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        return list(self.items), None
