"""A fast path for JSON lines: blocks that Arrow reads to the values that Spark's `from_json` gives.

`from_json` sets up a parser for each record, and takes twice the time for it (2 M records of four fields: 9.1 s of CPU
against 5 s). So blocks are read by Arrow where both readers provably agree, and handed to Spark as text where one record of
the block is anything else: Arrow is stricter (it refuses what has another type, single quotes, a field twice), and what it
takes and Spark reads in another way is checked for below.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pajson

from transom.spark.sources.text.texts import Records

LONGEST_ISO = 27
"""`2026-01-02T03:04:05.678901Z`."""
SHORTEST_ISO = 19
"""`2026-01-02 03:04:05`. Of what is shorter the readers have different opinions."""


def is_plain(kind: pa.DataType) -> bool:
    """The types for which this is known: not FLOAT and DECIMAL, which the readers round differently, and nothing nested.

    >>> is_plain(pa.int64()), is_plain(pa.timestamp("us", "UTC")), is_plain(pa.decimal128(10, 2))
    (True, True, False)
    """
    return kind in (pa.int32(), pa.int64(), pa.float64(), pa.bool_(), pa.string(), pa.timestamp("us", "UTC"))


def plain_columns(records: Records, columns: pa.Schema) -> list[pa.Array] | None:
    """The values of all records; None if one of the records is not plain, or malformed."""
    if records.reasons.null_count < len(records.reasons):
        return None
    text = pc.binary_join(pa.ListArray.from_arrays(pa.array([0, len(records.texts)], pa.int32()), records.texts), "\n")[
        0
    ].as_buffer()
    fields = [pa.field(field.name, pa.string()) if pa.types.is_timestamp(field.type) else field for field in columns]
    try:
        table = pajson.read_json(
            pa.BufferReader(text),
            read_options=pajson.ReadOptions(use_threads=False, block_size=len(text) + 1),
            parse_options=pajson.ParseOptions(explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore"),
        )
        if table.num_rows != len(records.texts):
            return None
        return [_as_spark_reads(table[field.name].combine_chunks(), field.type) for field in columns]
    except pa.ArrowException:
        return None


def _as_spark_reads(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """The column, or ArrowInvalid where Spark may read it in another way."""
    if pa.types.is_floating(kind):
        values = column.drop_null().to_numpy(zero_copy_only=False)
        if not np.isfinite(values).all() or np.signbit(values[values == 0]).any():  # the integer -0 is 0.0 to Spark
            raise pa.ArrowInvalid("beyond the range of doubles, or minus zero")
        return column
    if not pa.types.is_timestamp(kind):
        return column
    lengths = pc.min_max(pc.binary_length(column)).as_py()
    if lengths["min"] is not None and not SHORTEST_ISO <= lengths["min"] <= lengths["max"] <= LONGEST_ISO:
        raise pa.ArrowInvalid("no plain timestamp")
    zoned = pc.ends_with(column, "Z")
    if pc.all(zoned).as_py() is not False:
        return column.cast(kind)
    return column.cast(pa.timestamp("us")).cast(kind)  # refuses zones; and the zone of the session is UTC here
