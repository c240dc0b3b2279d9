"""State that Spark's state store has not made itself: a query of our own writes it, as its first micro-batch.

The store's files of that micro-batch are then those of any other version: a snapshot of all there is, under another number.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.streaming.state import GroupStateTimeout
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from transom.kernels.state.rescaling.rescale_shards import merge, split
from transom.spark.by_name import by_name
from transom.spark.checkpoints.state_frames import INLINE, shard_blocks
from transom.spark.exchange.binaries import joined, parted
from transom.spark.settings import CHANGELOG, SHARDS
from transom.spark.state.inline import STATE

PARTS, SEEDS, DONE = "shard INT, old INT, blocks BINARY", "shard INT, blocks BINARY", "done INT"
FIXED = "spark.sql.streaming."
"""How the settings begin that a checkpoint fixes for its state store."""


def divided(blocks: DataFrame, plan: str, spread: Sequence[int]) -> DataFrame:
    """The state of each new shard, with its label, from the blocks of the old ones; `spread` are the labels of all."""
    parts = blocks.mapInArrow(_split(len(spread)), PARTS)
    together = parts.groupBy("shard").agg(F.sort_array(F.collect_list(F.struct("old", "blocks"))).alias("parts"))
    return together.mapInArrow(_merged(spread, plan), SEEDS)


def _split(shards: int) -> Any:
    @by_name
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for row in batch.to_pylist():
                for shard, state in enumerate(split(shard_blocks(row["blocks"]), shards)):
                    made = {"shard": [shard], "old": [row["label"]], "blocks": [joined(state)]}
                    yield pa.RecordBatch.from_pydict(made, pa.schema([("shard", "i4"), ("old", "i4"), ("blocks", pa.binary())]))

    return run


def _merged(spread: Sequence[int], plan: str) -> Any:
    @by_name
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for row in batch.to_pylist():
                state = merge([parted(part["blocks"]) for part in row["parts"]], plan)
                made = {"shard": [spread[row["shard"]]], "blocks": [joined(state)]}
                yield pa.RecordBatch.from_pydict(made, pa.schema([("shard", "i4"), ("blocks", pa.binary())]))

    return run


def seed(spark: SparkSession, seeds: str, checkpoint: str, operator: str, partitions: int, conf: dict[str, str]) -> None:
    """Write the states in the Parquet files of a folder as the first micro-batch of a checkpoint."""
    session = spark.newSession()
    for name, value in conf.items():
        if name.startswith(FIXED):
            session.conf.set(name, value)
    session.conf.set(SHARDS, partitions)
    session.conf.set(CHANGELOG, "false")  # the whole store in one file
    shard = session.readStream.schema(SEEDS).parquet(seeds).groupBy("shard")
    if operator == INLINE:
        made = shard.applyInPandasWithState(_inline, DONE, STATE, "append", GroupStateTimeout.NoTimeout)
    else:
        made = shard.transformWithStateInPandas(Seeding(), DONE, "append", "none")
    made.writeStream.format("noop").option("checkpointLocation", checkpoint).trigger(availableNow=True).start().awaitTermination()


def _inline(key: Any, rows: Iterator[pd.DataFrame], state: Any) -> Iterator[pd.DataFrame]:
    warnings.filterwarnings("ignore", category=FutureWarning)
    for frame in rows:
        for blocks in frame["blocks"]:
            state.update((bytes(blocks),))
    yield pd.DataFrame({"done": [1]})


class Seeding(StatefulProcessor):
    """Writes blocks into the map that `ShardProcessor` keeps them in."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._blocks = handle.getMapState("blocks", "name STRING", "block BINARY")

    def handleInputRows(self, key: Any, rows: Iterator[pd.DataFrame], timerValues: Any) -> Iterator[pd.DataFrame]:  # noqa: N802, N803
        for frame in rows:
            for blocks in frame["blocks"]:
                for name, block in parted(bytes(blocks)).items():
                    self._blocks.updateValue((name,), (block,))
        yield pd.DataFrame({"done": [1]})

    def close(self) -> None:
        pass
