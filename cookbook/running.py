"""How a recipe runs: over the rows as a batch, or as a stream of files where it says STREAMING."""

from __future__ import annotations

import inspect
import uuid
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from pyspark.sql import DataFrame, SparkSession

import transom as tr
from cookbook import data

RECIPES = ("tumbling", "sliding", "sessions", "watermark", "deduplicate", "join", "rolling", "latest", "top", "late")
"""In the order of the cookbook."""


def frames(function: Callable[..., Any], recipe: ModuleType, spark: SparkSession, folder: Path) -> dict[str, DataFrame]:
    """The DataFrames that a function of a recipe takes, by the names of its parameters."""
    names = [name for name in inspect.signature(function).parameters if name in data.ROWS]
    if getattr(recipe, "STREAMING", False):
        return {name: data.stream(spark, name, folder / "input") for name in names}
    return {name: data.batch(spark, name) for name in names}


def ways(recipe: ModuleType, spark: SparkSession, folder: Path) -> dict[str, DataFrame]:
    """The query of a recipe as it is written for Spark, in Python, and in SQL."""
    given = frames(recipe.with_spark, recipe, spark, folder)
    made = {"Spark": recipe.with_spark(**given), "Transom in Python": recipe.with_transom(**given)}
    if hasattr(recipe, "SQL"):
        streams = {name: tr.stream(frame, order_by="ts", name=name, **tolerance(recipe)) for name, frame in given.items()}
        made["Transom in SQL"] = tr.sql(recipe.SQL, **streams).to_df()
    return {way: frame.select(*made["Spark"].columns) for way, frame in made.items()}


def tolerance(recipe: ModuleType) -> dict[str, Any]:
    """How late rows may be, where the SQL of a recipe does not say so itself."""
    return {"slack": "15 minutes"} if recipe.__name__.endswith("join") else {}


def rows(frame: DataFrame, folder: Path) -> list[tuple[Any, ...]]:
    """What a query gives: sorted, with numbers rounded, as sums of doubles depend on their order."""
    if frame.isStreaming:
        name = f"recipe_{uuid.uuid4().hex}"
        writer = frame.writeStream.format("memory").queryName(name).outputMode("append")
        place = str(folder / f"checkpoint_{name}")
        writer.trigger(availableNow=True).option("checkpointLocation", place).start().awaitTermination()
        frame = frame.sparkSession.table(name)
    found = [tuple(round(value, 6) if isinstance(value, float) else value for value in row) for row in frame.collect()]
    return sorted(found, key=str)
