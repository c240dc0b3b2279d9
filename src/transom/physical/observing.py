"""Counts for whoever watches a query's progress."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from transom.physical.operate import COUNTS

METRICS = "transom"
ABOUT = ", ".join([*(f"{name} BIGINT" for name in (*COUNTS, "open")), "frontier STRING"])


def observed(frame: DataFrame, stage: int | None) -> DataFrame:
    """Counts of all shards, of the last operator or of the n-th below it, taken from the column `__about`, which goes."""
    about = F.when(F.col("__about") != "", F.from_json("__about", ABOUT))
    sums = [F.coalesce(F.sum(about[name]), F.lit(0)).alias(name) for name in (*COUNTS, "open")]
    name = METRICS if stage is None else f"{METRICS}_{stage}"
    return frame.observe(name, *sums, F.max(about["frontier"]).alias("frontier")).drop("__about")
