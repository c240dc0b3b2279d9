"""Nexmark on Spark: what each query of the page answers over a batch, against DuckDB's answer over the same events."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.nexmark.generator import Event, events
from tests.nexmark.test_nexmark import NUMBERS, SIDE, SIZES, Bag, bag, by_duckdb, compared, comparison, plan_of
from tests.spark.on_spark import rows_of

pytestmark = pytest.mark.spark

ALWAYS = (5, 9, 19)
"""Ranks in a window, the winning bids of auctions as a stream of changes joined with bids, and what enters a top three."""


@lru_cache(maxsize=1)
def frames(spark: SparkSession, count: int) -> dict[str, DataFrame]:
    given = events(count)
    made = {}
    for stream in ("person", "auction", "bid"):
        table = pa.Table.from_pylist([event.row for event in given if event.stream == stream])
        made[stream] = spark.createDataFrame(table).coalesce(1)
    return made


def answers(spark: SparkSession, count: int, text: str, *, stamped: bool) -> list[dict[str, Any]]:
    """The rows of a query; those of a stream of changes with event_ts, and in its order."""
    if stamped:
        at = max(text.rfind(f"SELECT {kind}") for kind in ("ISTREAM", "DSTREAM")) + len("SELECT ISTREAM")
        text = f"{text[:at]} event_ts, {text[at:]}"
    streams = {name: tr.stream(frame, order_by="ts", name=name) for name, frame in frames(spark, count).items()}
    found = rows_of(tr.sql(text, **streams).to_df())
    return sorted(found, key=lambda row: row["event_ts"]) if stamped else found


def by_spark(spark: SparkSession, number: int, given: list[Event]) -> Bag:
    stamped = not comparison(number).startswith("rows")
    names = plan_of(number).schema.names
    return compared(number, given[-1].row["ts"], lambda text: answers(spark, len(given), text, stamped=stamped), names)


@pytest.mark.parametrize("number", [n if n in ALWAYS else pytest.param(n, marks=pytest.mark.long) for n in NUMBERS])
def test_spark_and_duckdb_agree(number: int, spark: SparkSession) -> None:
    given = events(SIZES.get(number, 200))
    spark.createDataFrame(SIDE).createOrReplaceTempView("side")
    want = by_duckdb(number, given)
    if number == 12:  # in a batch all bids arrive at once
        want = bag([bidder, n] for (bidder, _), n in _summed(want).items())
        assert bag([bidder, n] for bidder, n, _ in by_spark(spark, number, given).elements()) == want
        return
    assert by_spark(spark, number, given) == want


def _summed(counted: Bag) -> dict[tuple[Any, Any], int]:
    """The bids of each bidder, in whichever 10 seconds."""
    total: dict[tuple[Any, Any], int] = {}
    for bidder, n, _ in counted.elements():
        total[bidder, None] = total.get((bidder, None), 0) + n
    return total
