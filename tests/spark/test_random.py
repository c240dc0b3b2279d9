"""Random queries over random disorder in random cuts: the stream drained, the batch and the reference give the same rows.

`TRANSOM_RANDOM=200` tries that many.
"""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from tests.spark.collected import Collected
from tests.spark.drained import read_as_stream
from tests.spark.on_spark import rows_of
from tests.spark.random_queries import Case, case
from transom.errors import NotSupported, TransomError
from transom.reference import Arrival, End
from transom.reference.of_plan import lower
from transom.reference.outcome import Row
from transom.spark.frames.query_frame import to_df
from transom.testing import ReferenceEngine, assert_same_rows

pytestmark = pytest.mark.spark

CASES = int(os.environ.get("TRANSOM_RANDOM", "6"))
CLOSE = 1e-9


def reference(tried: Case) -> list[Row]:
    columns = {"k": "STRING", "v": "BIGINT", "d": "DOUBLE", "t": "STRING", "b": "BOOLEAN"}
    query, stream = lower(tried.query({**columns, "a": tried.domain.spark}).plan)
    items = [Arrival(row) for batch in tried.batches for row in batch]
    return ReferenceEngine().start(query, stream).feed([*items, End()])


def drained(spark: SparkSession, tried: Case, folder: Path) -> list[Row]:
    """The rows of a stream that is stopped in between, and then told that its input has ended."""
    schema = spark.read.parquet(str(folder / "in")).schema
    found: list[Row] = []
    for end in (0, 1):
        source = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(folder / "in"))
        frame = to_df(tried.query(source).plan, end=end)
        seen = Collected(rows_of)
        running = (
            frame.writeStream.foreachBatch(seen)
            .option("checkpointLocation", str(folder / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        running.awaitTermination()
        found += [row for rows in seen.found.values() for row in rows]
    return found


def written(tried: Case, folder: Path) -> None:
    (folder / "in").mkdir(parents=True)
    for number, batch in enumerate(tried.batches):
        path = folder / "in" / f"part-{number:03}.parquet"
        pq.write_table(tried.table(batch), path)
        os.utime(path, (1e9 + number, 1e9 + number))


@pytest.mark.parametrize("seed", range(CASES))
def test_drained_stream_batch_and_reference(seed: int, spark: SparkSession, tmp_path: Path) -> None:
    tried = case(seed)
    try:
        expected = reference(tried)
    except NotSupported:
        pytest.skip(f"not for the reference: {tried}")
    written(tried, tmp_path)
    try:
        batch: DataFrame = to_df(read_as_stream(tried.query(spark.read.parquet(str(tmp_path / "in"))).plan))
        assert_same_rows(rows_of(batch), expected, rel_tol=CLOSE)
        if seed % 4 == 3:
            spark.conf.set("spark.transom.state", "blocks")
        assert_same_rows(drained(spark, tried, tmp_path), expected, rel_tol=CLOSE)
    except (TransomError, AssertionError) as error:
        error.add_note(str(tried))
        raise
    finally:
        spark.conf.unset("spark.transom.state")
