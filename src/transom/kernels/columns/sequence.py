"""The sequence of a substream as controllers look at it: places, or the running maximum and how far each tuple is below it.

The maximum is raised by few tuples where there is disorder, and lateness takes fewer bytes than places do. So this is also
how a sequence crosses the exchange to those who look at lateness: every shard gets all of it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import NOTHING_YET, Axis
from transom.kernels.columns.number_packing import packed, unpacked

BELOW = b"below   "
HEAD = 40
"""Bytes before what is below: the tag, how many tuples, bytes for each, and bytes of what follows twice."""

NARROW = (np.uint16, np.uint32)


class Maxima(NamedTuple):
    """How far each tuple is `below` the maximum, 0 for those that raise it, which are the `rises_at`-th, to `rises`."""

    below: Array
    rises_at: Ints
    rises: Array


class Sequence:
    """Known by its places, or by its maxima behind `before`, the one before all. Either is found from the other on demand."""

    def __init__(self, before: Any, places: Array | None = None, maxima: Maxima | None = None) -> None:
        self.before, self._places, self._maxima = before, places, maxima

    @classmethod
    def of(cls, places: Array, before: Any = None) -> Sequence:
        """The sequence of some places, behind a maximum that was reached before."""
        nothing = Axis(None if places.dtype == np.float64 else 1).nothing_yet
        return cls(nothing if before is None else before, places)

    def __len__(self) -> int:
        return len(self.below if self._places is None else self._places)

    @cached_property
    def maxima(self) -> Maxima:
        """The maximum, by those that raise it, and what is below."""
        if self._maxima is not None:
            return self._maxima
        high = np.empty(len(self) + 1, self.places.dtype)
        high[0], high[1:] = self.before, self.places
        np.maximum.accumulate(high, out=high)
        rises_at = np.flatnonzero(high[1:] > high[:-1])
        below = high[1:] - self.places
        return Maxima(below if below.dtype == np.float64 else _narrowed(below), rises_at, high[1:][rises_at])

    @property
    def below(self) -> Array:
        """How far each tuple is below the maximum."""
        return self.maxima.below

    @cached_property
    def high(self) -> Array:
        """The maximum before each tuple, and at last the one after all."""
        _, rises_at, rises = self.maxima
        levels = np.concatenate([np.array([self.before], rises.dtype), rises])
        return np.repeat(levels, np.diff(rises_at + 1, prepend=0, append=len(self) + 1))

    @cached_property
    def places(self) -> Array:
        """All places."""
        return self.high[1:] - self.below if self._places is None else self._places

    def at(self, numbers: Ints) -> Array:
        """The places of some tuples, by their numbers."""
        return self.high[numbers + 1] - self.below[numbers] if self._places is None else self._places[numbers]

    def since(self, start: int) -> Array:
        """The places from a tuple on."""
        return self.high[start + 1 :] - self.below[start:] if self._places is None else self._places[start:]

    def behind(self, high: Any) -> Sequence:
        """The same behind a larger maximum, which the first tuples may be below."""
        if self._places is not None:
            return Sequence(high, self._places)
        below, rises_at, rises = self.maxima
        passed = int(np.searchsorted(rises, high, side="right"))
        end = int(rises_at[passed]) if passed < len(rises) else len(self)
        if end:
            levels = np.repeat(rises[:passed], np.diff(rises_at[:passed], append=end))
            first = below[:end] + (high - levels)
            wide = np.result_type(below, np.min_scalar_type(first.max().item()))
            below = below.astype(wide if wide in NARROW else np.int64)
            below[:end] = first
        return Sequence(high, maxima=Maxima(below, rises_at[passed:], rises[passed:]))

    def to_bytes(self, *, by_maxima: bool) -> bytes:
        """In few bytes: places, unless maxima are wanted and few."""
        if not len(self) or not by_maxima or self.places.dtype == np.float64 or 4 * len(self.maxima.rises) > len(self):
            return packed(self.places)
        below, rises_at, rises = self.maxima
        levels, at = packed(rises), packed(rises_at)
        head = np.array([len(self), below.itemsize, len(levels), len(at)], np.int64)
        return b"".join([BELOW, head.data, below.data, levels, at])

    @classmethod
    def from_bytes(cls, data: bytes | memoryview) -> Sequence:
        """The sequence again."""
        if data[: len(BELOW)] != BELOW:
            return cls.of(unpacked(bytes(data)))
        count, width, levels, _ = np.frombuffer(data, np.int64, 4, offset=len(BELOW)).tolist()
        kind = {np.dtype(each).itemsize: each for each in (*NARROW, np.int64)}[width]
        end = HEAD + count * width
        below = np.frombuffer(data, kind, count, offset=HEAD)
        rises = unpacked(bytes(data[end : end + levels]))
        return cls(NOTHING_YET, maxima=Maxima(below, unpacked(bytes(data[end + levels :])), rises))


def _narrowed(numbers: Array) -> Array:
    """Numbers that are not below 0, in as few bytes as they need."""
    most = numbers.max(initial=0)
    return numbers.astype(next((kind for kind in NARROW if most <= np.iinfo(kind).max), np.int64))
