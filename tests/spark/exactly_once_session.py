"""What the tests of exactly once run, in a process of its own that can be killed: streams from files into files."""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import transom as tr
from transom.fluent.relation import Relation
from transom.spark.settings import BY_FILE_SYSTEM, MANAGER, settings_for

SCHEMA = "k STRING, v BIGINT, ts TIMESTAMP"
NAMES = ("inline", "blocks", "late", "chained", "written")
AS_SPARK_WRITES = ("inline", "chained")
"""Queries whose checkpoints are written the way Spark does by itself; the others', the way of sessions that Transom makes."""
RECENT = """
CREATE WINDOW AGGREGATE recent(x BIGINT) RETURNS (total BIGINT, changes BIGINT) {
  TABLE state(total BIGINT, changes BIGINT);
  TABLE inwindow(old BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); INSERT INTO RETURN SELECT total, changes FROM state; }
  ITERATE:    { UPDATE state SET total = total + x, changes = changes + 1; INSERT INTO RETURN SELECT total, changes FROM state; }
  EXPIRE:     { UPDATE state SET total = total - oldest().old, changes = changes + 1; }
};
SELECT k, v, ts, recent(v) OVER (PARTITION BY k RANGE 10 SECONDS PRECEDING) AS r FROM s;
"""


def session(scratch: Path) -> SparkSession:
    settings = {one.name: one.value for one in settings_for(None)} | {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def query(name: str, source: DataFrame) -> Relation:
    stream = tr.stream(source, order_by="ts", name="s", slack=tr.seconds(2))
    sums = stream.window(range=tr.seconds(20), slide=tr.seconds(5)).group_by("k")
    if name == "late":
        return sums.agg(n="count(*)").late()
    if name == "written":
        return tr.sql(RECENT, s=stream)
    if name == "chained":
        text = """SELECT max(n) AS top, count(*) AS windows, window_end AS e
                  FROM (SELECT k, count(*) AS n FROM s [TUMBLE 2 SECONDS] GROUP BY k) AS t [TUMBLE 10 SECONDS]"""
        return tr.sql(text, s=stream)
    return sums.agg(e="window_end", n="count(*)", s="sum(v)", hi="max(v)")


def start(spark: SparkSession, name: str, data: Path, folder: Path, files: int = 1) -> StreamingQuery:
    """Read what is there, some files in each micro-batch, and write the rows to Spark's file sink."""
    source = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", files).parquet(str(data))
    spark.conf.set("spark.transom.state", "blocks" if name == "blocks" else "inline")
    frame = query(name, source).to_df()
    spark.conf.unset("spark.transom.state")
    spark.conf.unset(MANAGER) if name in AS_SPARK_WRITES else spark.conf.set(MANAGER, BY_FILE_SYSTEM)
    stream = frame.writeStream.format("parquet").option("checkpointLocation", str(folder / name / "checkpoint"))
    return stream.trigger(availableNow=True).start(str(folder / name / "out"))


if __name__ == "__main__":
    data, folder = Path(sys.argv[1]), Path(sys.argv[2])
    running = [start(session(folder), name, data, folder) for name in NAMES]
    for one in running:
        one.awaitTermination()
    (folder / "done").touch()
