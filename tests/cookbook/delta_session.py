"""What the test of the recipe for Delta runs, in a process of its own: its session needs Delta's jars."""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path

from pyspark.sql import SparkSession

from cookbook import data, to_delta
from tests.cookbook.kafka_session import SETTINGS

MISMATCH = (
    "NoSuchMethodError",
    "NoClassDefFoundError",
    "AbstractMethodError",
    "IncompatibleClassChangeError",
    "ClassNotFoundException",
)


def main(jars: str, folder: Path) -> dict[str, int | str]:
    """What is in the tables, or the error that shows that Delta's jars are of another release of Spark."""
    try:
        return _run(jars, folder)
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        found = next((name for name in MISMATCH if name in text), None)
        if found is None:
            raise
        return {"mismatch": found}


def _run(jars: str, folder: Path) -> dict[str, int | str]:
    builder = SparkSession.builder.master("local[2]").config("spark.jars", jars).config(map=SETTINGS | to_delta.SETTINGS)
    spark = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse")).getOrCreate()
    to_delta.run(data.stream(spark, "orders", folder / "input"), folder)
    counted = {name: spark.read.format("delta").load(str(folder / name)).count() for name in ("sales", "missed")}
    to_delta.append(spark.read.format("delta").load(str(folder / "sales")), folder / "sales", 0)
    again = spark.read.format("delta").load(str(folder / "sales")).count()
    spark.stop()
    return {**counted, "again": again}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]))))
