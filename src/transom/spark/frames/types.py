"""Spark's types as Arrow's, the way they arrive in Python: timestamps in UTC, whatever the session's zone."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType


def arrow_of(kind: DataType) -> pa.DataType:
    """The Arrow type of a Spark type."""
    return to_arrow_type(kind, timezone="UTC", prefers_large_types=False)
