"""One micro-batch of an applied operator in one shard: the clock first, then tuples and punctuation in the order of arrival."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AT, KIND
from transom.kernels.applied.applied_spec import PUNCTUATION, ContainerSpec
from transom.kernels.applied.by_instant import in_order
from transom.kernels.applied.keyed_run import KeyedRun
from transom.kernels.columns.arrays import one_chunk
from transom.kernels.slices import Slice
from transom.kernels.state.store import Blocks
from transom.windowing import Operator

Step = tuple[str, list[Any] | None]
"""The port, and tuples that come to it; None for a window punctuation."""


class ContainerOperator(ABC):
    """Made for each micro-batch, as the engine's other operators are; its state is in blocks."""

    def __init__(self, spec: ContainerSpec, operator: Operator) -> None:
        self.spec = spec
        self.keyed = KeyedRun(spec, operator)
        self.before_counts = dict(self.keyed.counts)
        self.now: int | None = None

    @property
    def counts(self) -> dict[str, int]:
        """What became of the tuples so far, and how many are held."""
        return self.keyed.counts

    def before(self, slices: list[Slice], blocks: Blocks) -> None:  # noqa: B027
        """Look at the state, and at what arrives, before anything happens."""

    @abstractmethod
    def tuples(self, number: int, table: pa.Table) -> list[Any]:
        """The tuples of an input as its container takes them."""

    def feeding(self, tuples: list[Any]) -> Iterable[Any]:
        """The tuples while they are taken, one after the other."""
        return tuples

    @abstractmethod
    def emitted(self) -> pa.Table:
        """What comes out: rows and punctuations in order."""

    def step(self, slices: list[Slice], blocks: Blocks, *, ends: bool = False) -> pa.Table | None:
        """What comes out in this micro-batch; None if nothing happens. The state is saved unless the input `ends`."""
        slices = sorted(slices, key=lambda piece: (piece.input, piece.order))
        self.now = max((piece.now for piece in slices if piece.now is not None), default=None)
        arriving = in_order([piece for piece in slices if piece.rows.num_rows], self.spec)
        wakes = self.keyed.load(blocks, self._keys(arriving), self.now)
        self.before_counts = dict(self.keyed.counts)
        if not wakes:
            return None
        self.before(arriving, blocks)
        run, used = self.keyed.run, 0
        if self.now is not None:
            run.tick(self.now)
        for port, tuples in self._steps(arriving):
            if tuples is None:
                run.punctuate(port)
            else:
                used += len(tuples)
                run.extend(self.feeding(tuples), port)
        made = self.emitted()
        self.keyed.count(used)
        if not ends:
            self.keyed.save(blocks)
        return made

    def _keys(self, slices: Iterable[Slice]) -> set[Any]:
        """The partitions of the tuples that arrive; None stands for a window without partitions."""
        found: set[Any] = set()
        for piece in slices:
            keys = self.spec.inputs[piece.input].window.keys
            if not keys:
                found.add(None)
                continue
            columns = [one_chunk(_tuples_of(piece)[key]) for key in keys]
            if len(keys) == 1:
                found.update(columns[0].unique().to_pylist())
            else:
                found.update(zip(*(values.to_pylist() for values in columns), strict=True))
            if KIND in piece.rows.column_names and not found:
                found.add(None)  # a punctuation alone
        return found

    def _steps(self, slices: list[Slice]) -> Iterator[Step]:
        if self.spec.ordered and len(self.spec.inputs) > 1:
            yield from self._interleaved(slices)
            return
        for piece in slices:
            yield from self._of_slice(piece)

    def _of_slice(self, piece: Slice) -> Iterator[Step]:
        """The tuples of a slice, cut at its punctuations."""
        port, make = self.spec.inputs[piece.input].port, partial(self.tuples, piece.input)
        if KIND not in piece.rows.column_names:
            yield port, make(piece.rows)
            return
        ends = np.flatnonzero(np.asarray(one_chunk(piece.rows[KIND])) == PUNCTUATION)
        start = 0
        for end in [*ends.tolist(), piece.rows.num_rows]:
            if end > start:
                yield port, make(piece.rows.slice(start, end - start))
            if end < piece.rows.num_rows:
                yield port, None
            start = end + 1

    def _interleaved(self, slices: list[Slice]) -> Iterator[Step]:
        """Tuples of several ports in the one order in which they came from the source that all ports read."""
        came: list[tuple[Any, int, Any]] = []
        for piece in slices:
            places = one_chunk(piece.rows[AT]).to_pylist()
            tuples = self.tuples(piece.input, piece.rows)
            came += [((*piece.order[:2], at), piece.input, t) for at, t in zip(places, tuples, strict=True)]
        came.sort(key=lambda one: one[:2])
        for number, run in groupby(came, key=lambda one: one[1]):
            yield self.spec.inputs[number].port, [t for _, _, t in run]


def _tuples_of(piece: Slice) -> pa.Table:
    if KIND not in piece.rows.column_names:
        return piece.rows
    return piece.rows.filter(pa.compute.not_equal(piece.rows[KIND], PUNCTUATION))
