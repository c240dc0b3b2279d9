"""README.md's first streaming example: in a classic session, over Connect and in a pipeline; upgraded, rescaled, killed.

Its checkpoint was stored by an earlier version, in format 12. (One in format 11 is refused, because the aggregates of the
example are not in the order of their texts.) It is resumed by this version, in 2 shards and then in 8, killed twenty times on
the way, and its files hold what the query gives over the same readings as a batch. They are plain files because Delta has no
build for Spark 4.3: `tests/spark/sinks/test_lakehouse.py` writes to Delta, on the newest Spark that it has one for.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pyspark
import pytest
from pyspark.sql import SparkSession

import transom as tr
from tests.spark.lives import FILES, STORED, Life, commits, finish, readings, restore
from tests.spark.whole_way_session import COLUMNS, example, hi_lo

pytestmark = [pytest.mark.spark, pytest.mark.server, pytest.mark.long, pytest.mark.classic]

ROOT = Path(__file__).parents[2]
KILLS = 20


def rows(spark: SparkSession, folder: Path) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in spark.read.parquet(str(folder)).collect() if row.seg_id != "end")


def batch_answer(spark: SparkSession, folder: Path) -> list[tuple[Any, ...]]:
    answer = hi_lo(spark.read.schema(COLUMNS).json(str(folder))).to_df()
    return sorted(tuple(row) for row in answer.collect() if row.seg_id != "end")


def killed(folder: Path, shards: int, kills: int) -> None:
    """Lives that end with a kill, some time after the first micro-batch that each completes. Every fifth is on Connect."""
    for number in range(kills):
        before, life = commits(folder), Life("remote:local[2]" if number % 5 == 4 else "local[2]", folder, shards)
        try:
            life.until(lambda before=before: commits(folder) > before)  # type: ignore[misc]
            time.sleep(random.uniform(0, 1))
            assert life.process.poll() is None, (folder / "log").read_text()[-4000:]
        finally:
            life.kill()
    assert not (folder / "done").exists()


def test_upgraded_rescaled_and_killed(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "way"
    readings(folder / "in")
    restore(STORED, folder)
    begun = commits(folder)
    assert 0 < begun < FILES / 4
    killed(folder, shards=2, kills=KILLS // 2)
    settle(folder)
    tr.rescale(folder / "checkpoint", 8, spark)
    killed(folder, shards=8, kills=KILLS // 2)
    finish("local[2]", folder, shards=8)
    assert rows(spark, folder / "out") == batch_answer(spark, folder / "in")


def settle(folder: Path) -> None:
    """Stop between two micro-batches, as a query that is stopped does: rescaling wants that."""
    offsets = folder / "checkpoint" / "offsets"
    while len(list(offsets.glob("[0-9]*"))) != commits(folder):
        life = Life("local[2]", folder, 2)
        try:
            before = commits(folder)
            life.until(lambda before=before: commits(folder) > before)  # type: ignore[misc]
        finally:
            life.kill()


@pytest.mark.parametrize("master", ["local[2]", "remote:local[2]"])
def test_in_a_session(master: str, spark: SparkSession, tmp_path: Path) -> None:
    readings(tmp_path / "in")
    finish(master, tmp_path, shards=2)
    assert rows(spark, tmp_path / "out") == batch_answer(spark, tmp_path / "in")


PIPELINE = """
from pyspark import pipelines as dp
from pyspark.sql import SparkSession


@dp.table
def hi_lo_table():
    readings = SparkSession.active().readStream.schema("{columns}").option("maxFilesPerTrigger", 1).json("{folder}")
{example}
    return hi_lo.to_df()
"""
SPECIFICATION = """
name: whole_way
storage: file://{folder}/storage
database: default
libraries:
  - glob:
      include: transformations/**
configuration:
  spark.sql.shuffle.partitions: "2"
"""


def test_in_a_pipeline(spark: SparkSession, tmp_path: Path) -> None:
    readings(tmp_path / "in")
    given = example().replace("tr.stream(readings, ", f'tr.stream(readings, schema="{COLUMNS}", ')
    assert "schema=" in given
    (tmp_path / "project" / "transformations").mkdir(parents=True)
    text = PIPELINE.format(columns=COLUMNS, folder=tmp_path / "in", example=textwrap.indent(given, "    "))
    (tmp_path / "project" / "transformations" / "hi_lo.py").write_text(text)
    (tmp_path / "project" / "spark-pipeline.yml").write_text(SPECIFICATION.format(folder=tmp_path))
    own = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    own |= {"spark.sql.warehouse.dir": str(tmp_path / "tables")}
    (tmp_path / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in own.items()))
    home = Path(pyspark.__file__).parent
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
    environment |= {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "PYSPARK_PYTHON": sys.executable}
    environment |= {"SPARK_HOME": str(home), "SPARK_CONF_DIR": str(tmp_path), "TZ": "UTC"}
    command = [str(home / "bin" / "spark-pipelines"), "run", "--spec", "spark-pipeline.yml"]
    done = subprocess.run(
        command, cwd=tmp_path / "project", env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-6000:]
    assert rows(spark, tmp_path / "tables" / "hi_lo_table") == batch_answer(spark, tmp_path / "in")
