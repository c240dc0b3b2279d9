"""Jobs of Spark that somebody may want to stop: by a tag, on a cluster of one's own and over Spark Connect alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def cancellable(spark: Any, tag: str) -> Iterator[None]:
    """Jobs that this thread starts have the tag. Their tasks are interrupted when they are cancelled: one that waits for Python
    would not look up before its rows have come."""
    from pyspark.sql import SparkSession

    context = spark.sparkContext if isinstance(spark, SparkSession) else None
    if context is not None:
        context.setInterruptOnCancel(True)
    spark.addTag(tag)
    try:
        yield
    finally:
        spark.removeTag(tag)
        if context is not None:
            context.setInterruptOnCancel(False)


def cancel(spark: Any, tag: str) -> None:
    """Stop what has the tag."""
    spark.interruptTag(tag)
