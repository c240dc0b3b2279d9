"""The process that is tortured: it runs queries side by side until each has read all its files, and starts again those that fail.

`python -m tests.torture.victim FOLDER SEED MASTER KIND...`
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.torture.queries import query
from transom.errors import TransomError
from transom.spark.running.messages.failures import failure

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.ui.retainedExecutions": "20",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "700m",
    "spark.executor.cores": "1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
ATTEMPTS = 200
PAUSE = 0.2
SIDE_BY_SIDE = threading.Semaphore(int(os.environ.get("TORTURE_SIDE_BY_SIDE", "2")))
"""Queries at a time: Spark gives a Python process of a stream ten seconds to answer, however busy the machine is."""
STAGGER = 2.0
"""Seconds between the starts of queries, for the same reason."""


def session(master: str, jars: str = "") -> SparkSession:
    builder = SparkSession.builder.master(master)
    if jars:
        builder = builder.config("spark.jars", jars)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    made: SparkSession = tr.tune(builder).getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def folder_of(kind: str) -> str:
    return kind.replace(" ", "-")


def sink(place: Path) -> object:
    """A sink of its own, which fails while there is a file `down`, and writes each micro-batch over what it had written of it."""

    def write(rows: DataFrame, batch: int) -> None:
        if (place / "down").exists():
            raise OSError("the sink is down")
        rows.write.mode("overwrite").parquet(str(place / "out" / f"batch={batch}"))
        if (place / "down").exists():
            raise OSError("the sink went down after it had written")

    return write


def run(spark: SparkSession, kind: str, seed: int, place: Path, *, own_sink: bool) -> None:
    """Once over all files that are there."""
    stream = query(spark, kind, seed, place / "in").writeStream.option("checkpointLocation", str(place / "checkpoint"))
    stream = stream.trigger(availableNow=True)
    if own_sink:
        stream.foreachBatch(sink(place)).start().awaitTermination()  # type: ignore[arg-type]
    else:
        stream.format("parquet").start(str(place / "out")).awaitTermination()


def insist(spark: SparkSession, kind: str, seed: int, place: Path, *, own_sink: bool) -> None:
    """Until it has gone well. What failed is noted; a refusal by name is final."""
    for _ in range(ATTEMPTS):
        try:
            run(spark, kind, seed, place, own_sink=own_sink)
            (place / "done").touch()
            return
        except Exception as error:
            named = failure(error)
            with contextlib.suppress(OSError), (place / "failures").open("a") as notes:  # the disk may be full
                notes.write(f"{named.name}: {named.problem.splitlines()[0]}\n")
            if isinstance(named, TransomError) and named.name.startswith("Checkpoint"):
                (place / "refused").touch()
                return
            time.sleep(PAUSE)


if __name__ == "__main__":
    folder, seed, master, kinds = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    spark = session(master, os.environ.get("TORTURE_JARS", ""))

    def guarded(kind: str) -> None:
        place = folder / folder_of(kind)
        with SIDE_BY_SIDE:
            if not (place / "done").exists():
                insist(spark, kind, seed, place, own_sink=(place / "own_sink").exists())

    threads = [threading.Thread(target=guarded, args=(kind,)) for kind in kinds]
    for thread in threads:
        thread.start()
        time.sleep(STAGGER)
    for thread in threads:
        thread.join()
    (folder / "ended").touch()
