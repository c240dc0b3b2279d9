"""The sequence of a substream as controllers look at it: the running maximum, and how far each tuple is below it.

The maximum is raised by few tuples where there is disorder, and lateness takes fewer bytes than places do. So this is also
how a sequence crosses the exchange: every shard gets all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from transom.kernels.arrays import Array, Ints
from transom.kernels.axis import NOTHING_YET, Axis
from transom.kernels.packing import packed, unpacked

BELOW = b"below   "
HEAD = 40
"""Bytes before what is below: the tag, how many tuples, bytes for each, and bytes of what follows twice."""

NARROW = (np.uint16, np.uint32)


@dataclass(frozen=True)
class Sequence:
    """`below` is 0 for tuples that raise the maximum, which are the `rises_at`-th, to `rises`; `before` is the one before all.

    Doubles have their places, too: a difference may be rounded.
    """

    before: Any
    below: Array
    rises_at: Ints
    rises: Array
    given: Array | None = None

    @classmethod
    def of(cls, places: Array, before: Any = None) -> Sequence:
        """The sequence of some places, behind a maximum that was reached before."""
        before = Axis(None if places.dtype == np.float64 else 1).nothing_yet if before is None else before
        high = np.empty(len(places) + 1, places.dtype)
        high[0], high[1:] = before, places
        np.maximum.accumulate(high, out=high)
        rises_at = np.flatnonzero(high[1:] > high[:-1])
        high = high[1:]
        below = high - places
        given = places if places.dtype == np.float64 else None
        return cls(before, below if given is not None else _narrowed(below), rises_at, high[rises_at], given)

    def __len__(self) -> int:
        return len(self.below)

    @cached_property
    def high(self) -> Array:
        """The maximum before each tuple, and at last the one after all."""
        levels = np.concatenate([np.array([self.before], self.rises.dtype), self.rises])
        return np.repeat(levels, np.diff(self.rises_at + 1, prepend=0, append=len(self) + 1))

    @cached_property
    def places(self) -> Array:
        """All places."""
        return self.high[1:] - self.below if self.given is None else self.given

    def at(self, numbers: Ints) -> Array:
        """The places of some tuples, by their numbers."""
        return self.high[numbers + 1] - self.below[numbers] if self.given is None else self.given[numbers]

    def since(self, start: int) -> Array:
        """The places from a tuple on."""
        return self.high[start + 1 :] - self.below[start:] if self.given is None else self.given[start:]

    def behind(self, high: Any) -> Sequence:
        """The same behind a larger maximum, which the first tuples may be below."""
        if self.given is not None:
            return Sequence.of(self.given, high)
        passed = int(np.searchsorted(self.rises, high, side="right"))
        end = int(self.rises_at[passed]) if passed < len(self.rises) else len(self)
        if not end:
            return replace(self, before=high)
        levels = np.repeat(self.rises[:passed], np.diff(self.rises_at[:passed], append=end))
        first = self.below[:end] + (high - levels)
        wide = np.result_type(self.below, np.min_scalar_type(first.max().item()))
        below = self.below.astype(wide if wide in NARROW else np.int64)
        below[:end] = first
        return Sequence(high, below, self.rises_at[passed:], self.rises[passed:])

    def to_bytes(self) -> bytes:
        """In few bytes: places, where many raise the maximum."""
        if self.given is not None or 4 * len(self.rises) > len(self):
            return packed(self.places)
        rises, at = packed(self.rises), packed(self.rises_at)
        head = np.array([len(self), self.below.itemsize, len(rises), len(at)], np.int64)
        return b"".join([BELOW, head.data, self.below.data, rises, at])

    @classmethod
    def from_bytes(cls, data: bytes | memoryview) -> Sequence:
        """The sequence again."""
        if data[: len(BELOW)] != BELOW:
            return cls.of(unpacked(bytes(data)))
        count, width, rises, _ = np.frombuffer(data, np.int64, 4, offset=len(BELOW)).tolist()
        kind = {np.dtype(each).itemsize: each for each in (*NARROW, np.int64)}[width]
        end = HEAD + count * width
        below = np.frombuffer(data, kind, count, offset=HEAD)
        return cls(NOTHING_YET, below, unpacked(bytes(data[end + rises :])), unpacked(bytes(data[end : end + rises])))


def _narrowed(numbers: Array) -> Array:
    """Numbers that are not below 0, in as few bytes as they need."""
    most = numbers.max(initial=0)
    return numbers.astype(next((kind for kind in NARROW if most <= np.iinfo(kind).max), np.int64))
