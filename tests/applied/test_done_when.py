"""One class in a file: tried on a list with a fake clock, run on a stream that is killed and restarted, with the same rows."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import subprocess
import sys
import time as wall
from collections import namedtuple
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import transom as tr
from tests.applied.harness import stream_of, write_batches
from transom.testing import FakeClock
from transom.windowing import OperatorRun, count, sliding, time

pytestmark = [pytest.mark.spark, pytest.mark.long]

VWAP = """
from transom.windowing import Operator, Port

class Vwap(Operator):
    takes = Port(kinds="any", partitioned=True, punctuation="window_bound")
    gives = "ticker STRING, vwap DOUBLE"

    def on_trigger(self, window, partition):
        self.emit(partition, sum(t.price * t.volume for t in window) / sum(t.volume for t in window))
"""

KILLED = """
import sys, transom as tr
from pyspark.sql import SparkSession
from transom.windowing import count, sliding
from vwap import Vwap
folder = sys.argv[1]
spark = tr.tune(SparkSession.builder.master("local[1]").config("spark.sql.shuffle.partitions", "2")
    .config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    ).getOrCreate()
schema = "ticker STRING, price DOUBLE, volume BIGINT"
trades = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(folder + "/in")
prices = tr.stream(trades, name="trades").apply(Vwap(), window=sliding(count(10), count(4)).partitioned_by("ticker"))
prices.insert_into("FILE", folder + "/out", format="parquet").start(checkpoint=folder + "/checkpoint").awaitTermination()
"""

Trade = namedtuple("Trade", "ticker price volume")


def trades(number: int) -> list[Trade]:
    random_ = random.Random(7)
    return [Trade(random_.choice("ABC"), float(random_.randint(1, 50)), random_.randint(1, 9)) for _ in range(number)]


def vwap_of(folder: Path) -> Any:
    (folder / "vwap.py").write_text(VWAP)
    made = importlib.util.spec_from_file_location("vwap", folder / "vwap.py")
    assert made is not None
    assert made.loader is not None
    module = importlib.util.module_from_spec(made)
    sys.modules["vwap"] = module
    made.loader.exec_module(module)
    return module.Vwap


def test_the_same_class_on_a_list_and_on_a_stream_that_is_killed(spark: SparkSession, tmp_path: Path) -> None:
    operator = vwap_of(tmp_path)
    tuples = trades(120)
    window = sliding(count(10), count(4)).partitioned_by("ticker")
    alone = OperatorRun(operator(), window, clock=FakeClock())
    alone.extend(tuples)
    expected = sorted(map(tuple, alone.rows()))
    table = pa.Table.from_pylist([t._asdict() for t in tuples])
    write_batches(tmp_path / "in", [table.slice(n * 10, 10) for n in range(12)])
    (tmp_path / "killed.py").write_text(KILLED)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{Path(tr.__file__).parents[1]}", "PYSPARK_PYTHON": sys.executable}
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "killed.py"), str(tmp_path)], env=environment, start_new_session=True
    )
    commits = tmp_path / "checkpoint" / "commits"
    until = wall.monotonic() + 200
    while not (commits / "2").exists() and process.poll() is None and wall.monotonic() < until:
        wall.sleep(0.1)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    stream = tr.stream(stream_of(spark, tmp_path / "in"), name="trades").apply(operator(), window=window)
    assert isinstance(stream, tr.Relation)
    stream.insert_into("FILE", str(tmp_path / "out"), format="parquet").start(
        checkpoint=tmp_path / "checkpoint", available_now=True
    ).awaitTermination()
    assert sorted(map(tuple, spark.read.parquet(str(tmp_path / "out")).collect())) == expected
    # and by the clock, without touching the operator: no minute passes where only what is there is read
    by_time = tr.stream(spark.read.parquet(str(tmp_path / "in")), name="trades").apply(
        operator(), window=sliding(count(10), time("1 minute")).partitioned_by("ticker")
    )
    assert isinstance(by_time, tr.Relation)
    assert by_time.to_df().collect() == []
