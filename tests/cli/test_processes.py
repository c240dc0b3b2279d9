"""The commands as a user starts them: what reaches stdout and stderr, and how soon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.scripts import FIRST, HI_LO, TRAFFIC, put

pytestmark = pytest.mark.spark

FAST = ["--master", "local[2]", "--conf", "spark.sql.shuffle.partitions=2", "--conf", "spark.sql.codegen.wholeStage=false"]
JVM = ["--conf", "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"]


def transom(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "transom", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300)


def test_nothing_but_rows_goes_to_stdout(tmp_path: Path) -> None:
    """Two operators in a row: Spark's driver talks a lot about them, on its stdout."""
    put(tmp_path, "a.csv", FIRST)
    script = TRAFFIC.format(folder=tmp_path) + f"CREATE STREAM q AS {HI_LO};\nSELECT max(hi) AS top FROM q [TUMBLE 1 MINUTE];"
    (tmp_path / "q.sql").write_text(script, encoding="utf-8")
    done = transom("run", "q.sql", "--once", "--format", "jsonl", *FAST, *JVM, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["top"] for line in done.stdout.splitlines()] == [55.0, 65.0]
    assert done.stderr.startswith("in 5 rows, out 2, late ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.long
def test_the_demo_shows_windows_closing_and_what_was_late(tmp_path: Path) -> None:
    done = transom("demo", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "until 14:05  s1" in done.stdout
    assert "last 5 of s1   average" in done.stdout
    assert "150 readings in = " in done.stdout
    assert " came more than 20 s late, 5 of them missed a window." in done.stdout
    assert "\x1b" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
