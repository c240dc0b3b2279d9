"""A short campaign: one round of two queries, whose driver and workers are killed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.torture.campaign import report
from tests.torture.faults import Tally
from tests.torture.rounds import Round, torture

pytestmark = [pytest.mark.spark, pytest.mark.long]


def test_a_round(spark: SparkSession, tmp_path: Path) -> None:
    seed = random.randrange(10_000)
    tally = Tally()
    one = Round(spark, seed, tmp_path / "round", tally, ("sliding", f"random {1 + seed % 3}"), rng=random.Random(seed))
    torture(one, lives=1)
    assert not tally.wrong, report(tally, 0)
    assert (tally.queries, sum(tally.survived.values())) == (2, 2)
    assert tally.kills
    assert tally.rows


def test_a_row_that_is_lost_shows(spark: SparkSession, tmp_path: Path) -> None:
    """The harness can fail: a file of the sink that is missing is found."""
    tally = Tally()
    one = Round(spark, 7, tmp_path / "round", tally, ("sliding",), rng=random.Random(7))
    one.prepare()
    one.last_life()
    log = one.place("sliding") / "out" / "_spark_metadata" / "3"
    version, *files = log.read_text().splitlines()
    assert files
    log.write_text(version)  # as if the sink had never had them
    (log.parent / ".3.crc").unlink(missing_ok=True)
    one.compare()
    assert tally.wrong
