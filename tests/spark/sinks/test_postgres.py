"""Results in PostgreSQL, each once: also where a run dies between the transaction and Spark's commit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.postgres_server import postgres_server
from transom.errors import BadQuery

psycopg = pytest.importorskip("psycopg", reason="pip install 'transom[postgres]'")

pytestmark = [pytest.mark.spark, pytest.mark.server, pytest.mark.classic]

COLUMNS = "k STRING, v DECIMAL(10, 2), ts TIMESTAMP"
ROWS = [("a", 2.5, 1), ("b", 3.0, 2)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgres_server() as found:
        yield found


def query(spark: SparkSession, folder: Path) -> tr.Relation:
    source = spark.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 1).csv(str(folder / "in"))
    windows = tr.stream(source, order_by="ts").window(tumble=tr.minutes(1)).group_by("k")
    return windows.agg("window_end", hi=tr.max("v"), n=tr.count())


def more(folder: Path, minute: int) -> None:
    (folder / "in").mkdir(exist_ok=True)
    lines = f"a,1.5,2026-01-05T14:{minute:02}:10Z\na,2.5,2026-01-05T14:{minute:02}:20Z\n"
    path = folder / "in" / f"{minute:02}.csv"
    path.write_text(lines)
    os.utime(path, (1e9 + minute, 1e9 + minute))


def held(address: str, table: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(address, autocommit=True) as connection:
        text = f"SELECT k, to_char(window_end AT TIME ZONE 'UTC', 'HH24:MI'), hi::text, n FROM {table} ORDER BY 1, 2"
        return list(connection.execute(text).fetchall())


def make(address: str, table: str, columns: str = "k text, window_end timestamptz, hi numeric(10, 2), n bigint") -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {table} ({columns})")


class Dying:
    """Writes, and dies before Spark hears of it."""

    def __init__(self, save: Any, batch: int) -> None:
        self.save, self.batch = save, batch

    def __call__(self, rows: DataFrame, batch: int) -> None:
        self.save(rows, batch)
        if batch == self.batch:
            raise RuntimeError("killed")


def test_each_result_is_there_once(address: str, spark: SparkSession, tmp_path: Path) -> None:
    make(address, "hi_lo")
    place = tmp_path / "checkpoint"
    save = tr.postgres(address, "hi_lo", checkpoint=place)
    for minute in range(4):
        more(tmp_path, minute)
    with pytest.raises(tr.TransomError, match="killed"):
        query(spark, tmp_path).start(foreach_batch=Dying(save, 2), checkpoint=place, available_now=True).awaitTermination()
    assert held(address, "hi_lo") == [("a", "14:01", "2.50", 2), ("a", "14:02", "2.50", 2)]
    for minute in (None, 4):
        if minute is not None:
            more(tmp_path, minute)
        query(spark, tmp_path).start(foreach_batch=save, checkpoint=place, available_now=True).awaitTermination()
    assert held(address, "hi_lo") == [("a", f"14:0{n}", "2.50", 2) for n in range(1, 5)]


def test_a_table_that_does_not_fit_stays_as_it_is(address: str, spark: SparkSession, tmp_path: Path) -> None:
    make(address, "short", "k text, window_end timestamptz")
    make(address, "other", "k text, window_end timestamptz, hi boolean, n bigint")
    for minute in range(3):
        more(tmp_path, minute)
    for table, said in (("short", "no such columns"), ("missing", "CREATE TABLE missing"), ("other", "do not fit")):
        place = tmp_path / table
        save = tr.postgres(address, table, checkpoint=place)
        with pytest.raises(BadQuery, match=said):
            query(spark, tmp_path).start(foreach_batch=save, checkpoint=place, available_now=True).awaitTermination()
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*) FROM short").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM other").fetchone() == (0,)
