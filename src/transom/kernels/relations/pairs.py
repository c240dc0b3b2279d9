"""The join of two relations: pairs of rows that are there at the same time, as a stream of pairs or as changes.

As a *stream*, each pair appears once, at the first moment at which both rows are there; a row that is kept without a match
appears when it leaves. As a *relation*, rows of the result enter and leave: a pair lives as long as both of its rows, and a
row that is kept without a match lives while it is in its window and matched with nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Bools, Ints, one_chunk, run_starts, take
from transom.kernels.relations.inputs.live import Live
from transom.kernels.relations.inputs.stretches import EARLIER, met_before, tuples_of
from transom.kernels.relations.matching import Side, pairs
from transom.kernels.relations.moments import NEVER, PLACE
from transom.kernels.relations.pair_conditions import PairCondition, columns_of, holds


class PairRows(NamedTuple):
    """Rows of the result: those of the left input and of the right (-1 for none), the moment, and whether they enter or leave."""

    left: Ints
    right: Ints
    moment: Ints
    change: Ints

    def of(self, which: Bools | Ints) -> PairRows:
        return PairRows(self.left[which], self.right[which], self.moment[which], self.change[which])


@dataclass(frozen=True)
class Meeting:
    """When rows of two inputs meet: their `keys` are equal, the place of the right one less that of the left one is between
    `least` and `most`, and a `condition` holds."""

    keys: tuple[str, ...]
    least: int | None = None
    most: int | None = None
    condition: PairCondition | None = None

    def columns(self) -> tuple[set[str], set[str]]:
        """What it looks at, of the left rows and of the right ones."""
        mine, theirs = (set(), set()) if self.condition is None else columns_of(self.condition)
        return {PLACE, *self.keys, *mine}, {PLACE, *self.keys, *theirs}

    def pairs(self, left: Side, right: Side) -> tuple[Ints, Ints]:
        one, other = self._near(left, right)
        if self.condition is None:
            return one, other
        mine, theirs = columns_of(self.condition)
        meets = holds(
            self.condition,
            left.table.select(sorted(mine)).take(pa.array(one)),
            right.table.select(sorted(theirs)).take(pa.array(other)),
        )
        return one[meets], other[meets]

    def _near(self, left: Side, right: Side) -> tuple[Ints, Ints]:
        one, other = pairs(left, right, self.keys)
        if self.least is None and self.most is None:
            return one, other
        distance = _places(right)[other] - _places(left)[one]
        meets = np.ones(len(one), bool)
        if self.least is not None:
            meets &= distance >= self.least
        if self.most is not None:
            meets &= distance <= self.most
        return one[meets], other[meets]


def _places(side: Side) -> Ints:
    return np.asarray(one_chunk(side.table[PLACE]).to_numpy(), np.int64)


@dataclass(frozen=True)
class Read:
    """The rows of one input in one step: all of them, and which entered or left between two moments."""

    table: pa.Table
    since: Ints
    until: Ints
    counts: Ints
    low: int
    high: int

    @property
    def present(self) -> Ints:
        """Rows that are there at some moment of the step, or leave as it begins."""
        return np.flatnonzero((self.since < self.high) & (self.until >= self.low))

    @property
    def fresh(self) -> Bools:
        return np.asarray((self.since >= self.low) & (self.since < self.high), bool)

    @property
    def leaving(self) -> Bools:
        return np.asarray((self.until >= self.low) & (self.until < self.high) & (self.since < self.high), bool)

    def side(self, rows: Ints, columns: set[str]) -> Side:
        """Rows with the columns that are looked at."""
        names = [name for name in self.table.column_names if name in columns]
        return Side(take(self.table.select(names), rows), self.since[rows], self.until[rows])


def read(live: Live, low: int, high: int, schema: pa.Schema) -> Read:
    table, since, until, counts = live.read()
    return Read(schema.empty_table() if table is None else table, since, until, counts.copy(), low, high)


def stream_of(kind: str, left: Read, right: Read, meeting: Meeting) -> PairRows:
    """The pairs that appear between two moments, and the rows that leave without ever having had a match.

    The counts of rows tell whether they have had one.
    """
    one, other = _first_meetings(left, right, *appearing(left, right, meeting))
    moment = np.maximum(left.since[one], right.since[other])
    of_left, of_right = tuples_of(left.table), tuples_of(right.table)
    matched_before = left.counts > 0
    made: list[PairRows] = []
    if kind == "semi":
        order = np.lexsort((moment, of_left[one]))
        first = order[run_starts(of_left[one[order]])]
        first = first[~matched_before[one[first]]]
        made.append(_rows(one[first], -1, moment[first]))
    elif kind != "anti":
        made.append(_rows(one, other, moment))
    if kind in ("left", "full", "anti"):
        alone = _alone(left, of_left, one, moment)
        made.append(_rows(alone, -1, left.until[alone]))
    if kind in ("right", "full"):
        alone = _alone(right, of_right, other, moment)
        made.append(_rows(-1, alone, right.until[alone]))
    if kind != "inner":  # of which nobody asks whether it has had a match
        _note(left, of_left, one)
        _note(right, of_right, other)
    return _together(made)


def _first_meetings(left: Read, right: Read, one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """Without the pairs that have met in an earlier stretch of their tuples."""
    if not len(one) or EARLIER not in (*left.table.column_names, *right.table.column_names):
        return one, other
    mine, theirs = left.side(one, {PLACE, EARLIER}), right.side(other, {PLACE, EARLIER})
    new = ~met_before(mine.table, (mine.since, mine.until), theirs.table, (theirs.since, theirs.until))
    return one[new], other[new]


def _alone(side: Read, of: Ints, rows: Ints, moment: Ints) -> Ints:
    """Rows that leave before their tuple has had a match."""
    first = np.full(len(of), NEVER)
    np.minimum.at(first, of[rows], moment)
    return np.flatnonzero(side.leaving & (side.counts == 0) & (first[of] >= side.until))


def changes_of(kind: str, left: Read, right: Read, meeting: Meeting) -> PairRows:
    """What enters the result and what leaves it between two moments. The counts of rows are how many matches they have now."""
    one, other = appearing(left, right, meeting)
    since = np.maximum(left.since[one], right.since[other])
    until = np.minimum(left.until[one], right.until[other])
    ended = until < left.high
    gone_left, gone_right, gone = ending(left, right, meeting)
    changes = [
        PairRows(one, other, since, np.ones(len(one), np.int64)),
        PairRows(one[ended], other[ended], until[ended], np.full(int(ended.sum()), -1)),
        PairRows(gone_left, gone_right, gone, np.full(len(gone), -1)),
    ]
    paired = _together(changes)
    made = [] if kind in ("semi", "anti") else [paired]
    if kind != "inner" and kind != "right":
        row, moment, change = _presence(left, paired.left, paired.moment, paired.change, matched=kind == "semi")
        made.append(PairRows(row, np.full(len(row), -1), moment, change))
    if kind in ("right", "full"):
        row, moment, change = _presence(right, paired.right, paired.moment, paired.change, matched=False)
        made.append(PairRows(np.full(len(row), -1), row, moment, change))
    return _together(made)


def appearing(left: Read, right: Read, meeting: Meeting) -> tuple[Ints, Ints]:
    """The pairs that begin in this step: one of the two rows is fresh."""
    of_left, of_right = left.present, right.present
    new_left, new_right = left.fresh[of_left], right.fresh[of_right]
    first = _pairs(left, of_left[new_left], right, of_right, meeting)
    second = _pairs(left, of_left[~new_left], right, of_right[new_right], meeting)
    return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])


def ending(left: Read, right: Read, meeting: Meeting) -> tuple[Ints, Ints, Ints]:
    """The pairs that began in an earlier step and end in this one, with the rows whose leaving ends them."""
    of_left, of_right = left.present, right.present
    old_left, old_right = of_left[~left.fresh[of_left]], of_right[~right.fresh[of_right]]
    one, other = _pairs(left, old_left[left.leaving[old_left]], right, old_right, meeting)
    by_left = left.until[one] <= right.until[other]
    one, other = one[by_left], other[by_left]
    two, another = _pairs(left, old_left, right, old_right[right.leaving[old_right]], meeting)
    by_right = right.until[another] < left.until[two]
    two, another = two[by_right], another[by_right]
    return np.concatenate([one, two]), np.concatenate([other, another]), np.concatenate([left.until[one], right.until[another]])


def _pairs(left: Read, of_left: Ints, right: Read, of_right: Ints, meeting: Meeting) -> tuple[Ints, Ints]:
    mine, theirs = meeting.columns()
    one, other = meeting.pairs(left.side(of_left, mine), right.side(of_right, theirs))
    return of_left[one], of_right[other]


def _presence(side: Read, row: Ints, moment: Ints, change: Ints, *, matched: bool) -> tuple[Ints, Ints, Ints]:
    """When rows of one side begin and cease to be there with a match, or without one."""
    entering, leaving = np.flatnonzero(side.fresh), np.flatnonzero(side.leaving)
    rows = np.concatenate([row, entering, leaving])
    moments = np.concatenate([moment, side.since[entering], side.until[leaving]])
    matches = np.concatenate([change, np.zeros(len(entering) + len(leaving), np.int64)])
    alive = np.concatenate([np.zeros(len(row), np.int64), np.ones(len(entering), np.int64), np.full(len(leaving), -1)])
    order = np.lexsort((moments, rows))
    rows, moments, matches, alive = rows[order], moments[order], matches[order], alive[order]
    starts = run_starts(rows, moments)
    if not len(starts):
        return rows, moments, matches
    owner, at = rows[starts], moments[starts]
    first = run_starts(owner)
    run = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(owner))))
    held = side.counts[owner[first]] + 0
    there = (side.since[owner[first]] < side.low).astype(np.int64)
    count = _running(np.add.reduceat(matches, starts), first, run) + held[run]
    life = _running(np.add.reduceat(alive, starts), first, run) + there[run]
    now = (life > 0) & ((count > 0) == matched)
    before = np.empty_like(now)
    before[1:] = now[:-1]
    before[first] = (there > 0) & ((held > 0) == matched)
    last = np.append(first[1:], len(owner)) - 1
    side.counts[owner[last]] = count[last]
    turned = np.flatnonzero(now != before)
    return owner[turned], at[turned], np.where(now[turned], 1, -1)


def _running(values: Ints, first: Ints, run: Ints) -> Ints:
    total = np.cumsum(values)
    return total - (total[first] - values[first])[run]


def _note(side: Read, of: Ints, rows: Ints) -> None:
    """Remember which tuples have had a match, with all of their rows."""
    had = np.zeros(len(of), bool)
    had[of[rows]] = True
    side.counts[had[of]] = 1


def _rows(left: Ints | int, right: Ints | int, moment: Ints) -> PairRows:
    full = np.ones(len(moment), np.int64)
    return PairRows(full * left, full * right, moment, full)


def _together(made: Sequence[PairRows]) -> PairRows:
    if not made:
        nothing = np.zeros(0, np.int64)
        return PairRows(nothing, nothing, nothing, nothing)
    return PairRows(*(np.concatenate(columns).astype(np.int64) for columns in zip(*made, strict=True)))
