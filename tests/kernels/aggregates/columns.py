"""Random columns of every type, random slices, and what a plain function makes of each slice."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

Make = Callable[[random.Random], Any]

TYPES: dict[str, tuple[pa.DataType, Make]] = {
    "boolean": (pa.bool_(), lambda r: r.random() < 0.5),
    "tinyint": (pa.int8(), lambda r: r.choice([-128, 127, 0, 1, -1])),
    "int": (pa.int32(), lambda r: r.randrange(-5, 5)),
    "bigint": (pa.int64(), lambda r: r.choice([r.randrange(-(10**15), 10**15), 3, -3])),
    "float": (pa.float32(), lambda r: r.choice([0.1, 1.5, -2.0, 0.0, -0.0, 3e7])),
    "double": (pa.float64(), lambda r: r.choice([r.uniform(-1e3, 1e3), 0.1, 0.0, -0.0, 1e15, -1e15])),
    "far double": (pa.float64(), lambda r: 1e9 + r.randrange(7) / 8),
    "odd double": (pa.float64(), lambda r: r.choice([math.nan, math.inf, -math.inf, 0.0, -0.0, *range(9), 0.5])),
    "decimal": (pa.decimal128(10, 2), lambda r: Decimal(r.randrange(-900, 900)).scaleb(-2)),
    "wide decimal": (pa.decimal128(30, 4), lambda r: Decimal(r.choice([r.randrange(-(10**25), 10**25), 5, -5])).scaleb(-4)),
    "string": (pa.string(), lambda r: r.choice(["a", "b", "Z", "ä", "aa", "", "\U0001f600", "\uffff"])),
    "binary": (pa.binary(), lambda r: r.choice([b"", b"a", b"\xff", b"a\x00"])),
    "date": (pa.date32(), lambda r: date(1970, 1, 1) + timedelta(days=r.randrange(-5, 5))),
    "timestamp": (pa.timestamp("us", "UTC"), lambda r: datetime(1969, 12, 31, tzinfo=UTC) + timedelta(hours=r.randrange(40))),
}
"""By name: the type, and how to make a value."""

NUMBERS = ("tinyint", "int", "bigint", "float", "double", "far double", "odd double", "decimal", "wide decimal")


def column(kind: str, rows: int, seed: int, nulls: float = 0.2) -> pa.Array:
    """A column that begins somewhere inside its buffers, as a slice of a batch does."""
    rng = random.Random(f"{kind} {seed}")
    data_type, make = TYPES[kind]
    values = [None if rng.random() < nulls else make(rng) for _ in range(rows + 3)]
    return pa.array(values, data_type).slice(3)


def some_slices(rows: int, seed: int, many: int = 60) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Overlapping slices in any order, among them empty ones, ones of one row, and all rows."""
    rng = np.random.default_rng(seed)
    starts, lengths = rng.integers(0, rows + 1, many), rng.choice([0, 1, 2, 3, 7, 8, 9, rows], many)
    ends = np.minimum(starts + lengths, rows)
    starts[0], ends[0] = 0, rows
    return starts, ends


def lists(args: Sequence[pa.Array], starts: Any, ends: Any) -> list[list[tuple[Any, ...]]]:
    """The rows of each slice as a plain function gets them."""
    rows = list(zip(*(arg.to_pylist() for arg in args), strict=True))
    return [rows[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def same(ours: Any, theirs: Any) -> bool:
    """Equal; doubles to twelve digits, and NaN is NaN."""
    if isinstance(ours, list):
        return isinstance(theirs, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, float) and theirs is not None:
        theirs = float(theirs)
        return math.isnan(theirs) if math.isnan(ours) else math.isclose(ours, theirs, rel_tol=1e-12)
    return bool(ours == theirs and (ours is None) == (theirs is None))


def assert_same(ours: pa.Array, theirs: list[Any]) -> None:
    ours.validate(full=True)
    assert len(ours) == len(theirs)
    wrong = [(n, a, b) for n, (a, b) in enumerate(zip(ours.to_pylist(), theirs, strict=True)) if not same(a, b)]
    assert not wrong, f"slice, ours, theirs: {wrong[:3]}"
