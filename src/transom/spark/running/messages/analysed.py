"""What Spark refuses when it analyses a query, as an error with a name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.errors import AnalysisException, ParseException

from transom.errors import BadQuery
from transom.spark.running.messages.failures import cause


@contextmanager
def analysed() -> Iterator[None]:
    """Name what Spark refuses; its own error is the `__cause__`."""
    try:
        yield
    except (AnalysisException, ParseException) as error:
        raise BadQuery(f"Spark does not accept the query: {cause(str(error))}", remedy="correct it") from error
