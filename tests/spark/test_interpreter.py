"""On one machine nobody has to say which interpreter has Transom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from transom.spark.spark_session import PYTHON, own_python

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.spark


@pytest.mark.long
def test_python3_is_another_interpreter(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "python3").chmod(0o755)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("a,1.0,2026-01-05T14:00:10Z\na,2.0,2026-01-05T14:00:20Z\nb,3.0,2026-01-05T14:01:10Z\n")
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK_")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark.interpreter_session", str(tmp_path)],
        cwd=ROOT,
        env={**own, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{own['PATH']}", "TZ": "UTC"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-6000:]
    windows, rows = [["a", 2.0]], [["a", 1.0], ["a", 2.0], ["b", 3.0]]
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "inline": windows,
        "blocks": windows,
        "source": windows,
        "unwindowed": rows,
    }


@pytest.mark.classic
@pytest.mark.parametrize(
    ("master", "environment", "conf", "own"),
    [
        ("local[2]", {}, {}, True),
        ("local", {}, {}, True),
        ("local[2]", {"PYSPARK_PYTHON": "mine"}, {}, False),
        ("local[2]", {}, {PYTHON: "mine"}, False),
        ("local-cluster[1,1,512]", {}, {}, False),
        ("spark://127.0.0.1:7077", {}, {}, False),
    ],
)
def test_what_was_named_stays(
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    master: str,
    environment: dict[str, str],
    conf: dict[str, str],
    own: bool,
) -> None:
    context = spark.sparkContext
    monkeypatch.delenv("PYSPARK_PYTHON")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(context, "master", master)
    monkeypatch.setattr(context, "pythonExec", "python3")
    monkeypatch.setattr(context, "_conf", context.getConf().setAll(conf.items()))
    with own_python(spark):
        assert context.pythonExec == (sys.executable if own else "python3")
    assert context.pythonExec == "python3"
