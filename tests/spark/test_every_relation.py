"""Every construct over relations on Spark: as a batch, and as a stream that is stopped, goes on and ends, the reference's rows.

The data have NULLs in keys, ties, decimals and dates, and tuples that are late.
"""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.engines.relation_constructs import COLUMNS, CONSTRUCTS
from tests.spark.collected import Collected
from tests.spark.drained import stream_of, write
from tests.spark.on_spark import rows_of
from transom.fluent.relation import Relation
from transom.reference.history import Arrival, End
from transom.spark.frames.query_frame import to_df
from transom.testing import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

pytestmark = pytest.mark.spark

Rows = dict[str, list[dict[str, Any]]]


def tuples(seed: int, size: int = 40) -> Rows:
    rng = random.Random(seed)
    made: Rows = {"a": [], "b": []}
    for n in range(size):
        name, value = ("a", "x") if rng.random() < 0.5 else ("b", "y")
        made[name].append(
            {
                "k": rng.choice(["p", "q", None]),
                value: rng.choice([Decimal("0.50"), Decimal("1.25"), Decimal("-3.00"), None]),
                "d": rng.choice([date(2026, 1, 1), date(2026, 2, 28), None]),
                "t": n - rng.choice([0, 0, 1, 2, 6]),
            }
        )
    return made


def frame_of(spark: SparkSession, name: str, rows: list[dict[str, Any]]) -> DataFrame:
    return spark.createDataFrame([tuple(row.values()) for row in rows], COLUMNS[name]).coalesce(1)


def asked(query: str, frames: dict[str, DataFrame]) -> Relation:
    used = {name: frame for name, frame in frames.items() if f" {name} " in query.replace(".", " ")}
    return tr.sql(query, **{name: tr.stream(frame, order_by="t", slack=3, name=name) for name, frame in used.items()})


def known(query: str, frames: dict[str, DataFrame], made: Rows) -> list[dict[str, Any]]:
    items = [(name, item) for name, rows in made.items() for item in [*map(Arrival, rows), End()]]
    return list(ReferenceRelations().start(asked(query, frames).plan, {}).feed(items))


def drained(queries: dict[str, str], spark: SparkSession, made: Rows, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of each query over a stream in two lives, the second of which ends."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in queries}
    for end, part in enumerate((slice(0, 8), slice(8, None))):
        for name, rows in made.items():
            write(frame_of(spark, name, rows[part]), folder / name)
        for n, (name, query) in enumerate(queries.items()):
            frame = to_df(asked(query, {one: stream_of(spark, folder / one) for one in made}).plan, end=end)
            collected = Collected(rows_of)
            stream = frame.writeStream.foreachBatch(collected).option("checkpointLocation", str(folder / f"checkpoint{n}"))
            stream.trigger(availableNow=True).start().awaitTermination()
            found[name] += [row for each in collected.found.values() for row in each]
    return found


@pytest.mark.long
@pytest.mark.parametrize("kind", ["joins", "sets", "changes"])
def test_stream_batch_and_definition_give_the_same_rows(kind: str, spark: SparkSession, tmp_path: Path) -> None:
    made = tuples(5)
    frames = {name: frame_of(spark, name, rows) for name, rows in made.items()}
    queries = {name: sql for name, (sql, _) in CONSTRUCTS[kind].items()}
    streamed = drained(queries, spark, made, tmp_path)
    for name, query in queries.items():
        wanted = known(query, frames, made)
        assert wanted, name
        assert_same_rows(rows_of(asked(query, frames).to_df()), wanted)
        assert_same_rows(streamed[name], wanted)


EMPTY = {
    "left": "SELECT a.k, x, y FROM a [RANGE 6] LEFT JOIN b [RANGE 4] ON a.k = b.k",
    "difference": "SELECT k, x FROM a [RANGE 6] EXCEPT ALL SELECT k, y FROM b [TUMBLE 5]",
    "intersection": "SELECT k, x FROM a [RANGE 6] INTERSECT SELECT k, y FROM b [TUMBLE 5]",
    "as-of": "SELECT x, y FROM a LEFT ASOF JOIN b MATCH_CONDITION (a.t >= b.t) ON a.k = b.k",
}


@pytest.mark.long
def test_a_stream_without_a_tuple_is_a_relation_without_a_row(spark: SparkSession, tmp_path: Path) -> None:
    made = {**tuples(6), "b": []}
    frames = {name: frame_of(spark, name, rows) for name, rows in made.items()}
    streamed = drained(EMPTY, spark, made, tmp_path)
    for name, query in EMPTY.items():
        wanted = known(query, frames, made)
        assert bool(wanted) is (name != "intersection")
        assert_same_rows(rows_of(asked(query, frames).to_df()), wanted)
        assert_same_rows(streamed[name], wanted)
