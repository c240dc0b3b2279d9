"""The state of a checkpoint as DataFrames: Spark's state data source gives the blocks, and the kernels know what is in them.

It reads what the last micro-batch has committed, so the query may run meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from transom.errors import CheckpointDamaged, TransomError
from transom.kernels.state.summary import summary
from transom.planner.shards import labels
from transom.spark.by_name import by_name
from transom.spark.checkpoints.folder import STATE, Checkpoint, checkpoints_in
from transom.spark.exchange.binaries import parted
from transom.spark.running.checkpoint import WHOLE
from transom.spark.running.messages.failures import cause, failure

INLINE, BLOCKS = "applyInPandasWithState", "transformWithStateInPandasExec"
"""Spark's names of the operators that keep our state, by the way it is kept."""

COLUMNS = (
    "query STRING, operator INT, kind STRING, shard INT, frontier STRING, open_windows BIGINT, keys BIGINT, rows BIGINT, "
    "bytes BIGINT, oldest STRING, largest ARRAY<STRUCT<key: STRING, rows: BIGINT>>, blocks INT"
)
ROW = pa.schema(
    [
        ("query", pa.string()),
        ("operator", pa.int32()),
        ("kind", pa.string()),
        ("shard", pa.int32()),
        ("frontier", pa.string()),
        ("open_windows", pa.int64()),
        ("keys", pa.int64()),
        ("rows", pa.int64()),
        ("bytes", pa.int64()),
        ("oldest", pa.string()),
        ("largest", pa.list_(pa.struct([("key", pa.string()), ("rows", pa.int64())]))),
        ("blocks", pa.int32()),
    ]
)


@dataclass(frozen=True)
class StoredOperator:
    """A stateful operator of a query: its number among them, how its state is kept, and over how many partitions."""

    number: int
    name: str
    partitions: int

    @property
    def is_ours(self) -> bool:
        return self.name in (INLINE, BLOCKS)


def operators_of(spark: SparkSession, checkpoint: Checkpoint) -> list[StoredOperator]:
    """The stateful operators that a checkpoint has state of; none of a query without windows."""
    if not checkpoint.folder.exists(STATE):
        return []
    try:
        rows = spark.read.format("state-metadata").load(checkpoint.path).collect()
    except PySparkException as error:
        raise _unreadable(checkpoint, error) from None
    found = {row["operatorId"]: StoredOperator(row["operatorId"], row["operatorName"], row["numPartitions"]) for row in rows}
    return [found[number] for number in sorted(found)]


def blocks_of(spark: SparkSession, checkpoint: Checkpoint, operator: StoredOperator) -> DataFrame:
    """The blocks of an operator: a row for each shard, with its `label` and `blocks`, an array of names and contents."""
    reader = spark.read.format("statestore").option("operatorId", operator.number).option("batchId", checkpoint.committed)
    try:
        if operator.name == INLINE:
            frame = reader.load(checkpoint.path)
            whole = F.struct(F.lit("").alias("name"), F.col("value.groupState.blocks").alias("block"))
            return frame.select(F.col("key.shard").alias("label"), F.array(whole).alias("blocks"))
        frame = reader.option("stateVarName", "blocks").load(checkpoint.path)
        one = F.struct(F.col("user_map_key.name").alias("name"), F.col("user_map_value.block").alias("block"))
        return frame.groupBy(F.col("key.shard").alias("label")).agg(F.collect_list(one).alias("blocks"))
    except PySparkException as error:
        raise _unreadable(checkpoint, error) from None


def shard_blocks(kept: Iterable[dict[str, Any]]) -> dict[str, bytes]:
    """The blocks of one row."""
    found: dict[str, bytes] = {}
    for one in kept:
        found.update(parted(one["block"]) if one["name"] == "" else {one["name"]: one["block"]})
    return found


def state_frame(spark: SparkSession, path: str) -> DataFrame:
    """What the state of a checkpoint holds, a row for each operator and shard."""
    frames = [
        blocks_of(spark, checkpoint, operator).mapInArrow(partial(_summaries, name, operator.number), COLUMNS)
        for name, checkpoint in checkpoints_in(path)
        for operator in operators_of(spark, checkpoint)
        if operator.is_ours
    ]
    if not frames:
        return spark.createDataFrame([], COLUMNS)
    return reduce(DataFrame.union, frames).orderBy("query", "operator", "shard")


def state_rows(spark: SparkSession, path: str) -> list[dict[str, Any]]:
    """The rows themselves; what fails has a name."""
    try:
        return [row.asDict(recursive=True) for row in state_frame(spark, path).collect()]
    except Exception as error:  # what a job raises is PySpark's over Connect, and Py4J's in a classic session
        raise state_failure(path, error) from None


def state_failure(path: str, error: Exception) -> TransomError:
    """Why state could not be read: an error of ours by its name, anything else as damage."""
    named = failure(error)
    if named.name != "QueryFailed":
        return named
    return CheckpointDamaged("the state cannot be read", given=f"{path}: {named.problem}", remedy=WHOLE)


def _summaries(query: str, operator: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    rows = (row for batch in batches for row in batch.to_pylist())
    for made in by_name(_rows)(query, operator, rows):
        yield pa.RecordBatch.from_pylist([made], schema=ROW)


def _rows(query: str, operator: int, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        found = summary(shard_blocks(row["blocks"]))
        if found is None:
            continue
        yield {
            "query": query,
            "operator": operator,
            "kind": found.kind,
            "shard": None if found.plan is None else shard_of(found.plan, int(row["label"])),
            "frontier": found.frontier,
            "open_windows": found.open_windows,
            "keys": found.keys,
            "rows": found.rows,
            "bytes": found.size,
            "oldest": found.oldest,
            "largest": [{"key": key, "rows": count} for key, count in found.largest],
            "blocks": found.blocks,
        }


def shards_of(plan: str) -> tuple[int, int]:
    """The numbers of shards and of partitions that a fingerprint ends with."""
    _, shards, partitions = plan.rsplit("-", 2)
    return int(shards), int(partitions)


def shard_of(plan: str, label: int) -> int:
    """The number of the shard that has a label."""
    return labels(*shards_of(plan)).index(label)


def _unreadable(checkpoint: Checkpoint, error: PySparkException) -> CheckpointDamaged:
    return CheckpointDamaged("the state cannot be read", given=f"{checkpoint.path}: {cause(str(error))}", remedy=WHOLE)
