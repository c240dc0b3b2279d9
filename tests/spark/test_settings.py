"""Which settings suit a session, and that a session of a user is left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from transom.errors import MissingSetting
from transom.spark.settings import BYTES, CHANGELOG, IN_MEMORY, MANAGER, PROVIDER, SHARDS, SOCKETS, missing

ROOT = Path(__file__).parents[2]
COLUMNS = "k STRING, v DOUBLE, ts TIMESTAMP"
CORE = {SOCKETS, MANAGER, "spark.shuffle.compress"}


def options(builder: Any) -> dict[str, str]:
    found: dict[str, str] = tr.tune(builder)._options
    return found


def test_a_builder_of_one_machine_gets_every_setting() -> None:
    tuned = options(SparkSession.Builder().master("local[4]"))
    assert {PROVIDER, CHANGELOG, BYTES, SHARDS, *CORE} <= set(tuned)


def test_a_cluster_gets_nothing_that_needs_one_disk() -> None:
    tuned = options(SparkSession.Builder().master("spark://somewhere:7077"))
    assert {PROVIDER, CHANGELOG, BYTES, SOCKETS} <= set(tuned)
    assert not {MANAGER, "spark.shuffle.compress", SHARDS} & set(tuned)


def test_a_server_that_runs_gets_what_a_session_can_set() -> None:
    tuned = options(SparkSession.Builder().remote("sc://somewhere"))
    assert {PROVIDER, CHANGELOG, BYTES} <= set(tuned)
    assert not (CORE | {SHARDS}) & set(tuned)


def test_what_the_builder_has_stays() -> None:
    builder = SparkSession.Builder().master("local[4]").config(SHARDS, "7").config(PROVIDER, "mine")
    tuned = options(builder)
    assert (tuned[SHARDS], tuned[PROVIDER]) == ("7", "mine")


# -- a session ------------------------------------------------------------------------------------------------

WINDOW = "SELECT k, max(v) AS hi FROM s [TUMBLE 1 MINUTE] GROUP BY k"
CHAINED = (
    "CREATE STREAM q AS SELECT k, max(v) AS hi, window_end AS at FROM s [TUMBLE 1 MINUTE] GROUP BY k; "
    "SELECT avg(hi) AS mean FROM q [TUMBLE 2 MINUTES]"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    lines = ["a,1.0,2026-01-05T14:00:10Z", "a,2.0,2026-01-05T14:00:20Z", "b,3.0,2026-01-05T14:01:10Z"]
    (tmp_path / "in" / "a.csv").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def asked(spark: SparkSession, folder: Path, text: str) -> DataFrame:
    source = tr.stream(spark.readStream.schema(COLUMNS).csv(str(folder / "in")), order_by="ts")
    return tr.sql(text, s=source).to_df()


def drained(frame: DataFrame, folder: Path) -> list[tuple[Any, ...]]:
    writer = frame.writeStream.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True)
    writer.start(str(folder / "out")).awaitTermination()
    return sorted(tuple(row) for row in frame.sparkSession.read.parquet(str(folder / "out")).collect())


def settings_of(spark: SparkSession) -> dict[str, str]:
    return {row.key: row.value for row in spark.sql("SET").collect()}


@pytest.mark.spark
def test_nothing_is_set_on_a_session(spark: SparkSession, folder: Path) -> None:
    """By queries that are built, run as a batch and as a stream, written, looked into and explained."""
    before = settings_of(spark)
    created = f"CREATE STREAM s ({COLUMNS}) ORDER BY ts SOURCE FILE '{folder / 'in'}' FORMAT csv;"
    assert drained(asked(spark, folder, WINDOW), folder) == [("a", 2.0)]
    asked(spark, folder, CHAINED)
    tr.sql(f"{created} {WINDOW}").to_df(spark)
    tr.sql(f"{created} {WINDOW}").to_df(spark, bounded=True).collect()
    source = tr.stream(spark.readStream.schema(COLUMNS).csv(str(folder / "in")), order_by="ts")
    sums = source.window(tumble=tr.minutes(1)).group_by("k").agg(hi="max(v)")
    sums.late().to_df()
    to = sums.insert_into("FILE", str(folder / "written"), format="parquet")
    to.start(checkpoint=folder / "of_start", available_now=True).awaitTermination()
    assert tr.state(folder / "checkpoint", spark).count() > 0
    sums.explain()
    tr.doctor(spark)
    assert settings_of(spark) == before


@pytest.mark.spark
@pytest.mark.classic
def test_nothing_is_set_on_a_classic_session(spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter of its workers is as before, and neither two outputs nor rescaling leave anything."""
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "python3")
    before = settings_of(spark)
    core = sorted(spark.sparkContext.getConf().getAll())
    assert drained(asked(spark, folder, WINDOW), folder) == [("a", 2.0)]
    source = tr.stream(spark.readStream.schema(COLUMNS).csv(str(folder / "in")), order_by="ts")
    sums = source.window(tumble=tr.minutes(1)).group_by("k").agg(hi="max(v)")
    targets = [one.insert_into("FILE", str(folder / f"out{n}"), format="parquet") for n, one in enumerate((sums, sums.late()))]
    tr.write(*targets, checkpoint=folder / "two", available_now=True).awaitTermination()
    tr.rescale(folder / "checkpoint", 3, spark)
    assert settings_of(spark) == before
    assert sorted(spark.sparkContext.getConf().getAll()) == core
    assert spark.sparkContext.pythonExec == "python3"


@pytest.fixture
def untuned(spark: SparkSession) -> Any:
    """A session with Spark's own state store."""
    kept = spark.conf.get(PROVIDER)
    spark.conf.unset(PROVIDER)
    yield spark
    spark.conf.set(PROVIDER, kept or "")


@pytest.mark.spark
def test_what_cannot_do_without_a_setting_names_it(untuned: SparkSession, folder: Path) -> None:
    assert (untuned.conf.get(PROVIDER) or "").endswith(IN_MEMORY)
    assert drained(asked(untuned, folder, WINDOW), folder) == [("a", 2.0)]
    before = settings_of(untuned)
    with pytest.raises(MissingSetting, match=r"tr\.tune") as error:
        asked(untuned, folder, CHAINED)
    assert f'spark.conf.set("{PROVIDER}"' in error.value.remedy
    assert settings_of(untuned) == before


@pytest.mark.spark
def test_the_doctor_names_what_a_session_lacks(untuned: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    assert [one.name for one in missing(untuned)] == [PROVIDER]
    tr.doctor(untuned)
    assert "needed by joins" in capsys.readouterr().out
    untuned.conf.set(PROVIDER, "mine.RocksDBStateStoreProvider")
    limit = untuned.conf.get(BYTES) or ""
    untuned.conf.unset(BYTES)
    assert {one.name for one in missing(untuned)} == {PROVIDER, BYTES}
    untuned.conf.set(BYTES, limit)


@pytest.mark.spark
@pytest.mark.classic
@pytest.mark.long
def test_the_command_checks_the_session_of_a_builder() -> None:
    command = [sys.executable, "-m", "transom", "doctor", "--master", "local[1]", "--conf", f"{SHARDS}=3"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ}, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    lacking = [line.split()[1].partition("=")[0] for line in done.stdout.splitlines() if line.startswith("--  ")]
    assert {PROVIDER, CHANGELOG, BYTES, SOCKETS} <= set(lacking)
    assert SHARDS not in lacking
