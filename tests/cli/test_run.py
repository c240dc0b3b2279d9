"""`transom run` inside a session: formats, restarts, late tuples, and what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.cli.scripts import FIRST, HI_LO, SECOND, put, ran, rows, written

pytestmark = pytest.mark.spark


def test_once_then_drain_from_one_checkpoint_equal_the_batch_answer(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "a.csv", FIRST)
    place = str(tmp_path / "checkpoint")
    insert = f"INSERT INTO FILE '{{folder}}/out' FORMAT jsonl {HI_LO};"
    assert ran(spark, tmp_path, insert, checkpoint=place) == (0, "")
    assert capsys.readouterr().err == "in 5 rows, out 4, late 1, dropped 1, outside 0\n"
    assert [row["window_end"] for row in written(tmp_path / "out")] == [
        "2026-01-05T14:01:00.000000Z",
        "2026-01-05T14:02:00.000000Z",
    ] * 2

    put(tmp_path, "b.csv", SECOND)
    assert ran(spark, tmp_path, insert, "drain", checkpoint=place) == (0, "")
    told = capsys.readouterr().err
    drained = written(tmp_path / "out")

    assert ran(spark, tmp_path, insert, "drain", checkpoint=place) == (0, "")
    assert written(tmp_path / "out") == drained
    assert told.startswith("in 3 rows, ")
    code, shown = ran(spark, tmp_path, HI_LO + ";", "drain")
    assert (code, rows(shown)) == (0, drained)
