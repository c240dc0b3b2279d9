"""What the test of Iceberg runs, in a process of its own: a stream of plain Spark into tables, and again after a crash.

`python iceberg_session.py PAGE JAR`, in an empty folder. It prints what the tables hold, as JSON.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from tests.spark.sinks.lakehouse_session import COLUMNS, SETTINGS, forget_last
from transom.plan.nodes.stream import Endpoint
from transom.spark.sinks.table import put

TABLE = "lake.traffic.hi_lo"
OURS = "lake.traffic.ours"


def shown(page: Path) -> tuple[Callable[[DataFrame, int], None], str]:
    """The function of the page, and how it has the session made."""
    function, made = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    names: dict[str, Any] = {}
    exec(function, names)
    return names["append_once"], made


def carelessly(rows: DataFrame, _: int) -> None:
    """What writes a micro-batch again."""
    rows.writeTo("lake.traffic.careless").append()


def main(page: Path, jar: str) -> dict[str, Any]:
    append_once, made = shown(page)
    names: dict[str, Any] = {"builder": SparkSession.builder.master("local[2]").config("spark.jars", jar).config(map=SETTINGS)}
    exec(made, names)
    spark: SparkSession = names["builder"].getOrCreate()
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.traffic")
    for table in (TABLE, "lake.traffic.careless"):
        spark.sql(f"CREATE TABLE {table} (seg_id STRING, speed DOUBLE, ts TIMESTAMP) USING iceberg")
    target = Endpoint("TABLE", OURS, "iceberg")
    writers: dict[str, Callable[[DataFrame, int], None]] = {
        "page": append_once,
        "put": lambda rows, batch: put(rows, target, "ours", batch),
        "careless": carelessly,
    }
    found: dict[str, Any] = {"spark": spark.version}
    for name, writer in writers.items():
        table = {"page": TABLE, "put": OURS}.get(name, "lake.traffic.careless")
        for attempt in ("once", "again"):
            read = spark.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 1).json("readings")
            stream = read.writeStream.option("checkpointLocation", f"out/{name}").trigger(availableNow=True)
            stream.foreachBatch(writer).start().awaitTermination()
            if attempt == "once":
                forget_last(Path("out") / name)
            spark.catalog.refreshTable(table)
            found[f"{name} {attempt}"] = sorted(
                [row.seg_id, row.speed, row.at] for row in spark.table(table).selectExpr("*", "unix_seconds(ts) AS at").collect()
            )
    spark.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2])))
