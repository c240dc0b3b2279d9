"""Counts and progress for whoever watches a query: the observed metric `transom` (`transom.quality` reads it)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812

from transom.physical.operate import COUNTS
from transom.quality.moment import METRICS

ABOUT = ", ".join([*(f"{name} BIGINT" for name in (*COUNTS, "open")), "frontier STRING, control STRING, late_by_age STRING"])


WAIT = 5.0
"""Seconds to wait for what was observed: where Spark left all rows out, nothing was."""


def observed(frame: DataFrame, stage: int | None, seen: Observation | None = None) -> DataFrame:
    """Counts of all shards, of the last operator or of the n-th below it, taken from the column `__about`, which goes.

    `control` is the same in every shard, and stays the JSON that it is.
    """
    frame = frame.withColumn("__about", F.from_json("__about", ABOUT))
    about = F.col("__about")
    sums = [F.coalesce(F.sum(about[name]), F.lit(0)).alias(name) for name in (*COUNTS, "open")]
    told = [F.max(about[name]).alias(name) for name in ("frontier", "control")]
    ages = F.collect_list(about["late_by_age"]).alias("late_by_age")
    name = METRICS if stage is None else f"{METRICS}_{stage}"
    return frame.observe(name if seen is None else seen, *sums, *told, ages).drop("__about")


def metrics_of(seen: Observation) -> Mapping[str, Any]:
    """What was observed of a batch that has run."""
    found: dict[str, Any] = {}
    asking = threading.Thread(target=lambda: found.update(seen.get), daemon=True)
    asking.start()
    asking.join(WAIT)
    return found
