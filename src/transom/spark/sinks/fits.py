"""Whether the columns of a query fit those of a table: by Spark's own rule for INSERT, before anything is written."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql.types import (
    ArrayType,
    AtomicType,
    DataType,
    DateType,
    MapType,
    NullType,
    NumericType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from transom.errors import BadQuery

TIMES = (DateType, TimestampType, TimestampNTZType)


def check_fits(table: str, given: Sequence[StructField], there: Sequence[StructField]) -> None:
    """Refuse rows that INSERT would refuse: another number of columns, or types that would be cast by force."""
    if len(there) != len(given):
        raise BadQuery(
            f"table {table!r} has {len(there)} columns, the query gives {len(given)}",
            given=", ".join(field.name for field in given),
            exists=[field.name for field in there],
            remedy="select as many columns as the table has, in its order",
        )
    wrong = [(one, other) for one, other in zip(given, there, strict=True) if not _storable(one.dataType, other.dataType)]
    if wrong:
        raise BadQuery(
            f"columns go into table {table!r} by position, and these are not of its types",
            given=", ".join(f"{one.name} {_text(one)} into {other.name} {_text(other)}" for one, other in wrong),
            exists=[f"{field.name} {_text(field)}" for field in there],
            remedy="select them in the order of the table, or cast them",
        )
    places = {field.name.lower(): n for n, field in enumerate(there)}
    moved = [one.name for n, one in enumerate(given) if places.get(one.name.lower(), n) != n]
    if moved:
        raise BadQuery(
            f"columns go into table {table!r} by position, and it has some of these names in other places",
            given=", ".join(field.name for field in given),
            exists=[field.name for field in there],
            remedy="select them in the order of the table, or under other names if that is what is meant",
        )


def _storable(given: DataType, there: DataType) -> bool:
    """Spark's store assignment under ANSI rules."""
    if given == there or isinstance(given, NullType):
        return True
    if isinstance(given, NumericType) and isinstance(there, NumericType):
        return True
    if isinstance(there, StringType):
        return isinstance(given, AtomicType)
    if isinstance(given, TIMES) and isinstance(there, TIMES):
        return True
    if isinstance(given, ArrayType) and isinstance(there, ArrayType):
        return _storable(given.elementType, there.elementType)
    if isinstance(given, MapType) and isinstance(there, MapType):
        return _storable(given.keyType, there.keyType) and _storable(given.valueType, there.valueType)
    if isinstance(given, StructType) and isinstance(there, StructType):
        pairs = list(zip(given.fields, there.fields, strict=False))
        return len(given.fields) == len(there.fields) and all(_storable(one.dataType, other.dataType) for one, other in pairs)
    return False


def _text(field: StructField) -> str:
    return field.dataType.simpleString().upper()
