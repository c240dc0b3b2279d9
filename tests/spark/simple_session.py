"""A batch and a stream over the same files, in whatever session the builder makes; it prints the rows."""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.connect_server import over_connect
from transom.fluent.relation import Relation
from transom.spark.running.listening import listen


def query(source: DataFrame) -> Relation:
    stream = tr.stream(source, order_by="ts", name="s", slack=tr.seconds(3))
    return stream.window(range=tr.seconds(20), slide=tr.seconds(5)).group_by("k").agg(e="window_end", n="count(*)", s="sum(v)")


RECENT = """
CREATE WINDOW AGGREGATE recent(x BIGINT) RETURNS BIGINT {
  TABLE state(total BIGINT);
  TABLE inwindow(old BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x); INSERT INTO RETURN VALUES (x); }
  ITERATE:    { UPDATE state SET total = total + x; INSERT INTO RETURN SELECT total FROM state; }
  EXPIRE:     { UPDATE state SET total = total - oldest().old; }
};
"""


class Recent:
    """The same in Python."""

    def initialize(self, x: int) -> int:
        self.total = x
        return x

    def iterate(self, x: int) -> int:
        self.total += x
        return self.total

    def expire(self) -> None:
        self.total -= self.oldest()  # type: ignore[attr-defined]


def written(source: DataFrame, name: str = "recent") -> Relation:
    """A query with an aggregate that a user wrote: `recent` in SQL, `recent_too` in Python."""
    stream = tr.stream(source, order_by="ts", name="s", slack=tr.seconds(3))
    definition = RECENT if name == "recent" else ""
    return tr.sql(
        f"{definition} SELECT k, ts AS e, {name}(v) OVER (PARTITION BY k ROWS 4 PRECEDING) AS n, v AS s FROM s", s=stream
    )


def shipped(spark: SparkSession, folder: Path) -> None:
    """The same in a module that the server does not have until it is sent there."""
    path = folder / "aggregates_of_mine.py"
    path.write_text(f"from __future__ import annotations\n\n\n{inspect.getsource(Recent)}")
    spark.addArtifacts(str(path), pyfile=True)
    sys.path.append(str(folder))
    module = importlib.import_module("aggregates_of_mine")
    sys.path.remove(str(folder))
    tr.aggregate(returns="BIGINT", name="shipped")(module.Recent)


@contextmanager
def unasked(spark: Any) -> Iterator[None]:
    """A server that is asked nothing about a DataFrame: no schema, no analysis."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("Spark was asked")

    before = spark.client._analyze
    spark.client._analyze = refuse
    try:
        yield
    finally:
        spark.client._analyze = before


GIVEN = "k STRING, v BIGINT, ts TIMESTAMP"
BUILT = (
    "SELECT k, window_end AS e, count(*) AS n, sum(v) AS s FROM s [RANGE 20 SECONDS SLIDE 5 SECONDS] GROUP BY k",
    "SELECT k, ts AS e, count(*) OVER (PARTITION BY k RANGE 9 SECONDS PRECEDING) AS n, v AS s FROM s",
    "CREATE STREAM q AS SELECT k, window_end AS at, sum(v) AS v FROM s [TUMBLE 5 SECONDS] GROUP BY k; "
    "SELECT k, window_end AS e, count(*) AS n, sum(v) AS s FROM q [TUMBLE 10 SECONDS] GROUP BY k",
    "SELECT k, window_end AS e, count(*) AS n, sum(v) AS s FROM s [SESSION GAP 2 SECONDS] GROUP BY k HAVING count(*) > 1",
)


def with_schema(spark: SparkSession, source: DataFrame) -> list[bool]:
    """Whether each query, built without a question, gives the rows that it gives when Spark is asked.

    Nothing is late, so that the order of the files does not matter.
    """
    alike = []
    for text in BUILT:
        with unasked(spark):
            stream = tr.stream(source, schema=GIVEN, order_by="ts", slack=tr.minutes(10))
            frame = tr.sql(text, s=stream).to_df()
        asked = tr.sql(text, s=tr.stream(source, order_by="ts", slack=tr.minutes(10))).to_df()
        rows = shown(frame)
        alike.append(bool(rows) and rows == shown(asked))
    return alike


class Heard:
    """What a listener hears of a query."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def started(self, id: str, name: str | None) -> None:
        self.events.append("started")

    def progressed(self, id: str, name: str | None, report: dict[str, Any]) -> None:
        self.events.append(f"micro-batch {report['batchId']}")

    def ended(self, id: str, error: str | None) -> None:
        self.events.append("ended")


def heard(spark: SparkSession, running: Any) -> list[str]:
    """As `tr.console` and `tr.live` hear of it."""
    hears = Heard()
    listen(spark, hears, [running])()
    return hears.events


def shown(frame: DataFrame) -> list[list[Any]]:
    rows = frame.selectExpr("k", "unix_micros(e) AS e", "n", "s").collect()
    return sorted([[row.k, row.e, row.n, row.s] for row in rows], key=repr)


def main(master: str, folder: Path) -> dict[str, Any]:
    builder = SparkSession.builder
    if master.startswith("remote:"):
        builder = over_connect(builder, master.removeprefix("remote:"))
    else:
        builder = builder.master(master).config("spark.ui.enabled", "false").config("spark.executor.memory", "512m")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.cores.max", "2").config("spark.executor.cores", "1")
    spark = tr.tune(builder.config("spark.sql.shuffle.partitions", "2")).getOrCreate()
    data, found = str(folder / "in"), {}
    found["batch"] = shown(query(spark.read.parquet(data)).to_df())
    tr.aggregate(returns="BIGINT", name="recent_too")(Recent)
    found["sql"] = shown(written(spark.read.parquet(data)).to_df())
    found["class"] = shown(written(spark.read.parquet(data), "recent_too").to_df())
    if master.startswith("remote:"):
        shipped(spark, folder)
        found["shipped"] = shown(written(spark.read.parquet(data), "shipped").to_df())
        found["schema given"] = with_schema(spark, spark.read.parquet(data).coalesce(1))
    schema = spark.read.parquet(data).schema
    for state in ("inline", "blocks"):
        spark.conf.set("spark.transom.state", state)
        source = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(data)
        stream = query(source).to_df().writeStream.option("checkpointLocation", str(folder / state / "checkpoint"))
        running = stream.trigger(availableNow=True).start(str(folder / state / "out"))
        running.awaitTermination()
        found[f"{state} heard"] = heard(spark, running)
        last = tr.Quality.of(running).last
        found[f"{state} quality"] = None if last is None else [last.batch, last.seen, last.late, str(last.delay)]
        found[state] = shown(spark.read.parquet(str(folder / state / "out")))
    if not master.startswith("remote:"):
        hosts = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size()
        found["executors"] = hosts - 1
    found["session"] = type(spark).__module__
    spark.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]))))
