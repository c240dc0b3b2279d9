"""The recipes of the cookbook: a query as it is written for Spark gives the same rows as in Transom."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from cookbook import late
from cookbook.data import SCHEMAS, orders
from cookbook.running import RECIPES, frames, rows, ways
from transom.fluent.sources import script, stream

FEW = ("tumbling", "deduplicate")
"""Those that run each time; the others belong to the long tail."""

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in FEW else pytest.mark.long) for name in RECIPES if name != "late"]
)
def test_spark_and_transom_give_the_same_rows(name: str, spark: Any, tmp_path: Path) -> None:
    recipe = importlib.import_module(f"cookbook.{name}")
    found = {way: rows(frame, tmp_path) for way, frame in ways(recipe, spark, tmp_path).items()}
    expected = found.pop("Spark")
    assert len(expected) > 1
    for way, given in found.items():
        assert set(given) <= set(expected), way
        assert len(given) >= len(expected) - getattr(recipe, "WAITING", 0), way


@pytest.mark.long
def test_late_rows_are_in_a_table_of_their_own(spark: Any, tmp_path: Path) -> None:
    results, missed = late.with_transom(**frames(late.with_transom, late, spark, tmp_path), folder=tmp_path)
    counted = sum(row.n for row in spark.read.parquet(str(results)).collect())
    late_rows = spark.read.parquet(str(missed)).collect()
    assert late_rows
    assert all(row.ts < row.frontier for row in late_rows)
    assert counted + len(late_rows) <= len(orders())


def test_the_sql_for_late_rows_is_one_execution() -> None:
    schema = dict(column.split(" ") for column in SCHEMAS["orders"].split(", "))
    results, missed = script(late.SQL, orders=stream(schema, order_by="ts", name="orders"))
    assert results.schema.names == ["n", "window_end"]
    assert missed.schema.names[-1] == "frontier"
