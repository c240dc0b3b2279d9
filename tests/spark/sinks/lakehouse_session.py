"""What the test of Delta runs, in a process of its own: the code of its page, and again after a crash.

`python lakehouse_session.py PAGE JARS`, in an empty folder. It prints what the tables hold, as JSON.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import traceback
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

import transom as tr

COLUMNS = "seg_id STRING, speed DOUBLE, ts TIMESTAMP"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.warehouse.dir": "warehouse",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.databricks.delta.snapshotPartitions": "1",
}
MISMATCH = re.compile(
    r"(NoSuch(Method|Field)|NoClassDefFound|AbstractMethod|IncompatibleClassChange)Error|'\w+ org\.apache\.spark\.\S+\("
)
"""What a JVM says whose jars are of another release: the name of an error, or the method that it misses."""


def hi_lo(spark: SparkSession) -> tr.Relation:
    """The query of README.md."""
    readings = spark.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 1).json("readings")
    traffic = tr.stream(readings, order_by="ts", slack=tr.seconds(30), name="traffic")
    windows = traffic.window(range=tr.minutes(5), slide=tr.minutes(1)).group_by("seg_id")
    return windows.agg("window_end", lo=tr.min("speed"), hi=tr.max("speed"))


def code(page: Path) -> tuple[str, list[str]]:
    """How the session is made, and each way to write."""
    first, *others = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    return first, others


def forget_last(checkpoint: Path) -> None:
    """As if the process had died after the sink's commit, before Spark noted the end of the micro-batch."""
    last = max(int(path.name) for path in (checkpoint / "commits").glob("[0-9]*"))
    for path in (checkpoint / "commits").glob(f"*{last}*"):
        path.unlink()
    for mark in checkpoint.glob("transom_written-*"):
        mark.unlink()


def rows(spark: SparkSession, table: str) -> list[list[Any]]:
    found = spark.read.table(table)
    named = found if "window_end" not in found.columns else found.selectExpr("seg_id", "unix_seconds(window_end)", "lo", "hi")
    return sorted([[str(value) for value in row] for row in named.collect()])


def run(page: Path, jars: str) -> dict[str, Any]:
    made, ways = code(page)
    begun = SparkSession.builder.master("local[2]").config("spark.jars", jars).config(map=SETTINGS)
    names: dict[str, Any] = {"tr": tr, "SparkSession": type("Begun", (), {"builder": begun})}
    names["configure_spark_with_delta_pip"] = lambda builder: builder  # its jars are here already
    exec(made, names)
    spark: SparkSession = names["spark"]
    found: dict[str, Any] = {"spark": spark.version}
    names["hi_lo"] = hi_lo(spark)
    for way in ways:
        for attempt in ("once", "again"):
            exec(way, names)
            names["running"].processAllAvailable()
            names["running"].stop()
            place = Path(next(text for text in re.findall(r'"(out/\w+)"', way)))
            if attempt == "once":
                forget_last(place)
            for table in re.findall(r'(?:"TABLE", |toTable\()"([\w.]+)"', way):
                found[f"{table.rpartition('.')[2]} {attempt}"] = rows(spark, table)
    spark.stop()
    return found


def main(page: Path, jars: str) -> dict[str, Any]:
    """What the tables hold, or the error that shows that the jars are of another release of Spark."""
    try:
        return run(page, jars)
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        found = MISMATCH.search(text)
        if found is None:
            raise
        shutil.rmtree("out", ignore_errors=True)
        return {"mismatch": found.group(0)}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2])))
