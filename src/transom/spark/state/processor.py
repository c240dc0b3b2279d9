"""The window operator as Spark's stateful processor: one group is one shard, its state a map of blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from transom.spark.by_name import by_name
from transom.spark.exchange.result_packing import packed
from transom.spark.exchange.wire import slices_of
from transom.spark.map_blocks import MapBlocks
from transom.spark.workers.operate import Plan, operated


class WindowProcessor(StatefulProcessor):
    """Drains a shard's slices, sorts them by position, and lets the operator work."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._blocks = handle.getMapState("blocks", "name STRING", "block BINARY")

    @by_name
    def handleInputRows(self, key: Any, rows: Iterator[pd.DataFrame], timerValues: Any) -> Iterator[pd.DataFrame]:  # noqa: N802, N803
        yield packed(self._plan, operated(self._plan, slices_of(rows), MapBlocks(self._blocks)))

    def close(self) -> None:
        pass
