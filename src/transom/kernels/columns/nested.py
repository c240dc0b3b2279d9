"""Keys that are structs or arrays, as text: equal values have equal text, and the value can be had again.

Keys are compared, hashed and sorted as flat columns. Text is made where tuples come in, and values where results leave. As in
Spark, NULL in a field is a value like any other, zero has one sign, and all NaN are one.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pyarrow as pa

from transom.column_names import FIXED, KEY

KEYS = (KEY, FIXED)
"""How the columns begin that groups are made by."""


def with_text_keys(table: pa.Table, begins: tuple[str, ...] = KEYS) -> pa.Table:
    """A table in which keys are flat: the columns whose names begin so."""
    for n, field in enumerate(table.schema):
        if field.name.startswith(begins) and pa.types.is_nested(field.type):
            table = table.set_column(n, field.name, text_of(table.column(n).combine_chunks()))
    return table


def text_of(column: pa.Array) -> pa.StringArray:
    """Nested values as text.

    >>> text_of(pa.array([{"a": -0.0, "b": None}, None])).to_pylist()
    ['[0.0, null]', None]
    """
    kind = column.type
    plain = column.cast(_plain_type(kind))
    return pa.array([None if value is None else json.dumps(_plain(value, kind)) for value in plain.to_pylist()], pa.string())


def values_of(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """The values that text was made of.

    >>> kind = pa.struct([("a", pa.date32()), ("b", pa.list_(pa.binary()))])
    >>> values_of(pa.array(['[3, ["00ff", null]]']), kind).to_pylist()
    [{'a': datetime.date(1970, 1, 4), 'b': [b'\\x00\\xff', None]}]
    """
    values = [None if text is None else _value(json.loads(text), kind) for text in texts.to_pylist()]
    return pa.array(values, _plain_type(kind)).cast(kind)


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """The same type, with numbers in place of times."""
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_plain_type(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_plain_type(kind.value_type)))
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind) or pa.types.is_time64(kind):
        return pa.int64()
    if pa.types.is_date32(kind):
        return pa.int32()
    return kind


def _plain(value: Any, kind: pa.DataType) -> Any:
    if value is None:
        return None
    if pa.types.is_struct(kind):
        return [_plain(value[field.name], field.type) for field in kind]
    if pa.types.is_list(kind):
        return [_plain(one, kind.value_type) for one in value]
    if isinstance(value, float):
        return value + 0.0
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if isinstance(value, Decimal) else value


def _value(plain: Any, kind: pa.DataType) -> Any:
    if plain is None:
        return None
    if pa.types.is_struct(kind):
        return {field.name: _value(one, field.type) for field, one in zip(kind, plain, strict=True)}
    if pa.types.is_list(kind):
        return [_value(one, kind.value_type) for one in plain]
    if pa.types.is_binary(kind):
        return bytes.fromhex(plain)
    return Decimal(plain) if pa.types.is_decimal(kind) else plain
