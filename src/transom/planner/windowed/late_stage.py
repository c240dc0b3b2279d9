"""Late tuples of a stream, without a window, as a stage (`LATE OF s`)."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from transom.plan.types.schema import Schema
from transom.planner.stage import Items, Stage


@dataclass(frozen=True)
class LateStage(Stage):
    """The operator only decides which tuples are late."""

    @property
    def input_schema(self) -> Schema:
        return self.top.schema

    @property
    def attribute(self) -> str | None:
        return self.order

    @property
    def keys(self) -> tuple[str, ...]:
        return ()

    @property
    def described(self) -> list[str]:
        return []

    def window_types(self, axis: pa.DataType, bounds: pa.DataType, order: pa.DataType | None) -> dict[str, pa.DataType]:
        return {}

    def finish(self) -> tuple[Items, str | None]:
        return [(name, item.text) for name, item in self.plain_items], None
