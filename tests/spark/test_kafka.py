"""A topic with two partitions of very different speed: progress is that of the slower one, unless it has fallen silent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spark.kafka_broker import connector_jars, kafka_broker

pytestmark = [pytest.mark.spark, pytest.mark.server]

ROOT = Path(__file__).parents[2]


def test_partitions_of_different_speed(tmp_path: Path) -> None:
    jars = ",".join(str(jar) for jar in connector_jars().glob("*.jar"))
    with kafka_broker(tmp_path, partitions=2) as address:
        done = subprocess.run(
            [sys.executable, "-m", "tests.spark.kafka_windows_session", address, jars, str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-6000:]
    found = json.loads(done.stdout.splitlines()[-1])
    both = [[key, end, 10] for key in ("fast", "slow") for end in (10, 20, 30)]
    assert found["slow one has not come far"] == []
    assert found["slow one has come further"] == both
    assert found["idle at first"] == both
    assert found["idle"] == [*(["fast", end, 10] for end in range(40, 130, 10)), ["slow", 40, 6]]
    assert found["waits"] == []
