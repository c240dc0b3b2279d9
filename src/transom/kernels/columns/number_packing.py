"""Sequences of numbers in few bytes: a first one and steps, each as narrow as the widest step allows.

Where steps take as much as what each number exceeds the smallest by, it is that: then nothing is to be added up. Where all
steps are the same, one of them does.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array

DOUBLES = b"f8  "
ABOVE = b"u4+ "
EVEN = b"even"
RISING = b"u"
"""How all begin in which nothing is below the first number: steps without a sign, and what exceeds the smallest."""

WIDTHS = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64)


def packed(numbers: Array) -> bytes:
    """Integers as steps; doubles as they are."""
    if numbers.dtype == np.float64:
        return DOUBLES + numbers.tobytes()
    if not len(numbers):
        return b""
    steps = np.diff(numbers)
    low, high = (int(steps.min()), int(steps.max())) if len(steps) else (0, 0)
    if low == high:
        return EVEN + np.array([numbers[0], low, len(numbers)], np.int64).tobytes()
    width = next(kind for kind in WIDTHS if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
    least = numbers.min()
    if width is np.int32 and numbers.max() - least < 2**32:
        return b"".join([ABOVE, least.tobytes(), (numbers - least).astype(np.uint32).tobytes()])
    return np.dtype(width).str[1:].encode().ljust(4) + numbers[:1].tobytes() + steps.astype(width).tobytes()


def below(data: bytes, x: Any) -> int:
    """How many of packed numbers are below x. Where the first is the smallest, mostly none is."""
    if data.startswith(RISING) and np.frombuffer(data, np.int64, 1, offset=4)[0] >= x:
        return 0
    return int(np.count_nonzero(unpacked(data) < x))


def in_order(numbers: Array) -> Array:
    """Sorted; where two bytes tell how far each is above the smallest, without comparing any."""
    if not len(numbers) or numbers.dtype == np.float64 or numbers.max() - (least := numbers.min()) > np.iinfo(np.uint16).max:
        return np.sort(numbers)
    return np.asarray(np.sort((numbers - least).astype(np.uint16), kind="stable") + least)


def as_text(numbers: Array) -> str:
    """For a note: packed, as text."""
    return base64.b64encode(packed(numbers)).decode()


def from_text(text: str) -> Array:
    """The numbers again."""
    return unpacked(base64.b64decode(text))


def unpacked(data: bytes) -> Array:
    """The numbers again."""
    if len(data) <= len(DOUBLES):
        return np.zeros(0, np.float64 if data else np.int64)
    if data[:4] == ABOVE:
        return np.add(np.frombuffer(data, np.uint32, offset=12), np.frombuffer(data, np.int64, 1, offset=4), dtype=np.int64)
    if data[:4] == EVEN:
        first, step, count = np.frombuffer(data, np.int64, offset=4)
        return np.asarray(first + step * np.arange(count))
    kind = np.dtype(data[:4].strip().decode())
    if kind == np.float64:
        return np.frombuffer(data, np.float64, offset=4)
    numbers = np.empty(1 + (len(data) - 12) // kind.itemsize, np.int64)
    numbers[0] = np.frombuffer(data, np.int64, 1, offset=4)[0]
    np.cumsum(np.frombuffer(data, kind, offset=12), dtype=np.int64, out=numbers[1:])
    numbers[1:] += numbers[0]
    return numbers
