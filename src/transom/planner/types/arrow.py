"""SQL types as Arrow's, as far as kernels look at them: by these a plan decides what Spark's types decide when it runs."""

from __future__ import annotations

import pyarrow as pa

from transom.semantics.sql_type import INTEGER_TYPES, SqlType

ARROW = {
    **dict.fromkeys(INTEGER_TYPES, pa.int64()),
    **dict.fromkeys(("FLOAT", "DOUBLE"), pa.float64()),
    **dict.fromkeys(("STRING", "VARCHAR", "CHAR"), pa.string()),
    "BINARY": pa.binary(),
    "BOOLEAN": pa.bool_(),
    "DATE": pa.date32(),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ"), pa.timestamp("us", "UTC")),
    "ARRAY": pa.list_(pa.null()),
    "STRUCT": pa.struct([]),
    "MAP": pa.map_(pa.string(), pa.null()),
}


def arrow_of(kind: str) -> pa.DataType | None:
    """The Arrow type of a SQL type; None where it is not known.

    >>> str(arrow_of("DECIMAL(10, 2)")), str(arrow_of("int")), arrow_of("UNKNOWN")
    ('decimal128(10, 2)', 'int64', None)
    """
    found = SqlType.of(kind)
    return pa.decimal128(found.precision, found.scale) if found.is_decimal else ARROW.get(found.name)
