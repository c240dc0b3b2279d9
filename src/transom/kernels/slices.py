"""What bucket sends of a micro-batch, and the place of everything in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AXIS, INDEX, PANE, PROMISED_PLACE, SEQUENCE_NUMBER
from transom.kernels.columns.arrays import Array, Bools, Ints, one_chunk
from transom.kernels.columns.frontier_steps import FrontierSteps
from transom.kernels.columns.sequence import Sequence
from transom.kernels.panes.lifting import places_of_panes
from transom.kernels.spec import Spec

SLICE = 2**40
"""More rows than a slice has: positions of a micro-batch are slice * SLICE + index."""


@dataclass
class Slice:
    """What one bucket sent of a micro-batch: its tuples (of this shard), and what every shard must know, such as the place of the
    `newest` of the query's tuples.

    `input` is the number of the input that it is of, where an operator has several.
    `partials` are of tuples that were settled already. Late tuples are counted by one shard: by `late`, how many came late by
    the slice alone and the places of the others, packed, or by `kept`, which tuples of the sequence are the query's. Where
    another operator folds the sequence, `elsewhere` are its tuples that went to their shards by themselves, and `steps` those of
    the frontier in the whole micro-batch. `passed` are late tuples of operators below.
    """

    order: tuple[Any, ...]
    rows: pa.Table
    source: str = ""
    highs: dict[str, Any] = field(default_factory=dict)
    sequence: bytes | memoryview | None = None
    arrival: bytes | None = None
    promises: pa.Table | None = None
    ended: bool = False
    newest: Any = None
    now: int | None = None
    late: tuple[int, bytes] | None = None
    partials: pa.Table | None = None
    kept: Bools | None = None
    input: int = 0
    elsewhere: int = 0
    steps: FrontierSteps | None = None
    passed: pa.Table | None = None

    @cached_property
    def sequenced(self) -> Sequence:
        """The sequence."""
        return Sequence.from_bytes(self.sequence or b"")

    @property
    def brings_something(self) -> bool:
        """Whether it is of tuples or punctuations, and does not only tell the time."""
        told = self.promises is not None and self.promises.num_rows > 0
        return bool(self.highs) or len(self.sequenced) > 0 or self.rows.num_rows + self.elsewhere > 0 or told

    def with_places(self, spec: Spec) -> Slice:
        """With the places of its tuples, which may be given by their panes, or be in the sequence alone."""
        names = self.rows.column_names
        if spec.lifts is not None and PANE in names:
            panes = one_chunk(self.rows[PANE]).to_numpy()
            self.rows = self.rows.drop_columns([PANE]).append_column(AXIS, pa.array(places_of_panes(spec.lifts, panes)))
        elif self.sequence is not None and SEQUENCE_NUMBER in names and AXIS not in names:
            places = self.sequenced.at(one_chunk(self.rows[SEQUENCE_NUMBER]).to_numpy())
            self.rows = self.rows.append_column(AXIS, pa.array(places))
        return self


@dataclass
class FrontierBefore:
    """For each tuple, the frontier of the tuple itself and of the group its windows complete for, before it came.

    It is exact for tuples that are below it. For others it may be given as lower than it is.
    """

    of_tuple: Array
    of_group: Array


def positions(slices: list[Slice]) -> Ints:
    """The place of every tuple in the order of arrival of a micro-batch."""
    parts = [n * SLICE + np.asarray(one_chunk(piece.rows[INDEX])) for n, piece in enumerate(slices) if piece.rows.num_rows]
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, np.int64)


def promised(slices: list[Slice], dtype: Any) -> tuple[Ints, Array]:
    """The punctuations of slices: when they came, and what they promise."""
    at, x = [np.zeros(0, np.int64)], [np.zeros(0, dtype)]
    for n, piece in enumerate(slices):
        if piece.promises is not None and piece.promises.num_rows:
            at.append(n * SLICE + np.asarray(one_chunk(piece.promises[INDEX])))
            x.append(np.asarray(one_chunk(piece.promises[PROMISED_PLACE]), dtype))
    return np.concatenate(at), np.concatenate(x)
