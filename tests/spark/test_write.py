"""Results and late rows of one execution, written from Python: each once, whatever the sink and however often it is restarted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any, cast

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import run, stream_of, write
from tests.spark.sources.streams import uncommit
from transom.errors import ArithmeticOverflow, BadQuery, CheckpointMismatch, QueryFailed, TransomError
from transom.spark.running.messages.interrupted import in_short

pytestmark = [pytest.mark.spark, pytest.mark.classic]

SECONDS = [[1, 2, 12], [3, 14, 25], [4, 11, 26, 41]]
RESULTS = {("a", 5, 2), ("a", 15, 2), ("a", 30, 2)}
LATE = {3, 4, 11}
"""Two tuples are below windows that have left; 11 came when its window had, too."""


@pytest.fixture
def data(spark: SparkSession, tmp_path: Path) -> Iterator[Path]:
    """A file for each micro-batch."""
    for seconds in SECONDS:
        rows = [("a", datetime.fromtimestamp(second, UTC)) for second in seconds]
        write(spark.createDataFrame(rows, "k STRING, ts TIMESTAMP"), tmp_path / "in")
    yield tmp_path
    spark.sql("DROP TABLE IF EXISTS written")


def query(source: DataFrame, tumble: int = 5) -> tr.Relation:
    windows = tr.stream(source, order_by="ts", name="s", slack=tr.seconds(0)).window(tumble=tr.seconds(tumble))
    return windows.group_by("k").agg(e="window_end", n=tr.count())


def source_of(spark: SparkSession, data: Path) -> DataFrame:
    return stream_of(spark, data / "in", maxFilesPerTrigger=1)


def results_in(frame: DataFrame) -> list[tuple[Any, ...]]:
    return sorted((row.k, int(row.e.timestamp()), row.n) for row in frame.collect())


def late_in(frame: DataFrame) -> list[int]:
    return sorted(int(row.ts.timestamp()) for row in frame.collect())


def forget(checkpoint: Path, *, marks: tuple[str, ...]) -> None:
    """As if it had been killed after the last micro-batch was written, before anything said so."""
    last = max(int(path.name) for path in (checkpoint / "commits").iterdir() if path.name.isdecimal())
    uncommit(checkpoint, last)
    for mark in marks:
        (checkpoint / mark).write_text(str(last - 1), encoding="utf-8")


def test_into_a_table_and_files_each_row_once(spark: SparkSession, data: Path) -> None:
    def start() -> None:
        q = query(source_of(spark, data))
        late = q.late().select("ts").insert_into("FILE", str(data / "late"), format="parquet")
        running = tr.write(q.insert_into("TABLE", "written"), late, checkpoint=data / "ck", available_now=True)
        running.awaitTermination()
        assert not running.isActive
        quality = tr.Quality.of(running).last
        assert quality is None or quality.late == len(LATE)

    start()
    once = results_in(spark.table("written")), late_in(spark.read.parquet(str(data / "late")))
    forget(data / "ck", marks=("transom_written-0", "transom_written-1"))
    start()
    again = results_in(spark.table("written")), late_in(spark.read.parquet(str(data / "late")))
    assert again == once
    assert set(once[1]) == LATE
    assert len(once[0]) == len(set(once[0])) > 0

    later = spark.createDataFrame(
        [("a", datetime.fromtimestamp(90, UTC)), ("a", datetime.fromtimestamp(99, UTC))], "k STRING, ts TIMESTAMP"
    )
    write(later, data / "in")
    start()
    assert len(results_in(spark.table("written"))) > len(once[0]), "the session remembers the files that it has read before"

    batch = query(spark.read.parquet(str(data / "in")))
    handed: list[Any] = []
    running = tr.write(
        batch, batch.late(), foreach_batch=lambda results, late, n: handed.append((results_in(results), late_in(late), n))
    )
    assert (running.isActive, running.awaitTermination(1), running.recentProgress) == (False, True, [])
    assert len(handed) == 1


def test_into_one_function_that_fails_and_is_mended(spark: SparkSession, data: Path) -> None:
    found: dict[int, tuple[Any, Any]] = {}

    def start(fails: bool) -> tr.RunningQuery:
        def save(results: DataFrame, late: DataFrame, batch: int) -> None:
            if fails and batch == 1:
                raise ZeroDivisionError("no more")
            found[batch] = results_in(results), late_in(late)

        q = query(source_of(spark, data))
        return tr.write(q, q.late(), foreach_batch=save, checkpoint=data / "ck", available_now=True)

    with pytest.raises(QueryFailed, match="no more") as caught:
        start(fails=True).awaitTermination()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    start(fails=False).awaitTermination()
    assert sorted(found) == [0, 1, 2]
    assert {second for _, late in found.values() for second in late} == LATE
    results = [row for rows, _ in found.values() for row in rows]
    assert len(results) == len(set(results)) > 0


def test_a_changed_query_is_noticed_at_once(spark: SparkSession, data: Path) -> None:
    source = source_of(spark, data)

    def start(q: tr.Relation) -> tr.RunningQuery:
        return q.insert_into("FILE", str(data / "out"), format="parquet").start(checkpoint=data / "ck", available_now=True)

    start(query(source)).awaitTermination()
    with pytest.raises(CheckpointMismatch, match="belongs to another query") as caught:
        start(query(source, tumble=10))
    text = str(caught.value)
    assert "RANGE 5 SECONDS" in text
    assert "RANGE 10 SECONDS" in text
    q = query(source)
    with pytest.raises(BadQuery, match="more than once"):
        tr.write(q.insert_into("FILE", "x"), q.late().insert_into("FILE", "x"), checkpoint=data / "other")
    with pytest.raises(TransomError, match="checkpoint"):
        query(source).insert_into("FILE", str(data / "out")).start()


def test_spark_itself_shows_what_has_changed(spark: SparkSession, data: Path) -> None:
    """A plain writeStream asks nobody: the first micro-batch fails, and says in what the query differs."""
    source = source_of(spark, data)
    run(query(source).to_df(), data / "plain")
    write(spark.createDataFrame([("a", datetime.fromtimestamp(50, UTC))], "k STRING, ts TIMESTAMP"), data / "in")
    with pytest.raises(StreamingQueryException) as caught:
        run(query(source_of(spark, data), tumble=10).to_df(), data / "plain")
    text = str(caught.value)
    assert "CheckpointMismatch: the checkpoint belongs to another query" in text
    assert "was:    SELECT k, window_end AS e, COUNT(*) AS n FROM s [RANGE 5 SECONDS SLIDE 5 SECONDS WATTR ts] GROUP BY k" in text
    assert "RANGE 10 SECONDS SLIDE 10 SECONDS WATTR ts" in text


def test_what_a_worker_says_has_its_name_and_no_traceback(spark: SparkSession, data: Path) -> None:
    rows = [("a", 2**62, datetime.fromtimestamp(second, UTC)) for second in (1, 2, 3, 9)]
    write(spark.createDataFrame(rows, "k STRING, v BIGINT, ts TIMESTAMP"), data / "large")
    sums = tr.stream(stream_of(spark, data / "large"), order_by="ts").window(tumble="5 seconds").agg(s=tr.sum("v"))
    running = sums.insert_into("FILE", str(data / "sums")).start(checkpoint=data / "ck", available_now=True)
    with pytest.raises(ArithmeticOverflow) as caught:
        running.awaitTermination()
    assert isinstance(caught.value.__cause__, StreamingQueryException)
    assert "Traceback" not in str(caught.value.__cause__)
    assert isinstance(running.exception(), ArithmeticOverflow)


def test_an_interrupt_is_short_enough_for_spark_to_read(spark: SparkSession, data: Path) -> None:
    """Spark reads the text of the error with an expression that recurses for every character: a long one overflows its stack."""
    raised: list[BaseException] = []
    began = Event()

    def slowly(frame: DataFrame, batch: int) -> None:
        began.set()
        try:
            frame.sparkSession.range(1).selectExpr("reflect('java.lang.Thread', 'sleep', 30000L)").collect()
        except BaseException as error:
            raised.append(error)
            raise

    running = tr.write(query(source_of(spark, data)), foreach_batch=slowly, checkpoint=data / "ck")
    assert began.wait(60)
    sleep(1)
    running.stop()
    assert running.exception() is None
    text, jvm = str(in_short(raised[0])), cast(Any, spark)._jvm
    assert len(str(raised[0])) > 20 * len(text)
    execution = jvm.org.apache.spark.sql.execution.streaming.runtime.StreamExecution
    assert execution.isInterruptionException(jvm.py4j.Py4JException(text), cast(Any, spark)._jsc.sc())


def test_a_failed_job_of_ones_own_has_its_reason(spark: SparkSession, data: Path) -> None:
    """Also where the text of Java's error is long."""

    def failing(frame: DataFrame, batch: int) -> None:
        frame.sparkSession.range(1).selectExpr("reflect('java.lang.Thread', 'sleep', -1L)").collect()

    running = tr.write(query(source_of(spark, data)), foreach_batch=failing, checkpoint=data / "ck", available_now=True)
    with pytest.raises(QueryFailed, match="timeout value is negative"):
        running.awaitTermination()


def test_a_table_takes_the_rows_of_one_run(spark: SparkSession, data: Path) -> None:
    """The log of the first would hide those of the second."""
    first = query(source_of(spark, data)).insert_into("TABLE", "written")
    first.start(checkpoint=data / "first", available_now=True).awaitTermination()
    held = spark.table("written").count()
    other = query(source_of(spark, data), tumble=10).insert_into("TABLE", "written")
    with pytest.raises(BadQuery, match="holds results of another run"):
        other.start(checkpoint=data / "other", available_now=True)
    first.start(checkpoint=data / "first", available_now=True).awaitTermination()
    assert spark.table("written").count() == held > 0


@pytest.mark.parametrize("late", [False, True])
def test_a_table_that_the_catalog_has_forgotten_is_named_again(spark: SparkSession, data: Path, late: bool) -> None:
    """As after a restart of the program, where the catalog is in memory."""

    def ran() -> list[tuple[Any, ...]]:
        asked = query(source_of(spark, data))
        beside = [asked.late().insert_into("FILE", str(data / "late"), format="parquet")] if late else []
        written = asked.insert_into("TABLE", "written")
        tr.write(written, *beside, checkpoint=data / "checkpoint", available_now=True).awaitTermination()
        return results_in(spark.table("written"))

    before = ran()
    place = Path(spark.sql("DESCRIBE EXTENDED written").where("col_name = 'Location'").first().data_type.removeprefix("file:"))
    shutil.copytree(place, data / "kept")
    spark.sql("DROP TABLE written")
    shutil.copytree(data / "kept", place)
    write(spark.createDataFrame([("a", datetime.fromtimestamp(60, UTC))], "k STRING, ts TIMESTAMP"), data / "in")
    assert set(before) < set(ran())
    spark.sql("DROP TABLE written")
    shutil.rmtree(place, ignore_errors=True)
