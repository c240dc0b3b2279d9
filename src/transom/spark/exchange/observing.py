"""Counts and progress for whoever watches a query: the observed metric `transom` (`transom.quality` reads it)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812

from transom.column_names import ABOUT
from transom.quality.moment import metric_of
from transom.quality.shard_reports import SHARDS

WAIT = 5.0
"""Seconds to wait for what was observed: where Spark left all rows out, nothing was."""


def observed(frame: DataFrame, stage: int | None, seen: Observation | None = None) -> DataFrame:
    """What all shards tell of the last operator, or of the n-th of those below it, taken from the column `__about`, which goes.

    It stays the JSON that it is: an aggregate of Spark's for each count would take longer than the counting, in every
    micro-batch, because each task writes their code anew.
    """
    return frame.observe(metric_of(stage) if seen is None else seen, F.collect_list(ABOUT).alias(SHARDS)).drop(ABOUT)


def metrics_of(seen: Observation) -> Mapping[str, Any]:
    """What was observed of a batch that has run."""
    found: dict[str, Any] = {}
    asking = threading.Thread(target=lambda: found.update(seen.get), daemon=True)
    asking.start()
    asking.join(WAIT)
    return found
