"""Asking Spark what it understands, without its log shouting when the answer is no."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.logger import PySparkLogger

LOGGER = "DataFrameQueryContextLogger"


@contextmanager
def quietly() -> Iterator[None]:
    """Errors of analysis are raised as ever, but not logged."""
    logger = PySparkLogger.getLogger(LOGGER)  # of its class, or PySpark's own errors die in its log
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
