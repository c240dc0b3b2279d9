"""`python -m cookbook [RECIPE ...]`: run recipes, and show what each way gives."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

from cookbook.running import RECIPES, rows, ways


def main(names: list[str]) -> None:
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        )
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    for name in names or [name for name in RECIPES if name != "late"]:
        recipe = importlib.import_module(f"cookbook.{name}")
        print(f"\n# {(recipe.__doc__ or name).splitlines()[0]}")
        with tempfile.TemporaryDirectory() as folder:
            for way, frame in ways(recipe, spark, Path(folder)).items():
                found = rows(frame, Path(folder))
                print(f"\n{way}: {len(found)} rows of {', '.join(frame.columns)}")
                print("\n".join(f"  {' | '.join(map(str, row))}" for row in found[:3]))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
