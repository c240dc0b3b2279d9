"""Jobs of Spark that somebody may want to stop, by a tag."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def cancellable(spark: Any, tag: str) -> Iterator[None]:
    """Jobs that this thread starts have the tag. Their tasks are interrupted when they are cancelled: one that waits for Python
    would not look up before its rows have come."""
    context = _context_of(spark)
    if context is None:
        spark.addTag(tag)
    else:
        context.addJobTag(tag)
        context.setInterruptOnCancel(True)
    try:
        yield
    finally:
        if context is None:
            spark.removeTag(tag)
        else:
            context.removeJobTag(tag)
            context.setInterruptOnCancel(False)


def cancel(spark: Any, tag: str) -> None:
    """Stop what has the tag."""
    context = _context_of(spark)
    if context is None:
        spark.interruptTag(tag)
    else:
        context.cancelJobsWithTag(tag)


def _context_of(spark: Any) -> Any:
    """The SparkContext; None over Spark Connect, where sessions have operations with tags instead of jobs."""
    from pyspark.sql import SparkSession

    return spark.sparkContext if isinstance(spark, SparkSession) else None
