"""A listener of the session: it warns of queries that leave tuples out although nothing says how late they may be."""

from __future__ import annotations

import json
from weakref import WeakSet

from pyspark.sql import SparkSession
from pyspark.sql.streaming.listener import (
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)

from transom.quality.unstated import warn

_WARNED: WeakSet[SparkSession] = WeakSet()
"""The sessions that have the listener already."""


class LateWarnings(StreamingQueryListener):
    """Looks at the observed metrics of each micro-batch."""

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802
        """Nothing has come yet."""

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802
        report = json.loads(event.progress.json)
        warn(str(report["id"]), report)

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802
        """Nothing more comes."""


def warn_of_late(spark: SparkSession) -> None:
    """Let a session warn, once; over Spark Connect, where listeners cost a stream of events of their own, `Quality.of` does."""
    if isinstance(spark, SparkSession) and spark not in _WARNED:
        _WARNED.add(spark)
        spark.streams.addListener(LateWarnings())
