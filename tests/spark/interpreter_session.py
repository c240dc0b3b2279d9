"""Streams by Spark's sources and by our own, in a session that nobody has named an interpreter for; it prints their rows."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

import transom as tr

COLUMNS = "k STRING, v DOUBLE, ts TIMESTAMP"
ASKED = "SELECT k, max(v) AS hi FROM s [TUMBLE 1 MINUTE] GROUP BY k"


def drained(frame: DataFrame, folder: Path) -> list[list[object]]:
    stream = frame.writeStream.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True)
    stream.start(str(folder / "out")).awaitTermination()
    return sorted([row.k, row.hi] for row in frame.sparkSession.read.parquet(str(folder / "out")).collect())


def main(folder: Path) -> dict[str, list[list[object]]]:
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    spark = tr.tune(builder.config("spark.sql.shuffle.partitions", "2")).getOrCreate()
    data, found = str(folder / "in"), {}
    for state in ("inline", "blocks"):
        spark.conf.set("spark.transom.state", state)
        source = tr.stream(spark.readStream.schema(COLUMNS).csv(data), order_by="ts")
        found[state] = drained(tr.sql(ASKED, s=source).to_df(), folder / state)
    created = f"CREATE STREAM s ({COLUMNS}) ORDER BY ts IDLE AFTER 1 MINUTE SOURCE FILE '{data}' FORMAT csv;"
    found["source"] = drained(tr.sql(f"{created} {ASKED}").to_df(), folder / "source")
    found["unwindowed"] = drained(tr.sql(f"{created} SELECT k, v AS hi FROM s").to_df(), folder / "unwindowed")
    spark.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
