"""Structs and arrays as keys: equal values have equal text, and come out as they went in."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from transom.kernels.columns.nested import text_of, values_of, with_text_keys

INNER = pa.struct([("x", pa.float64()), ("at", pa.timestamp("us", "UTC")), ("day", pa.date32())])
KIND = pa.struct([("k", pa.string()), ("d", pa.decimal128(10, 2)), ("b", pa.binary()), ("l", pa.list_(INNER)), ("f", pa.bool_())])


def struct(x: float | None = 1.5, **changed: Any) -> dict[str, Any]:
    inner = {"x": x, "at": datetime(2026, 1, 1, 12, tzinfo=UTC), "day": date(1969, 12, 31)}
    return {"k": 'a"b\\', "d": Decimal("1.50"), "b": b"\x00\xff", "l": [inner, None], "f": True, **changed}


@pytest.mark.parametrize("value", [struct(), struct(k=None, l=None), struct(l=[]), struct(f=None, b=b""), None])
def test_a_value_comes_out_as_it_went_in(value: Any) -> None:
    column = pa.array([value], KIND)
    assert values_of(text_of(column), KIND) == column


def test_different_values_have_different_text() -> None:
    values = [
        struct(),
        struct(2.5),
        struct(None),
        struct(k=None),
        struct(k="null"),
        struct(l=[]),
        struct(l=None),
        struct(d=None),
        None,
    ]
    assert len(set(text_of(pa.array(values, KIND)).to_pylist())) == len(values)


def test_zero_has_one_sign_and_nan_is_one_value() -> None:
    column = pa.array([struct(0.0), struct(-0.0), struct(math.nan), struct(-math.nan)], KIND)
    zero, minus, nan, other = text_of(column).to_pylist()
    assert (zero, nan) == (minus, other)
    assert zero != nan


def test_keys_alone_become_text() -> None:
    nested = pa.array([{"x": 1.0, "at": None, "day": None}], INNER)
    table = with_text_keys(pa.table({"k:s": nested, "t:s": nested, "k:n": pa.array([1])}))
    assert [field.type for field in table.schema] == [pa.string(), INNER, pa.int64()]
