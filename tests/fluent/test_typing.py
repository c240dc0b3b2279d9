"""The documented examples pass `mypy --strict`, and it catches what is misspelt."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

from transom import fluent

ROOT = Path(fluent.__file__).parents[2]
UNTYPED = {"transom.fluent.python_aggregates.aggregate", "transom.fluent.python_aggregates.AggregateFunction"}
"""Examples in which a class stands under a decorator: mypy does not apply the decorators of classes."""

WRONG = """\
import transom as tr
from transom import minutes

traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts")
traffic.window(tumbel=minutes(5))  # wrong
traffic.window(tumble=[5])  # wrong
traffic.window(tr.tumbling(5, slde=3))  # wrong
traffic.window(tumble=minutes(5)).tolerate(slak=minutes(1))  # wrong
traffic.window(tumble=minutes(5)).agg(n=3)  # wrong
traffic.window(tumble="5 minutes").where(7)  # wrong
tr.stream({"ts": "TIMESTAMP"}, ordr_by="ts")  # wrong
tr.max("speed").over(rows=3)  # wrong
tr.write(traffic, checkpont="x")  # wrong
traffic.to_df(shard=3)  # wrong
traffic.agg(n=tr.count())  # wrong
"""

RIGHT = """\
from datetime import timedelta

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import transom as tr


class Recent:
    def initialize(self, x: int) -> int:
        self.total = x
        return x

    def iterate(self, x: int) -> int:
        self.total += x
        return self.total


recent = tr.aggregate(Recent, returns="BIGINT", name="recent_typed")


def asked(frame: DataFrame) -> tr.RunningQuery:
    traffic = tr.stream(frame, order_by="ts", slack=timedelta(seconds=10))
    windows: tr.Windowed = traffic.filter(F.col("speed") > 0).window(tr.sliding("5 minutes", tr.minutes(1)))
    q: tr.Relation = windows.group_by(["seg_id"], F.hour("ts").alias("h")).agg(
        "window_end", F.avg("speed").alias("m"), hi=tr.max(F.col("speed")), n="count(*)", having="n > 2"
    )
    rolling = traffic.select("seg_id", s=recent("fuel").over(range=tr.rows(4), partition_by="seg_id"))
    rolling.to_df().show()
    return tr.write(q.insert_into("TABLE", "t"), q.late().insert_into("FILE", "late"), checkpoint="ck", available_now=True)
"""


def examples() -> dict[str, str]:
    """The code of every doctest of the Python API, as a module."""
    finder, found = doctest.DocTestFinder(), {}
    for info in pkgutil.walk_packages(fluent.__path__, "transom.fluent."):
        for one in finder.find(importlib.import_module(info.name)):
            if one.examples and one.name not in UNTYPED:
                code = "".join(example.source for example in one.examples)
                found[one.name.replace(".", "_")] = f"from {info.name} import *\n{code}"
    return found


GIVEN = """\
from datetime import timedelta
from typing import Any

import pyspark.sql.functions as F
from pyspark.sql import DataFrame, SparkSession

import transom as tr

from transom import minutes, seconds

spark: SparkSession
df: DataFrame
readings: DataFrame
orders: DataFrame
shipments: DataFrame
bids: tr.Relation
bid: tr.Relation
"""
"""What the pages take for granted."""
DELTA = """from typing import Any
running: Any
def configure_spark_with_delta_pip(builder: Any) -> Any: ...
hi_lo: tr.Relation
"""
QUERIES = {
    "postgres.md": "hi_lo: tr.Relation\n",
    "console.md": "q: tr.Relation\n",
    "delta.md": DELTA,
    "iceberg.md": "builder: SparkSession.Builder\n",
}
"""Names that a page has from another, or from a package that is not installed here."""

PAGES = [ROOT.parent / "README.md", *sorted((ROOT.parent / "docs").rglob("*.md"))]


def blocks() -> dict[str, str]:
    """The Python of the pages: what a block defines, the next one of the page knows."""
    found = {}
    for page in PAGES:
        codes = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        shown = [
            "".join(one.source for one in doctest.DocTestParser().get_examples(code)) if ">>> " in code else code
            for code in codes
        ]
        if shown:
            found[f"page_{page.parent.name}_{page.stem}"] = GIVEN + QUERIES.get(page.name, "") + "\n".join(shown)
    return found


def test_mypy_passes_what_is_documented_and_catches_the_rest(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    made = examples() | blocks() | {"right": RIGHT, "wrong": WRONG}
    assert len(made) > 60
    for name, code in made.items():
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--ignore-missing-imports", "--no-error-summary"]
    where = {"MYPYPATH": str(ROOT), "PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(
        [*command, f"--cache-dir={ROOT.parent / '.mypy_cache' / 'examples'}", *sorted(f"{name}.py" for name in made)],
        cwd=tmp_path,
        env=where,
        capture_output=True,
        text=True,
    )
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    expected = [number for number, line in enumerate(WRONG.splitlines(), 1) if line.endswith("# wrong")]
    assert "\n".join(line for line in errors if not line.startswith("wrong.py:")) == "", done.stderr
    assert sorted({int(line.split(":")[1]) for line in errors}) == expected
