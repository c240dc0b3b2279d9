"""Concrete views: whoever reads one sees the relation of one instant, whole, while the stream runs and after a restart."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import transom as tr
from tests.spark.drained import stream_of, write
from transom.cli.shell import ShellSession
from transom.errors import BadOption, BadQuery, NotSupported, TransomError

pytestmark = pytest.mark.spark

MICRO_BATCHES = [[("a", 5), ("b", 6), ("b", 7)], [("a", 12)], [("c", 25), ("c", 26)], [("d", 47)], [("a", 71)]]
STATES = [
    [],
    [("a", 10, 1), ("b", 10, 2)],
    [("a", 20, 2), ("b", 20, 2)],
    [("c", 40, 2)],
    [],
]
"""Of windows of 20 seconds every 10, with no slack: at the instants 10, 20, 40 and 70, where nothing is left of d."""

SUMS = "SELECT k, window_end, count(*) AS n FROM s [RANGE 20 SECONDS SLIDE 10 SECONDS] GROUP BY k"


@pytest.fixture
def place(spark: SparkSession, tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for name in ("latest_sums", "read_once", "of_pairs"):
        spark.sql(f"DROP VIEW IF EXISTS {name}")


def put(spark: SparkSession, place: Path, rows: list[tuple[str, int]]) -> None:
    made = [(k, datetime.fromtimestamp(second, UTC)) for k, second in rows]
    write(spark.createDataFrame(made, "k STRING, ts TIMESTAMP"), place / "in")


def view_of(spark: SparkSession, place: Path) -> tr.Relation:
    source = stream_of(spark, place / "in", maxFilesPerTrigger=1)
    return tr.sql(f"CREATE VIEW latest_sums AS {SUMS}", s=tr.stream(source, order_by="ts", slack="0 seconds", name="s"))


def rows_in(spark: SparkSession, name: str = "latest_sums") -> list[tuple[str, int, int]]:
    return sorted((row.k, int(row.window_end.timestamp()), row.n) for row in spark.table(name).collect())


def test_a_view_is_the_relation_of_the_last_instant(spark: SparkSession, place: Path) -> None:
    seen: list[list[tuple[str, int, int]]] = []
    for rows in MICRO_BATCHES:
        put(spark, place, rows)
        running = view_of(spark, place).start(checkpoint=place / "checkpoint", available_now=True)
        running.awaitTermination()
        seen.append(rows_in(spark))
    assert seen == STATES


def test_whoever_reads_meanwhile_sees_whole_relations(spark: SparkSession, place: Path) -> None:
    for rows in MICRO_BATCHES:
        put(spark, place, rows)
    running = view_of(spark, place).start(checkpoint=place / "checkpoint", available_now=True)
    seen: list[list[tuple[str, int, int]]] = []
    failed: list[BaseException] = []

    def read() -> None:
        other = spark.newSession() if hasattr(spark, "newSession") else spark
        try:
            while running.isActive:
                seen.append(rows_in(other))
        except BaseException as error:
            failed.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    running.awaitTermination()
    reader.join()
    assert not failed
    assert all(one in STATES for one in seen)
    assert rows_in(spark) == STATES[-1]


def test_a_view_of_a_batch_holds_the_last_rows_there_were(spark: SparkSession, place: Path) -> None:
    put(spark, place, MICRO_BATCHES[0] + MICRO_BATCHES[1])
    batch = spark.read.parquet(str(place / "in"))
    relation = tr.stream(batch, order_by="ts", name="s").window(tr.sliding("20 seconds", "10 seconds"))
    relation.group_by("k").agg("window_end", n=tr.count()).insert_into("VIEW", "read_once").start()
    assert rows_in(spark, "read_once") == [("a", 30, 1)]


def test_a_view_of_a_join(spark: SparkSession, place: Path) -> None:
    put(spark, place, MICRO_BATCHES[0] + MICRO_BATCHES[1])
    batch = tr.stream(spark.read.parquet(str(place / "in")), order_by="ts", name="s")
    asked = "SELECT p.k, count(*) AS n FROM s [RANGE 1 ROW PATTR k] AS p JOIN s [RANGE 1 HOUR] AS q ON p.k = q.k GROUP BY p.k"
    tr.sql(f"CREATE VIEW of_pairs AS {asked}", s=batch).start()
    assert [tuple(row) for row in spark.table("of_pairs").collect()] == [("a", 1)]  # all others have left before


def test_a_table_of_somebody_else_is_left_alone(spark: SparkSession, place: Path) -> None:
    put(spark, place, MICRO_BATCHES[0])
    spark.sql("CREATE OR REPLACE VIEW latest_sums AS SELECT 1 AS x")
    with pytest.raises(BadQuery, match="no concrete view of ours"):
        view_of(spark, place).start(checkpoint=place / "checkpoint", available_now=True)
    assert spark.table("latest_sums").columns == ["x"]


@pytest.mark.classic
def test_the_shell_keeps_views_while_it_runs(spark: SparkSession, place: Path) -> None:
    (place / "lines").mkdir()
    for number, rows in enumerate(MICRO_BATCHES[:2]):
        lines = [json.dumps({"k": k, "ts": f"1970-01-01T00:00:{second:02}Z"}) for k, second in rows]
        (place / "lines" / f"{number}.json").write_text("\n".join(lines), encoding="utf-8")
    out = io.StringIO()
    session = ShellSession("jsonl", None, {}, out=out, spark=spark)
    session.take(f"CREATE STREAM s (k STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE '{place / 'lines'}' FORMAT json;")
    session.take(f"CREATE VIEW latest_sums AS {SUMS};")
    (running,) = session.views.running
    running.processAllAvailable()
    session.take("SELECT k, n FROM latest_sums ORDER BY k;")
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [{"k": "a", "n": 1}, {"k": "b", "n": 2}]
    session.views.stop()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("CREATE VIEW v AS SELECT k FROM s", BadQuery),
        ("CREATE TABLE v AS SELECT k FROM s [TUMBLE 5 SECONDS]", BadQuery),
        ("CREATE VIEW v AS SELECT ISTREAM k FROM s [TUMBLE 5 SECONDS]", BadQuery),
        ("CREATE VIEW v AS SELECT k FROM s [TUMBLE 5 SECONDS]; SELECT s.k FROM s JOIN v ON s.k = v.k", NotSupported),
    ],
)
def test_what_is_no_view(text: str, error: type[TransomError]) -> None:
    with pytest.raises(error):
        tr.script(text, s=tr.stream({"k": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="s"))


def test_late_rows_of_a_view_are_written_by_themselves(tmp_path: Path) -> None:
    windows = tr.stream({"k": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="s").window(tr.tumbling("5 seconds"))
    asked = windows.group_by("k").agg(n=tr.count())
    with pytest.raises(NotSupported, match="an execution of its own"):
        tr.write(asked.insert_into("VIEW", "v"), asked.late().insert_into("FILE", str(tmp_path)), checkpoint=tmp_path / "c")


def test_a_view_has_no_options() -> None:
    windows = tr.stream({"k": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="s").window(tr.tumbling("5 seconds"))
    with pytest.raises(BadOption):
        windows.insert_into("VIEW", "v", path="out")
    with pytest.raises(BadQuery):
        tr.stream({"k": "STRING"}, name="s").insert_into("VIEW", "v")
    assert windows.insert_into("VIEW", "v").sql().startswith("CREATE VIEW v AS SELECT")
