"""Operators on a DataFrame, as a batch and as a stream that is stopped and resumed: the rows of the container, for any cut."""

from __future__ import annotations

import random
from collections import namedtuple
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import transom as tr
from tests.applied.harness import cut, run, stream_of, write_batches
from transom.windowing import OperatorRun, count, sliding
from transom.windowing.operators import Vwap

pytestmark = pytest.mark.spark

Trade = namedtuple("Trade", "ticker price volume")
WINDOW = sliding(count(5), count(2)).partitioned_by("ticker")


def trades(seed: int, number: int = 60) -> list[Trade]:
    random_ = random.Random(seed)
    return [Trade(random_.choice("ABC"), float(random_.randint(1, 50)), random_.randint(1, 9)) for _ in range(number)]


def table_of(tuples: list[Any]) -> pa.Table:
    return pa.Table.from_pylist([t._asdict() for t in tuples])


def test_vwap_is_the_same_on_a_list_as_a_batch_and_as_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    tuples = trades(1)
    alone = OperatorRun(Vwap(), WINDOW)
    alone.extend(tuples)
    expected = sorted(map(tuple, alone.rows()))
    assert len(expected) > 20
    pieces = cut(table_of(tuples), random.Random(2))
    folder, half = tmp_path / "in", len(pieces) // 2
    write_batches(folder, pieces[:half])
    found = run(tr.stream(stream_of(spark, folder)).apply(Vwap(), window=WINDOW), tmp_path / "checkpoint")
    write_batches(folder, pieces[half:], half)  # and resumed from its checkpoint
    found += run(tr.stream(stream_of(spark, folder)).apply(Vwap(), window=WINDOW), tmp_path / "checkpoint")
    assert sorted(found) == expected
    batch = tr.stream(spark.read.parquet(str(folder))).apply(Vwap(), window=WINDOW).to_df()
    assert sorted(map(tuple, batch.collect())) == expected
