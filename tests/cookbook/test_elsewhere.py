"""Recipes that need a server: PostgreSQL, Kafka, Spark Connect. Each is skipped where that is not to be had."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cookbook import data, to_delta
from tests.spark.kafka_broker import connector_jars, jars, kafka_broker
from tests.spark.postgres_server import postgres_server

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.spark, pytest.mark.server, pytest.mark.long]


def program(*arguments: str) -> str:
    """What a program prints that has a session of its own."""
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_postgres_has_each_row_once(spark: Any, tmp_path: Path) -> None:
    psycopg = pytest.importorskip("psycopg")
    from cookbook import to_postgres

    with postgres_server() as address:
        to_postgres.run(data.stream(spark, "orders", tmp_path / "input"), address, tmp_path)
        with psycopg.connect(address) as connection:
            sales = connection.execute("SELECT batch, item, amount, window_end FROM sales").fetchall()
            missed = connection.execute("SELECT count(*) FROM missed").fetchone()
        assert len({row[1:] for row in sales}) == len(sales) > 5
        assert missed is not None
        assert missed[0] > 0
        batch = max(row[0] for row in sales)
        again = [row for row in sales if row[0] == batch]
        frame = spark.createDataFrame([row[1:] for row in again], "item STRING, amount DOUBLE, window_end TIMESTAMP")
        late = spark.createDataFrame([], "order_id BIGINT, item STRING, ts TIMESTAMP")
        to_postgres.saver(address)(frame, late, batch)
        with psycopg.connect(address) as connection:
            repeated = connection.execute("SELECT batch, item, amount, window_end FROM sales").fetchall()
        assert sorted(repeated) == sorted(sales)


def test_topics_in_sql_and_in_python(tmp_path: Path) -> None:
    connector = ",".join(str(jar) for jar in connector_jars().glob("*.jar"))
    with kafka_broker(tmp_path, partitions=1) as address:
        printed = program("-m", "tests.cookbook.kafka_session", address, connector, str(tmp_path))
    found = json.loads(printed.splitlines()[-1])
    assert found["sql"] == found["python"]
    assert len(found["sql"]) > 5


def test_over_connect(tmp_path: Path, spark: Any) -> None:
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio")
    data.stream(spark, "orders", tmp_path)
    printed = program("cookbook/over_connect.py", "local[2]", str(tmp_path / "orders"))
    assert [line.split()[0] for line in printed.splitlines()[-4:]] >= ["cup"]
    assert {"cup", "hat", "pen", "rug"} == {line.split()[0] for line in printed.splitlines() if line.strip()}


DELTA = "io.delta:delta-spark_4.1_2.13:4.1.0"
"""The newest that is published; where it does not fit this release of Spark, the test is skipped and says so."""


def test_delta_has_each_row_once(tmp_path: Path) -> None:
    found = jars("delta-4.1.0", DELTA)
    if found is None:
        pytest.skip(f"{DELTA} is not to be had")
    names = [jar for jar in sorted(found.glob("*.jar")) if jar.name.startswith(("delta", "unitycatalog"))]
    printed = program("-m", "tests.cookbook.delta_session", ",".join(map(str, names)), str(tmp_path))
    counted = json.loads(printed.splitlines()[-1])
    if "mismatch" in counted:
        pytest.skip(f"{DELTA} does not fit this release of Spark: {counted['mismatch']}")
    assert counted["sales"] > 5
    assert counted["missed"] > 0
    assert counted["again"] == counted["sales"]


def test_the_recipe_for_delta_writes_results_and_late_rows(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In another format, which takes the same options and has no transactions: for as long as Delta does not fit this Spark."""
    monkeypatch.setattr(to_delta, "FORMAT", "parquet")
    to_delta.run(data.stream(spark, "orders", tmp_path / "input"), tmp_path)
    assert spark.read.parquet(str(tmp_path / "sales")).count() > 5
    assert spark.read.parquet(str(tmp_path / "missed")).count() > 0
