"""Asking Spark what it understands, without its log shouting when the answer is no."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.logger import PySparkLogger

LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
"""For columns, and for expressions in SQL."""


@contextmanager
def quietly() -> Iterator[None]:
    """Errors of analysis are raised as ever, but not logged."""
    loggers = [PySparkLogger.getLogger(name) for name in LOGGERS]  # of its class, or PySpark's own errors die in its log
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
