"""The first streaming example of README.md, in a process of its own that can be killed: from JSON into files, as it goes.

`python -m tests.spark.whole_way_session MASTER FOLDER SHARDS`; a MASTER of `remote:local[2]` is a Spark Connect server.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.connect_server import over_connect

ROOT = Path(__file__).parents[2]
COLUMNS = "seg_id STRING, speed DOUBLE, ts TIMESTAMP"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def example() -> str:
    """The first example of README.md that makes a stream."""
    found = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    return next(text for text in found if "tr.stream(" in text)


def hi_lo(readings: DataFrame) -> tr.Relation:
    """Its query."""
    names: dict[str, Any] = {"readings": readings}
    exec(example(), names)
    made: tr.Relation = names["hi_lo"]
    return made


def session(master: str, shards: int) -> SparkSession:
    builder = SparkSession.builder
    remote = master.startswith("remote:")
    builder = over_connect(builder, master.removeprefix("remote:")) if remote else builder.master(master)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    made: SparkSession = tr.tune(builder.config("spark.sql.shuffle.partitions", str(shards))).getOrCreate()
    return made


def read(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 1).json(str(folder / "in"))


def run(spark: SparkSession, folder: Path) -> None:
    writer = hi_lo(read(spark, folder)).to_df().writeStream.format("parquet")
    writer = writer.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True)
    writer.start(str(folder / "out")).awaitTermination()


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    run(session(sys.argv[1], int(sys.argv[3])), folder)
    (folder / "done").touch()
