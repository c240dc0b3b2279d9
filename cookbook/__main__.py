"""`python -m cookbook [RECIPE ...]`: run recipes, and show what each way gives."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

import transom as tr
from cookbook.running import RECIPES, rows, ways

LOOPBACK = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


def main(names: list[str]) -> None:
    builder = SparkSession.builder.master("local[2]").config("spark.sql.session.timeZone", "UTC")
    for name, value in LOOPBACK.items():
        builder = builder.config(name, value)
    spark = tr.tune(builder).getOrCreate()
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
