"""Spark's types as Arrow's, the way they arrive in Python: timestamps in UTC, whatever the session's zone."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType


def arrow_of(kind: DataType) -> pa.DataType:
    """The Arrow type of a Spark type."""
    return to_arrow_type(kind, timezone="UTC", prefers_large_types=False)


def is_nested(kind: pa.DataType) -> bool:
    """Whether values have parts: arrays, structs and maps."""
    return bool(pa.types.is_nested(kind))


def as_objects(column: Any) -> pd.Series:
    """A column of Python's own values, NULL as None and maps as dictionaries: so Spark takes values that have parts."""
    return pd.Series(column.to_pylist(maps_as_pydicts="lossy"), dtype=object)
