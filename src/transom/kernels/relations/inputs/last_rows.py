"""The states of windows of rows: which rows enter and leave when windows end.

A window ends with a row, at the largest timestamp up to there, and its extent replaces the one before. Of windows that end at
one timestamp the last replaces the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transom.kernels.columns.arrays import Ints, ranges, run_starts


class Moves(NamedTuple):
    """Rows, by partition and number in it, that enter (+1) or leave (-1) at a place."""

    partition: Ints
    number: Ints
    place: Ints
    change: Ints


def moves(partition: Ints, first: Ints, end: Ints, place: Ints, held_first: Ints, held_end: Ints) -> tuple[Moves, Ints, Ints]:
    """What changes when windows end.

    `first` and `end` are the rows of each window, half open, in the order in which windows end; `held_first` and `held_end` those
    of each partition's state before. The state after the last window comes with the moves.
    """
    order = np.lexsort((np.arange(len(place)), place, partition))
    partition, first, end, place = partition[order], first[order], end[order], place[order]
    last = np.ones(len(place), bool)
    last[:-1] = (partition[1:] != partition[:-1]) | (place[1:] != place[:-1])
    partition, first, end, place = partition[last], first[last], end[last], place[last]
    runs = run_starts(partition)
    before_first, before_end = np.empty_like(first), np.empty_like(end)
    before_first[1:], before_end[1:] = first[:-1], end[:-1]
    before_first[runs], before_end[runs] = held_first[partition[runs]], held_end[partition[runs]]
    pieces = []
    for change, (a0, a1), (b0, b1) in (
        (1, (first, end), (before_first, before_end)),
        (-1, (before_first, before_end), (first, end)),
    ):
        empty = b1 <= b0
        b0, b1 = np.where(empty, a1, b0), np.where(empty, a1, b1)
        for start, stop in ((a0, np.minimum(a1, b0)), (np.maximum(a0, b1), a1)):
            number, owner = ranges(start, stop)
            pieces.append(Moves(partition[owner], number, place[owner], np.full(len(number), change)))
    held_first, held_end = held_first.copy(), held_end.copy()
    ends = np.append(runs[1:], len(partition)) - 1 if len(runs) else runs
    held_first[partition[ends]], held_end[partition[ends]] = first[ends], end[ends]
    return Moves(*(np.concatenate(columns) for columns in zip(*pieces, strict=True))), held_first, held_end
