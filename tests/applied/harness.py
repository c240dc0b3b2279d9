"""An operator over the same tuples in three ways: a container, the kernels, and Spark as a batch and as a stream."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from transom.column_names import KIND
from transom.fluent.relation import Relation
from transom.kernels.applied.applied_operator import container_operator
from transom.kernels.applied.applied_spec import TUPLE, AppliedSpec
from transom.kernels.applied.port_slices import slices_of_chunk
from transom.kernels.state.rescaling.rescale_shards import rescaled
from transom.kernels.state.store import Memory


def cut(table: pa.Table, random_: random.Random) -> list[pa.Table]:
    """The rows in micro-batches of any length."""
    pieces, start = [], 0
    while start < table.num_rows:
        length = random_.choice((1, 2, 5, 13, 40))
        pieces.append(table.slice(start, length))
        start += length
    return pieces


def kernel_rows(
    spec: AppliedSpec, batches: Sequence[Sequence[pa.Table]], shards: int, numbers: Iterator[int] | None = None
) -> list[tuple[Any, ...]]:
    """The rows of micro-batches, each a table for each port, with the state of each shard in blocks in between.

    After each it goes on with the next of the `numbers` of shards, if they are given.
    """
    blocks = [Memory() for _ in range(shards)]
    rows: list[tuple[Any, ...]] = []
    for tables in batches:
        slices: list[list[Any]] = [[] for _ in range(shards)]
        for number, table in enumerate(tables):
            kept = table.append_column("__keep", pa.array([True] * table.num_rows, pa.bool_()))
            for shard, piece in slices_of_chunk(kept, spec.inputs[number], number, shards, 0, 0):
                slices[shard].append(piece)
        for shard, own in enumerate(slices):
            made = container_operator(spec).step(own, blocks[shard])
            if made is not None:
                rows += [tuple(row.values())[1:] for row in made.to_pylist() if row[KIND] == TUPLE]
        kept = [memory.blocks for memory in blocks if memory.blocks]
        if numbers is not None and kept:
            blocks = [Memory() for _ in range(next(numbers))]
            for memory, own in zip(blocks, rescaled(kept, len(blocks)), strict=False):
                memory.blocks = own
            shards = len(blocks)
    return rows


def write_batches(folder: Path, batches: Sequence[pa.Table], first: int = 0) -> None:
    """Each micro-batch as a file."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, table in enumerate(batches, first):
        path = folder / f"part-{number:03}.parquet"
        pq.write_table(table, path)
        os.utime(path, (1e9 + number, 1e9 + number))  # files are taken oldest first


def stream_of(spark: SparkSession, folder: Path) -> DataFrame:
    """The files as a stream, one to a micro-batch."""
    schema = spark.read.parquet(str(folder)).schema
    return spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(folder))


def run(relation: Relation, checkpoint: Path, **options: Any) -> list[tuple[Any, ...]]:
    """The rows of all micro-batches over what is there, in order."""
    found: dict[int, list[tuple[Any, ...]]] = {}

    def collect(rows: DataFrame, number: int) -> None:
        found[number] = [tuple(row) for row in rows.collect()]

    frame = relation.to_df(**options)
    stream = frame.writeStream.foreachBatch(collect).option("checkpointLocation", str(checkpoint))
    query = stream.trigger(availableNow=True).start()
    query.awaitTermination()
    return [row for number in sorted(found) for row in found[number]]
