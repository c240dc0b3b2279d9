"""A running query on the page: attached from Python, on Spark."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import transom as tr
from transom.errors import BadOption
from transom.monitor.board.board import Board
from transom.spark.watched import _watching, is_watched, watch_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

START = 1_767_621_600
STREAM = """
    CREATE STREAM readings (device STRING, pressure DOUBLE, at TIMESTAMP) ORDER BY at SLACK 10 SECONDS
      SOURCE FILE '{folder}' FORMAT csv;
    SELECT device, max(pressure) AS highest, window_end FROM readings [TUMBLE 1 MINUTE] GROUP BY device;
"""


def put(folder: Path, name: str, seconds: list[int]) -> None:
    lines = [f"d{s % 2},{s},{datetime.fromtimestamp(START + s, UTC).isoformat()}\n" for s in seconds]
    beside = folder.parent / name
    beside.write_text("".join(lines), encoding="utf-8")
    beside.rename(folder / name)


def bars(frame: dict[str, Any]) -> list[list[Any]]:
    return [[(low - START * 1000) / 60_000, count, closed] for _, low, _, count, closed in frame["windows"]]


def later(board: Board, title: str, n: int) -> dict[str, Any]:
    """The last frame, once there is one after the n-th."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        frame: dict[str, Any] = json.loads(board.frame(title) or "")
        if frame["n"] > n:
            return frame
        time.sleep(0.1)
    raise AssertionError("no report came")


@pytest.mark.spark
def test_a_query_that_runs_is_watched_as_it_goes(spark: SparkSession, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the console needs its extra: transom[console]")
    folder = tmp_path / "readings"
    folder.mkdir()
    put(folder, "a.csv", [0, 10, 61])
    query = tr.sql(STREAM.format(folder=folder))
    rows: list[Any] = []
    running = tr.write(
        query, checkpoint=str(tmp_path / "c"), foreach_batch=lambda batch, n: rows.extend(batch.collect()), spark=spark
    )
    try:
        running.processAllAvailable()
        assert not is_watched(watch_of(spark))
        page = tr.console(running, port=0, spark=spark)
        try:
            assert is_watched(watch_of(spark))
            assert page._repr_html_().startswith('<a href="http://127.0.0.1:')
            title = page.board.queries()[0]["title"]
            told = page.board.query(title)
            assert told is not None
            assert "RANGE 1 MINUTE" in told["about"]["explain"]
            before = json.loads(page.board.frame(title) or "")
            assert before["watched"] is False
            assert all(count is None for _, _, _, count, _ in before["windows"])
            put(folder, "b.csv", [62, 63, 130, 5])
            running.processAllAvailable()
            frame = later(page.board, title, before["n"])
        finally:
            page.close()
        assert frame["watched"] is True
        assert bars(frame) == [[1.0, 2, True], [2.0, 1, False]]
        assert frame["missed_count"] == 1
        assert sorted((row["device"], row["highest"]) for row in frame["recent_results"]) == [
            ("d0", 10.0),
            ("d0", 62.0),
            ("d1", 63.0),
        ]
        assert not is_watched(watch_of(spark))
        assert not _watching
    finally:
        running.stop()
    assert len(rows) == 3


def test_what_does_not_stream_cannot_be_watched() -> None:
    with pytest.raises(BadOption, match="queries that stream"):
        tr.console(5)


@pytest.mark.spark
def test_queries_that_begin_later_are_seen_and_a_failure_is_named(spark: SparkSession, tmp_path: Path) -> None:
    """By one who asks once a second: what was reported before the end is heard, and nothing twice."""
    from transom.spark.running.listening import listen

    heard: list[tuple[Any, ...]] = []

    class Notes:
        def started(self, id: str, name: str | None) -> None:
            heard.append(("started", id))

        def progressed(self, id: str, name: str | None, report: dict[str, Any]) -> None:
            heard.append(("progressed", id, report["batchId"]))

        def ended(self, id: str, error: str | None) -> None:
            heard.append(("ended", id, error))

    stop = listen(spark, Notes())
    frame = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 2).load()
    query = frame.selectExpr("IF(value > 3, raise_error('no more'), value) AS x").writeStream.format("noop")
    running = query.option("checkpointLocation", str(tmp_path / "c")).trigger(processingTime="2 seconds").start()
    try:
        until = time.monotonic() + 60
        while not any(one[0] == "ended" for one in heard) and time.monotonic() < until:
            time.sleep(0.1)
    finally:
        stop()
        running.stop()
    own = [one for one in heard if one[1] == str(running.id)]
    assert own[0] == ("started", str(running.id))
    assert [one[2] for one in own[1:-1]] == [0, 1]
    assert own[-1][0] == "ended"
    assert "no more" in own[-1][2]
    assert "Exception" not in own[-1][2]
