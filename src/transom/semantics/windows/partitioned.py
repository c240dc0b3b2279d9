"""Type 3: partitioned windows, `... PATTR p, q`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from transom.errors import ConflictingClauses, MissingClause
from transom.semantics.interval import Interval
from transom.semantics.keys import key
from transom.semantics.length import Number, names_of
from transom.semantics.tuples import Tuple, Tuples
from transom.semantics.windows.refined import Refined

Partition = tuple[Any, ...]


def partition_of(t: Tuple, pattr: Sequence[str]) -> Partition:
    """The partition of a tuple. NULL is a partition like any other, and so is NaN."""
    return tuple(key(t[p]) for p in pattr)


def substream(tuples: Tuples, pattr: Sequence[str], partition: Partition) -> list[Tuple]:
    """The arrivals of one partition, with row_num counting them alone."""
    members = [t for t in tuples if partition_of(t, pattr) == partition]
    return [replace(t, row_num=n) for n, t in enumerate(members, start=1)]


def partitions(tuples: Tuples, pattr: Sequence[str]) -> list[Partition]:
    """The partitions that tuples are in, by first arrival."""
    return list(dict.fromkeys(partition_of(t, pattr) for t in tuples))


@dataclass(frozen=True)
class Partitioned(Refined):
    """A window cut in each partition by itself. The window-id is (i, p).

    >>> from transom import rows
    >>> from transom.semantics import RowWindow
    >>> Partitioned(RowWindow(range=rows(1000), slide=rows(10)), pattr=("seg_id",)).pattr
    ('seg_id',)
    """

    pattr: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattr", names_of("PATTR", self.pattr))
        if not self.pattr:
            raise MissingClause(
                "a partitioned window needs columns to partition by", given="PATTR ()", remedy="name at least one"
            )
        if isinstance(self.window, Refined):
            raise ConflictingClauses(
                "a window is partitioned once, and filtered after it is partitioned",
                given=type(self.window).__name__,
                remedy="name all partitioning columns in one PATTR and filter outside",
            )

    def windows(self, tuples: Tuples) -> list[tuple[Any, Partition]]:
        ids = []
        for p in partitions(tuples, self.pattr):
            ids += [(i, p) for i in self.window.windows(substream(tuples, self.pattr, p))]
        return ids

    def bounds(self, w: tuple[Any, Partition], tuples: Tuples = ()) -> Interval:
        i, p = w
        return self.window.bounds(i, substream(tuples, self.pattr, p))

    def extent(self, w: tuple[Any, Partition], tuples: Tuples) -> list[Tuple]:
        i, p = w
        members = set(self.window.extent(i, substream(tuples, self.pattr, p)))
        return [t for t in tuples if t in members]

    def wids(self, t: Tuple, tuples: Tuples) -> list[tuple[Any, Partition]]:
        p = partition_of(t, self.pattr)
        members = substream(tuples, self.pattr, p)
        here = next(u for u in members if u == t)
        return [(i, p) for i in self.window.wids(here, members)]

    def instant(self, w: tuple[Any, Partition], tuples: Tuples = ()) -> Number | None:
        i, p = w
        return self.window.instant(i, substream(tuples, self.pattr, p))

    def complete(self, w: tuple[Any, Partition], tuples: Tuples, frontier: Number) -> bool:
        i, p = w
        return self.window.complete(i, substream(tuples, self.pattr, p), frontier)

    def promised(self, w: tuple[Any, Partition], tuples: Tuples, frontier: Number) -> bool:
        i, p = w
        return self.window.promised(i, substream(tuples, self.pattr, p), frontier)

    def span(self, w: tuple[Any, Partition], tuples: Tuples = ()) -> tuple[Number | None, Number]:
        i, p = w
        return self.window.span(i, substream(tuples, self.pattr, p))
