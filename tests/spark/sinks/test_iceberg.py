"""Iceberg: what writes a micro-batch once, the function of its page and Transom's own, on the newest Spark that has a build.

Transom does not start on that release, so the stream is one of plain Spark.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.spark.kafka_broker import jars
from tests.spark.sinks.test_lakehouse import EACH, FILES, ROOT, interpreter, readings

pytestmark = [pytest.mark.spark, pytest.mark.server, pytest.mark.long]

BUILD, FITS = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0", "4.1.4"


def test_each_row_once(tmp_path: Path) -> None:
    folder = jars(BUILD.replace(":", "-"), BUILD)
    if folder is None:
        pytest.skip(f"{BUILD} is not to be had")
    python = interpreter(FITS)
    rows = readings(tmp_path / "readings")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    environment |= {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "PYSPARK_PYTHON": python, "TZ": "UTC"}
    jar = next(folder.glob("iceberg-*.jar"))
    command = [python, "-m", "tests.spark.sinks.iceberg_session", str(ROOT / "docs" / "iceberg.md"), str(jar)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-6000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["spark"] == FITS
    want = sorted([row["seg_id"], row["speed"], int(row["ts"].timestamp())] for row in rows)
    for name in ("page", "put"):
        assert found[f"{name} once"] == want
        assert found[f"{name} again"] == want
    assert len(found["careless once"]) == EACH * FILES
    assert len(found["careless again"]) == EACH * (FILES + 1)  # the micro-batch does come again
