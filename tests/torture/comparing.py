"""The rows of a query that was tortured, beside those of an undisturbed run or of all its tuples."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

from tests.spark.on_spark import Row, rows_of
from tests.torture.queries import complete
from tests.torture.victim import run
from transom.errors import RowsDiffer
from transom.testing import assert_same_rows

IDLE = "idle after"
"""Who is passed over depends on the clock, and so do the tuples that come late."""


def compared(spark: SparkSession, kind: str, seed: int, place: Path) -> int:
    """How many rows were compared; `RowsDiffer` where they are not what they should be."""
    got = rows_of(spark.read.parquet(str(place / "out")).drop("batch"))
    if kind == IDLE:
        return within(got, rows_of(complete(spark, kind, place / "in")))
    calm = place.parent / "calm" / place.name
    calm.mkdir(parents=True)
    (calm / "in").symlink_to(place / "in")
    run(spark, kind, seed, calm, own_sink=False)
    want = rows_of(spark.read.parquet(str(calm / "out")))
    assert_same_rows(got, want, rel_tol=1e-9)
    return len(want)


def within(got: list[Row], most: list[Row]) -> int:
    """Each window at most once, of those that there are, and with no tuple that it does not have."""
    windows = {(row["k"], row["e"]): row for row in most}
    told: set[object] = set()
    for row in got:
        window = (row["k"], row["e"])
        if window in told or window not in windows:
            raise RowsDiffer(f"{'twice' if window in told else 'no such window'}: {row}")
        if any(row[name] > windows[window][name] for name in ("n", "total", "hi")):
            raise RowsDiffer(f"{row} has more than {windows[window]}")
        told.add(window)
    if len(told) < len(windows) / 2:
        raise RowsDiffer(f"{len(told)} of {len(windows)} windows were told")
    return len(got)
