"""The code of the how-to pages runs, on Spark where it needs it, and their SQL binds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cookbook import data
from transom.fluent.sources import script, stream

PAGES = sorted((Path(__file__).parents[2] / "docs" / "how_to").glob("*.md"))
FEW = ("late_rows", "test_a_query")
"""Those that run each time; the others belong to the long tail."""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def is_few(page: Path) -> list[Any]:
    return [] if page.stem in FEW else [pytest.mark.long]


@pytest.mark.spark
@pytest.mark.parametrize("page", [pytest.param(page, marks=is_few(page), id=page.stem) for page in PAGES])
def test_the_code_of_a_page_runs(page: Path, spark: Any, tmp_path: Path) -> None:
    names: dict[str, Any] = {"spark": spark}
    names |= {name: data.stream(spark, name, tmp_path / "input", per_file=60) for name in ("orders", "shipments")}
    found = blocks(page, "python")
    assert found
    for code in found:
        placed = code.replace('"out/', f'"{tmp_path}/out/')  # Spark has a working directory of its own
        exec(compile(placed, page.name, "exec"), names)
    for name, value in names.items():
        if name.startswith("test_"):
            value()
    for table in ("sales", "sales_by_function", "late_by_function"):
        spark.sql(f"DROP TABLE IF EXISTS {table}")


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in PAGES if blocks(page, "sql")])
def test_the_sql_of_a_page_binds(page: Path) -> None:
    streams = {name: stream(_schema(name), order_by="ts", name=name) for name in ("orders", "shipments")}
    for text in blocks(page, "sql"):
        assert script(text, **streams)


def _schema(name: str) -> dict[str, str]:
    return dict(column.split(" ") for column in data.SCHEMAS[name].split(", "))
