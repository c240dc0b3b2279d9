"""RATE, SOCKET and TABLE."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from transom.column_names import ARRIVAL, POSITION, SOURCE
from transom.errors import BadOption, BadQuery, MissingConnector, MissingSource, NotSupported, UnknownColumn
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.types.schema import Column
from transom.spark.sources.read_stream import read

pytestmark = [pytest.mark.spark, pytest.mark.classic]


def stream_of(
    columns: dict[str, str], kind: str, name: str | None = None, format: str | None = None, **options: str
) -> StreamDefinition:
    given = tuple((option.replace("__", "."), value) for option, value in options.items())
    return StreamDefinition("s", tuple(Column(*pair) for pair in columns.items()), source=Endpoint(kind, name, format, given))


def collected(rows: DataFrame, checkpoint: Path, enough: int) -> list[tuple[Any, ...]]:
    """The rows of a running stream, as they arrive, until there are enough."""
    found: list[tuple[Any, ...]] = []

    def keep(batch: DataFrame, _: int) -> None:
        found.extend(tuple(row) for row in batch.orderBy(SOURCE, POSITION).collect())

    query = rows.writeStream.foreachBatch(keep).option("checkpointLocation", str(checkpoint)).start()
    try:
        until = time.monotonic() + 40
        while len(found) < enough and time.monotonic() < until and query.isActive:
            time.sleep(0.05)
    finally:
        query.stop()
    return found


def test_rate_under_the_names_of_the_stream(spark: SparkSession, tmp_path: Path) -> None:
    stream = stream_of({"n": "INT", "ts": "TIMESTAMP", "x": "DOUBLE"}, "RATE", rowsPerSecond="50")
    rows = read(spark, stream)
    assert rows.columns == ["n", "ts", "x", SOURCE, POSITION, ARRIVAL]
    found = collected(rows, tmp_path, 20)
    assert [(row[0], row[2], row[4]) for row in found[:20]] == [(n, float(n), n) for n in range(20)]
    with pytest.raises(NotSupported):
        read(spark, stream, bounded=True)
    with pytest.raises(BadQuery):
        read(spark, stream_of({"s": "STRING"}, "RATE"))


@contextmanager
def sender(*lines: str) -> Iterator[str]:
    """Somebody who sends lines to whoever connects, and then keeps quiet."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        done = threading.Event()

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall("".join(f"{line}\n" for line in lines).encode())
                done.wait(60)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        done.set()
        thread.join(5)


def test_lines_from_a_connection(spark: SparkSession, tmp_path: Path) -> None:
    with sender("1,a", "broken", "2,b") as address:
        stream = stream_of({"n": "INT", "s": "STRING"}, "SOCKET", address, malformed="drop")
        found = collected(read(spark, stream), tmp_path, 2)
    assert found == [(1, "a", address, 1), (2, "b", address, 3)]


def test_a_connection_needs_an_address_and_has_no_end(spark: SparkSession) -> None:
    with pytest.raises(BadOption):
        read(spark, stream_of({"n": "INT"}, "SOCKET", "localhost"))
    with pytest.raises(BadOption):
        read(spark, stream_of({"n": "INT"}, "SOCKET", "localhost:1", malformed="reject", rejects="x"))
    with pytest.raises(NotSupported):
        read(spark, stream_of({"n": "INT"}, "SOCKET", "localhost:1"), bounded=True)


def test_tables_and_views(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(3).selectExpr("id AS N", "'x' AS s").createOrReplaceTempView("some_view")
    stream = stream_of({"n": "INT"}, "TABLE", "some_view")
    assert [row[0] for row in read(spark, stream, bounded=True).orderBy(POSITION).collect()] == [0, 1, 2]
    assert not read(spark, stream).isStreaming
    spark.range(3).write.mode("overwrite").saveAsTable("source_table")
    try:
        stored = stream_of({"id": "BIGINT"}, "TABLE", "source_table")
        assert read(spark, stored).isStreaming
        assert sorted(row[0] for row in collected(read(spark, stored), tmp_path, 3)) == [0, 1, 2]
        assert read(spark, stored, bounded=True).count() == 3
    finally:
        spark.sql("DROP TABLE source_table")
    with pytest.raises(UnknownColumn):
        read(spark, stream_of({"m": "INT"}, "TABLE", "some_view"))
    with pytest.raises(MissingSource):
        read(spark, stream_of({"m": "INT"}, "TABLE", "no_such_table"))


def test_kafka_says_what_is_missing(spark: SparkSession) -> None:
    with pytest.raises(BadOption, match="bootstrap"):
        read(spark, stream_of({"n": "INT"}, "KAFKA", "topic"))
    with pytest.raises(MissingConnector, match=r"spark\.jars\.packages=org\.apache\.spark:spark-sql-kafka"):
        read(spark, stream_of({"n": "INT"}, "KAFKA", "topic", kafka__bootstrap__servers="127.0.0.1:1"))
