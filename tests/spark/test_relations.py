"""Joins, set operations and streams of changes on Spark: as a batch, and as a stream that is stopped, goes on and ends, they
answer what the reference does."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import run, stream_of, write
from tests.spark.on_spark import rows_of
from transom.fluent.relation import Relation
from transom.reference.history import Arrival, End
from transom.spark.frames.query_frame import to_df
from transom.testing import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

pytestmark = pytest.mark.spark

SCHEMAS = {"a": "k STRING, x BIGINT, t BIGINT", "b": "k STRING, y BIGINT, t BIGINT"}

LONG = [
    "SELECT k FROM a [RANGE 6] EXCEPT ALL SELECT k FROM b [TUMBLE 5]",
    "SELECT a.k, x, y FROM a ASOF LEFT JOIN b MATCH_CONDITION (a.t >= b.t) ON a.k = b.k",
    "SELECT DSTREAM k, sum(x) AS s FROM a [RANGE 8 SLIDE 4] GROUP BY k",
    "SELECT a.k, x, y FROM a [RANGE 6] FULL JOIN b [SESSION GAP 3] ON a.k <=> b.k AND x < y TIMESTAMP NOW",
    "SELECT DSTREAM a.k, x FROM a [RANGE 6 RATTR t SLIDE 1 ROW] LEFT ANTI JOIN b [RANGE 5 RATTR t SLIDE 2 ROWS] ON a.k = b.k",
    "SELECT p.x, q.y, r.x AS z FROM a [RANGE 6] AS p JOIN b [TUMBLE 5] AS q ON p.k = q.k JOIN a [NOW] AS r ON r.k = q.k"
    " TIMESTAMP MAX",
    "SELECT RSTREAM k, x FROM a [BAND 10 TO 40 SLIDE 10]",
]

QUERIES = [
    "SELECT a.k, x, y, event_ts FROM a LEFT JOIN b ON a.k = b.k AND b.t BETWEEN a.t - 2 AND a.t + 5",
    "SELECT ISTREAM a.k, count(*) AS n, max(y) AS m FROM a [RANGE 8 SLIDE 4] JOIN b [RANGE 2 ROWS] ON a.k = b.k GROUP BY a.k",
    "SELECT a.k, count(*) AS n, max(y) AS m, event_ts FROM a [RANGE 8 SLIDE 4] JOIN b [RANGE 6] ON a.k = b.k GROUP BY a.k",
    "SELECT p.x, q.y, r.x AS z, event_ts FROM a [RANGE 6] AS p LEFT JOIN b [RANGE 4] AS q ON p.k = q.k AND p.x < q.y"
    " FULL JOIN a [NOW] AS r ON r.k = p.k TIMESTAMP MAX",
    "SELECT p.x, q.y, r.x AS z, s.y AS u, event_ts FROM a AS p ASOF LEFT JOIN b AS q MATCH_CONDITION (p.t >= q.t) ON p.k = q.k"
    " ASOF LEFT JOIN a AS r MATCH_CONDITION (p.t > r.t) ON q.y = r.x JOIN b [RANGE 6] AS s ON s.k = p.k",
    *(pytest.param(query, marks=pytest.mark.long) for query in LONG),
]


def tuples(seed: int) -> dict[str, list[dict[str, Any]]]:
    rng = random.Random(seed)
    made: dict[str, list[dict[str, Any]]] = {"a": [], "b": []}
    for n in range(60):
        name, value = ("a", "x") if rng.random() < 0.5 else ("b", "y")
        made[name].append({"k": rng.choice(["p", "q", None]), value: rng.randint(0, 4), "t": n - rng.choice([0, 0, 1, 2, 6])})
    return made


def frame_of(spark: SparkSession, name: str, rows: list[dict[str, Any]]) -> DataFrame:
    return spark.createDataFrame([tuple(row.values()) for row in rows], SCHEMAS[name]).coalesce(1)


def asked(query: str, frames: dict[str, DataFrame]) -> Relation:
    return tr.sql(query, **{name: tr.stream(frame, order_by="t", slack=3, name=name) for name, frame in frames.items()})


@pytest.mark.parametrize("query", QUERIES)
def test_a_batch_and_a_stream_answer_what_the_reference_does(query: str, spark: SparkSession, tmp_path: Path) -> None:
    made = tuples(3)
    plan = asked(query, {name: frame_of(spark, name, rows) for name, rows in made.items()}).plan
    reference = ReferenceRelations().start(plan, {})
    known = reference.feed([(name, item) for name, rows in made.items() for item in [*map(Arrival, rows), End()]])
    assert known
    used = {name for name in made if f"{name} " in query.replace("[", " [")}
    whole = asked(query, {name: frame_of(spark, name, made[name]) for name in used})
    assert_same_rows(rows_of(whole.to_df()), known)
    found = []
    for end, part in enumerate((slice(0, 12), slice(12, None))):
        for name in used:
            write(frame_of(spark, name, made[name][part]), tmp_path / name)
        streams = {name: stream_of(spark, tmp_path / name) for name in used}
        batches, _ = run(to_df(asked(query, streams).plan, end=end), tmp_path / "checkpoint")
        found += [row for each in batches for row in each]
    assert_same_rows(found, known)
