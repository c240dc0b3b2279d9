"""Joins, set operations and streams of changes, in a process of its own that can be killed: two streams from files into files."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import transom as tr
from tests.spark.exactly_once_session import SCHEMA, session
from transom.spark.settings import BY_FILE_SYSTEM, MANAGER

QUERIES = {
    "interval": """SELECT a.k, a.v, b.v AS w FROM a LEFT JOIN b
                   ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL 4 SECONDS AND a.ts + INTERVAL 2 SECONDS""",
    "asof": "SELECT a.k, a.v, b.v AS w FROM a LEFT ASOF JOIN b MATCH_CONDITION (a.ts >= b.ts) ON a.k = b.k",
    "groups": """SELECT ISTREAM a.k, count(*) AS n, max(b.v) AS hi FROM a [RANGE 20 SECONDS SLIDE 5 SECONDS]
                 JOIN b [RANGE 10 ROWS] ON a.k = b.k GROUP BY a.k""",
    "except": "SELECT k, v % 5 AS v FROM a [TUMBLE 10 SECONDS] EXCEPT ALL SELECT k, v % 5 AS v FROM b [RANGE 15 SECONDS]",
    "union": """SELECT DSTREAM k, v FROM (SELECT k, v % 10 AS v FROM a [RANGE 6 SECONDS]
                UNION SELECT k, v % 10 AS v FROM b [RANGE 3 ROWS]) AS q""",
}
NAMES = tuple(QUERIES)
IN_BLOCKS = ("groups", "except")
"""Queries whose state is kept block by block, and whose checkpoints are written as in sessions that Transom makes."""


def start(spark: SparkSession, name: str, data: Path, folder: Path, files: int = 1) -> StreamingQuery:
    """Read what is there, some files in each micro-batch, and write the rows to Spark's file sink."""
    streams = {}
    for side in ("a", "b"):
        source = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", files).parquet(str(data / side))
        streams[side] = tr.stream(source, order_by="ts", name=side, slack=tr.seconds(2))
    spark.conf.set("spark.transom.state", "blocks" if name in IN_BLOCKS else "inline")
    frame = tr.sql(QUERIES[name], **streams).to_df()
    spark.conf.unset("spark.transom.state")
    spark.conf.set(MANAGER, BY_FILE_SYSTEM) if name in IN_BLOCKS else spark.conf.unset(MANAGER)
    stream = frame.writeStream.format("parquet").option("checkpointLocation", str(folder / name / "checkpoint"))
    return stream.trigger(availableNow=True).start(str(folder / name / "out"))


if __name__ == "__main__":
    data, folder = Path(sys.argv[1]), Path(sys.argv[2])
    running = []
    for name in NAMES:  # one after the other: each starts Python processes of its own, which must not wait for one another
        running.append(start(session(folder), name, data, folder))
        while running[-1].isActive and not any((folder / name / "checkpoint" / "commits").glob("[0-9]*")):
            time.sleep(0.05)
    for one in running:
        one.awaitTermination()
    (folder / "done").touch()
