"""Topics of a real broker, read and written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spark.kafka_broker import connector_jars, kafka_broker

pytestmark = [pytest.mark.spark, pytest.mark.server]

ROOT = Path(__file__).parents[3]


@pytest.mark.long
def test_topics_of_a_broker(tmp_path: Path) -> None:
    jars = ",".join(str(jar) for jar in connector_jars().glob("*.jar"))
    with kafka_broker(tmp_path, partitions=3) as address:
        done = subprocess.run(
            [sys.executable, "-m", "tests.spark.sources.kafka_session", address, jars, str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-4000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["columns"] == ["n", "k", "ts", "__source", "__position", "__arrival"]
    assert found["rows"] == [[n, f"k{n % 7}", float(n)] for n in range(100)]
    assert found["sources"] == [f"good/{partition:010d}" for partition in range(3)]
    assert found["dense"]
    assert found["first"] == list(range(100))
    assert found["second"] == list(range(105))
    assert found["dropped"] == [1, 2]
    assert "BadTuple: topic bad, partition" in found["failed"]
    assert "malformed 'drop'" in found["failed"]
    assert (found["sent"], found["marks"], found["marks by value"]) == (6, 3, 3)
    assert found["csv"] == [[7, "a", 1767323045.0]]
