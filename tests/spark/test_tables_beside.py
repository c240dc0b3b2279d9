"""Static tables beside streams, windows and joins on Spark: as a batch and as a stream they answer what the reference does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import run, stream_of, write
from tests.spark.on_spark import rows_of
from transom.reference.history import Arrival, End
from transom.spark.frames.query_frame import to_df
from transom.testing import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

pytestmark = pytest.mark.spark

SCHEMAS = {"a": "k STRING, x BIGINT, t BIGINT", "b": "k STRING, y BIGINT, t BIGINT", "c": "code BIGINT, name STRING, low BIGINT"}
ROWS: dict[str, list[dict[str, Any]]] = {
    "a": [{"k": "pqr"[n % 3], "x": n % 5, "t": n} for n in range(30)],
    "b": [{"k": "pq"[n % 2], "y": n % 4, "t": n} for n in range(30)],
    "c": [
        {"code": 1, "name": "one", "low": 0},
        {"code": 1, "name": "uno", "low": 20},
        {"code": 2, "name": "two", "low": 10},
        {"code": None, "name": "none", "low": 0},
    ],
}

QUERIES = [
    "SELECT k, count(*) AS n FROM a [TUMBLE 6] LEFT SEMI JOIN c ON x = code AND t > low GROUP BY k",
    "SELECT a.k, x, y FROM a [RANGE 5] JOIN b [RANGE 3] ON a.k = b.k LEFT ANTI JOIN c ON x = code",
    pytest.param("SELECT k, count(*) AS n FROM a [TUMBLE 6] LEFT ANTI JOIN c ON x > low GROUP BY k", marks=pytest.mark.long),
    pytest.param(
        "SELECT ISTREAM a.k, count(*) AS n FROM a [RANGE 5] JOIN b [RANGE 3] ON a.k = b.k LEFT SEMI JOIN c ON x = code"
        " GROUP BY a.k",
        marks=pytest.mark.long,
    ),
    pytest.param("SELECT name, count(*) AS n FROM c JOIN a [TUMBLE 6] ON x = code GROUP BY name", marks=pytest.mark.long),
    pytest.param("SELECT name, x FROM c RIGHT JOIN a [TUMBLE 6] ON x = code", marks=pytest.mark.long),
]


def frame_of(spark: SparkSession, name: str) -> DataFrame:
    return spark.createDataFrame([tuple(row.values()) for row in ROWS[name]], SCHEMAS[name]).coalesce(1)


def asked(query: str, frames: dict[str, DataFrame]) -> tr.Relation:
    streams = {name: tr.stream(frame, order_by="t", slack=2, name=name) for name, frame in frames.items()}
    return tr.sql(f"CREATE TABLE c ({SCHEMAS['c']}); {query}", **streams)


@pytest.fixture
def tables(spark: SparkSession) -> dict[str, list[dict[str, Any]]]:
    frame_of(spark, "c").createOrReplaceTempView("c")
    return {"c": ROWS["c"]}


@pytest.mark.parametrize("query", QUERIES)
def test_a_batch_and_a_stream_answer_what_the_reference_does(
    query: str, spark: SparkSession, tables: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    used = [name for name in ("a", "b") if f" {name} [" in query]
    bounded = asked(query, {name: frame_of(spark, name) for name in used})
    reference = ReferenceRelations().start(bounded.plan, tables)
    known = reference.feed([(name, item) for name in used for item in [*map(Arrival, ROWS[name]), End()]])
    assert known
    assert_same_rows(rows_of(bounded.to_df()), known)
    for name in used:
        write(frame_of(spark, name), tmp_path / name)
    streams = {name: stream_of(spark, tmp_path / name) for name in used}
    batches, _ = run(to_df(asked(query, streams).plan, end=1), tmp_path / "checkpoint")
    assert_same_rows([row for each in batches for row in each], known)


def test_beside_a_join_in_step(spark: SparkSession, tables: dict[str, list[dict[str, Any]]]) -> None:
    asked_of = "SELECT k, {what} FROM {of} [TUMBLE 10] GROUP BY k"
    one, other = asked_of.format(what="max(x) AS m", of="a"), asked_of.format(what="count(*) AS n", of="b")
    query = f"SELECT p.k, m, n, low FROM ({one}) AS p JOIN ({other}) AS q ON p.k = q.k AND p.event_ts = q.event_ts"
    frames = {name: frame_of(spark, name) for name in ("a", "b")}
    found = rows_of(asked(f"{query} JOIN c ON m = code + 2 AND c.low > 0", frames).to_df())
    highest = {"p": [4, 3, 4], "q": [4, 4, 3]}
    low = {3: 20, 4: 10}
    assert_same_rows(found, [{"k": k, "m": m, "n": 5, "low": low[m]} for k, each in highest.items() for m in each])
    kept = rows_of(asked(f"{query.replace(', low', '')} LEFT ANTI JOIN c ON m = code + 3", frames).to_df())
    assert_same_rows(kept, [{"k": key, "m": 3, "n": 5} for key in "pq"])
