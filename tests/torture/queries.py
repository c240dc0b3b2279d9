"""What is tortured: queries of every kind of operator, random ones among them, and the files that they read."""

from __future__ import annotations

import json
import os
import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.random_queries import case

FILES = 8
"""Micro-batches of each query: one for each file."""
SCHEMA = "k STRING, v BIGINT, ts TIMESTAMP"
START = datetime(2026, 1, 1, tzinfo=UTC)

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
SUMS = "SELECT k, window_end AS e, count(*) AS n, sum(v) AS total, max(v) AS hi FROM s"
WRITTEN = {
    "sliding": f"{SUMS} [RANGE 20 SECONDS SLIDE 5 SECONDS] GROUP BY k",
    "holistic": """SELECT k, window_end AS e, median(v) AS m, count(DISTINCT v) AS n
                   FROM s [RANGE 20 SECONDS SLIDE 5 SECONDS] GROUP BY k""",
    "session": "SELECT k, count(*) AS n, sum(v) AS total FROM s [SESSION GAP 2 SECONDS PATTR k] GROUP BY k",
    "rows": "SELECT k, sum(v) AS total FROM s [RANGE 5 ROWS SLIDE 2 ROWS PATTR k]",
    "by rank": "SELECT k, sum(v) AS total FROM s [RANGE 4 ROWS SLIDE 1 ROWS WATTR rank(ts) PATTR k]",
    "slide by tuple": "SELECT k, sum(v) AS total FROM s [RANGE 10 SECONDS RATTR ts SLIDE 1 ROW PATTR k]",
    "landmark": f"{SUMS} [LANDMARK EVERY 40 SECONDS SLIDE 10 SECONDS] GROUP BY k",
    "now": "SELECT k, count(*) AS n FROM s [NOW] GROUP BY k",
    "frames": "SELECT k, v, ts, sum(v) OVER (PARTITION BY k ORDER BY ts RANGE 10 SECONDS PRECEDING) AS y FROM s",
    "user aggregate": RECENT,
    "chained": """SELECT max(n) AS top, count(*) AS windows, window_end AS e
                  FROM (SELECT k, count(*) AS n FROM s [TUMBLE 2 SECONDS] GROUP BY k) AS t [TUMBLE 10 SECONDS]""",
    "join": """SELECT a.k, a.v, b.v AS w FROM s [RANGE 4 SECONDS SLIDE 2 SECONDS] a
               JOIN s [RANGE 2 SECONDS SLIDE 2 SECONDS] b ON a.k = b.k""",
    "difference": """SELECT k, v FROM s [RANGE 4 SECONDS SLIDE 2 SECONDS] WHERE v < 80
                     EXCEPT SELECT k, v FROM s [RANGE 2 SECONDS SLIDE 2 SECONDS] WHERE v > 20""",
    "policies": "SELECT k, sum(v) AS total FROM s [SLIDING delta(ts, 4 SECONDS), count(3) PARTITIONED BY (k)]",
    "active expiration": """SELECT k, event_ts AS at, silence(CAST(v AS STRING))
                            OVER (PARTITION BY k RANGE 5 SECONDS PRECEDING ACTIVE EXPIRATION) AS quiet FROM s""",
    "idle after": f"{SUMS} [RANGE 20 SECONDS SLIDE 5 SECONDS] GROUP BY k",
    "changes": "SELECT ISTREAM k, count(*) AS n FROM s [RANGE 6 SECONDS SLIDE 2 SECONDS] GROUP BY k",
}
"""A query of each kind of operator, over one stream."""
MAKING = threading.Lock()
"""Where state is kept is a setting of the session, which the queries of a victim share."""
BY_THE_CLOCK = ("active expiration", "idle after")
"""Queries that look at the clock while they run."""
KAFKA_TOPIC = "topic"
"""A query over a topic, where there is a broker."""
KINDS = (
    *(kind for kind in WRITTEN if kind not in BY_THE_CLOCK),
    "drop ratio",
    "frames by drop ratio",
    "late rows",
    "in blocks",
    "random 1",
    "random 2",
    "random 3",
)


def write_files(folder: Path, kind: str, seed: int) -> None:
    """The files of a query: disordered tuples, dated so that they are read in this order."""
    folder.mkdir(parents=True)
    rng = random.Random(f"{kind} {seed}")
    tables = _random_tables(kind, seed) if kind.startswith("random") else [_table(rng, number, kind) for number in range(FILES)]
    for number, table in enumerate(tables):
        path = folder / f"part-{number:03}.parquet"
        pq.write_table(table, path)
        os.utime(path, (1e9 + number, 1e9 + number))


def _table(rng: random.Random, number: int, kind: str) -> pa.Table:
    rows, keys = [], ["a", "b", "c", None]
    if kind == "idle after" and 2 <= number < FILES - 1:  # one substream is silent for long
        keys.remove("c")
    for n in range(120):
        at = START + timedelta(seconds=(number * 120 + n) / 8 - rng.choice([0, 0, 0, 0.5, 1.5, 30]))
        rows.append({"k": rng.choice(keys), "v": rng.randint(0, 99), "ts": at})
    return pa.Table.from_pylist(rows, pa.schema([("k", pa.string()), ("v", pa.int64()), ("ts", pa.timestamp("us", "UTC"))]))


def _random_tables(kind: str, seed: int) -> list[pa.Table]:
    tried = case(_number(kind, seed))
    rows = [row for batch in tried.batches for row in batch]
    cuts = [len(rows) * n // FILES for n in range(FILES + 1)]
    return [tried.table(rows[start:end]) for start, end in pairwise(cuts)]


def _number(kind: str, seed: int) -> int:
    return 10 * seed + int(kind.split()[1])


def query(spark: SparkSession, kind: str, seed: int, folder: Path) -> DataFrame:
    """The query over its files."""
    read = spark.readStream.option("maxFilesPerTrigger", 1)
    if kind.startswith("random"):
        tried = case(_number(kind, seed))
        schema = spark.read.parquet(str(folder)).schema
        return _kept(spark, kind, lambda: tried.query(read.schema(schema).parquet(str(folder))).to_df())
    if kind == KAFKA_TOPIC:
        return _kept(spark, kind, lambda: tr.sql(_over_topic(folder)).to_df(spark))
    source = tr.stream(read.schema(SCHEMA).parquet(str(folder)), order_by="ts", name="s", **_disorder(kind))
    text = WRITTEN.get(kind.removesuffix(" by drop ratio"), WRITTEN["sliding"])
    if kind == "late rows":
        sums = source.window(range=tr.seconds(20), slide=tr.seconds(5)).group_by("k").agg(n="count(*)")
        return _kept(spark, kind, lambda: sums.late().to_df())
    return _kept(spark, kind, lambda: tr.sql(text, s=source).to_df())


def _disorder(kind: str) -> dict[str, Any]:
    if kind == "idle after":
        return {"slack": tr.seconds(2), "per_source": "k", "idle_after": tr.seconds(5)}
    return {"drop_ratio": 0.02} if "drop ratio" in kind else {"slack": tr.seconds(2)}


def complete(spark: SparkSession, kind: str, folder: Path) -> DataFrame:
    """The rows of a written query, had no tuple been late."""
    source = tr.stream(spark.read.schema(SCHEMA).parquet(str(folder)), order_by="ts", name="s")
    return tr.sql(WRITTEN[kind], s=source).to_df()


def kafka_rows(spark: SparkSession, address: str, seed: int) -> None:
    """A topic with two partitions, each in order but for a second."""
    at = f"timestamp_seconds({START.timestamp():.0f} + id DIV 4 - pmod(hash(id, {seed}), 2))"
    value = f"to_json(struct(substr('abc', 1 + pmod(hash(id, {seed}), 3), 1) AS k, pmod(xxhash64(id), 100) AS v, {at} AS ts))"
    rows = spark.range(1_600).coalesce(1).selectExpr(f"{value} AS value", "CAST(id % 2 AS INT) AS partition")
    rows.write.format("kafka").option("kafka.bootstrap.servers", address).option("topic", KAFKA_TOPIC).save()


def _over_topic(folder: Path) -> str:
    address = json.loads((folder / "topic.json").read_text())["address"]
    options = f"kafka.bootstrap.servers '{address}', maxOffsetsPerTrigger 160"
    stream = f"CREATE STREAM s (k STRING, v BIGINT, ts TIMESTAMP) ORDER BY ts SLACK 2 SECONDS SOURCE KAFKA '{KAFKA_TOPIC}'"
    return f"{stream} OPTIONS ({options}); {WRITTEN['sliding']}"


def _kept(spark: SparkSession, kind: str, made: Callable[[], DataFrame]) -> DataFrame:
    """With its state beside the rows, or in blocks."""
    with MAKING:
        spark.conf.set("spark.transom.state", "blocks" if kind == "in blocks" else "inline")
        try:
            return made()
        finally:
            spark.conf.unset("spark.transom.state")
