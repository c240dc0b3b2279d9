"""A batch and a stream over the same files, in whatever session the builder makes; it prints the rows."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

import transom as tr
from transom.fluent.relation import Relation


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


def shown(frame: DataFrame) -> list[list[Any]]:
    rows = frame.selectExpr("k", "unix_micros(e) AS e", "n", "s").collect()
    return sorted([[row.k, row.e, row.n, row.s] for row in rows], key=repr)


def main(master: str, folder: Path) -> dict[str, Any]:
    builder = SparkSession.builder
    if master.startswith("remote:"):
        builder = builder.remote(master.removeprefix("remote:"))
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
    schema = spark.read.parquet(data).schema
    for state in ("inline", "blocks"):
        spark.conf.set("spark.transom.state", state)
        source = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(data)
        stream = query(source).to_df().writeStream.option("checkpointLocation", str(folder / state / "checkpoint"))
        running = stream.trigger(availableNow=True).start(str(folder / state / "out"))
        running.awaitTermination()
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
