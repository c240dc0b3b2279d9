"""An operator as Spark's stateful processor: one group is one shard, its state a map of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pandas as pd
import pyarrow as pa
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from transom.kernels.slices import Slice
from transom.kernels.state.store import Blocks
from transom.spark.by_name import by_name
from transom.spark.exchange.result_packing import Leaving, packed
from transom.spark.exchange.wire import slices_of
from transom.spark.map_blocks import MapBlocks

AnyPlan = TypeVar("AnyPlan", bound=Leaving)


class ShardProcessor(StatefulProcessor):
    """Drains a shard's slices, and lets the operator of a plan take them in, whichever kind it is: `operated` runs it."""

    def __init__(self, plan: AnyPlan, operated: Callable[[AnyPlan, list[Slice], Blocks], pa.Table]) -> None:
        self._plan: Any = plan
        self._operated = operated

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._blocks = handle.getMapState("blocks", "name STRING", "block BINARY")

    @by_name
    def handleInputRows(self, key: Any, rows: Iterator[pd.DataFrame], timerValues: Any) -> Iterator[pd.DataFrame]:  # noqa: N802, N803
        yield packed(self._plan, self._operated(self._plan, slices_of(rows), MapBlocks(self._blocks)))

    def close(self) -> None:
        pass
