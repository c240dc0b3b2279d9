"""Late tuples of joins, set operations and chains of windows on Spark: with the results of one execution, as the reference has
them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import stream_of, write
from tests.spark.on_spark import rows_of
from tests.spark.test_relations import frame_of, tuples
from transom.fluent.relation import Relation
from transom.reference.history import Arrival
from transom.testing import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

pytestmark = [pytest.mark.spark, pytest.mark.classic]

COUNTED = "SELECT ISTREAM a.k, count(*) AS n, max(y) AS m FROM a [RANGE 8 SLIDE 4] JOIN b [RANGE 6] ON a.k = b.k GROUP BY a.k"
OTHERS = [
    "SELECT a.k, x, m FROM a [RANGE 6] JOIN (SELECT k, max(y) AS m FROM b [TUMBLE 5] GROUP BY k) q ON a.k = q.k",
    "SELECT k FROM a [RANGE 6] EXCEPT SELECT k FROM b [TUMBLE 5]",
    "SELECT p.k, count(*) AS n FROM (SELECT a.k, x FROM a JOIN b ON a.k = b.k AND b.t BETWEEN a.t AND a.t + 5 TIMESTAMP MAX) p "
    "[TUMBLE 5] GROUP BY p.k",
]


def asked(query: str, frames: dict[str, DataFrame]) -> Relation:
    return tr.sql(query, **{name: tr.stream(frame, order_by="t", slack=3, name=name) for name, frame in frames.items()})


def known(relation: Relation, made: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    items = [(name, Arrival(row)) for name, rows in made.items() for row in rows]
    found = ReferenceRelations().start(relation.plan, {}).feed(items)
    assert found
    return found


def test_results_and_late_tuples_of_one_execution_that_goes_on(spark: SparkSession, tmp_path: Path) -> None:
    made = tuples(14)
    whole = asked(COUNTED, {name: frame_of(spark, name, rows) for name, rows in made.items()})
    for part in (slice(0, 12), slice(12, None)):
        for name, rows in made.items():
            write(frame_of(spark, name, rows[part]), tmp_path / name)
        q = asked(COUNTED, {name: stream_of(spark, tmp_path / name) for name in made})
        running = tr.write(
            q.insert_into("FILE", str(tmp_path / "results"), format="parquet"),
            q.late()
            .select("input", "k", "t", "x", "y", "frontier")
            .insert_into("FILE", str(tmp_path / "late"), format="parquet"),
            checkpoint=tmp_path / "ck",
            available_now=True,
        )
        running.awaitTermination()
    late = known(whole.late().select("input", "k", "t", "x", "y", "frontier"), made)
    assert {row["input"] for row in late} == {"a", "b"}
    assert_same_rows(rows_of(spark.read.parquet(str(tmp_path / "late"))), late)
    assert_same_rows(rows_of(spark.read.parquet(str(tmp_path / "results"))), known(whole, made))


@pytest.mark.parametrize("query", OTHERS)
def test_a_batch_has_the_late_tuples_of_its_inputs(query: str, spark: SparkSession) -> None:
    made = tuples(14)
    whole = asked(query, {name: frame_of(spark, name, rows) for name, rows in made.items()})
    assert_same_rows(rows_of(whole.late().to_df()), known(whole.late(), made))


def test_a_window_over_a_window_passes_on_what_is_late_for_the_first(spark: SparkSession) -> None:
    rows = [{"k": "p", "x": 1, "t": t} for t in (2, 9, 3, 30)]
    stream = tr.stream(frame_of(spark, "a", rows), order_by="t", slack=0, name="a")
    sums = stream.select("k", "t", z="x + 1").window(tumble=5).group_by("k").agg("window_end", s=tr.sum("z"))
    found = rows_of(sums.as_stream("sums").window(tumble=10).agg(u=tr.sum("s")).late().to_df())
    assert found == [{"k": "p", "t": 3, "z": 2, "frontier": 9}]
