"""The join of rows that may turn out to be none, as a stream: pairs, and rows without a match, each with its verdict.

Whether a row has a match is a question about its whole life. So a row that stands for want of one is there from the beginning,
*open*: it becomes certain when it has left without a match, and void with its first. What is made of an open row is open, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from transom.kernels.columns.arrays import Bools, Ints
from transom.kernels.relations.inputs.open_states import CERTAIN, ENTERS, ENTERS_OPEN, LEAVES, VOID
from transom.kernels.relations.moments import NEVER
from transom.kernels.relations.pairs import Read

MATCHED, DECIDED, KEPT, NONE = 1, 2, 4, 8
"""What the count of a row says: it has had a match; it is certain; it is kept when it has left; it turned out to be none."""


class Events(NamedTuple):
    """What happens to rows: of the left input and the right (-1 for none), the moment, and what it is."""

    left: Ints
    right: Ints
    moment: Ints
    what: Ints


class OpenVerdicts(NamedTuple):
    """When rows become certain, and when they turn out to be none; NEVER as far as it is known."""

    known: Ints
    void: Ints

    def of(self, which: Ints) -> OpenVerdicts:
        return OpenVerdicts(self.known[which], self.void[which])

    @property
    def waits(self) -> Bools:
        return np.asarray((self.known == NEVER) & (self.void == NEVER), bool)


class Met(NamedTuple):
    """Pairs of rows that meet in this step, or did before and wait for a verdict (then the moment is before it)."""

    left: Ints
    right: Ints
    moment: Ints
    fresh: Bools

    def of(self, which: Bools) -> Met:
        return Met(self.left[which], self.right[which], self.moment[which], self.fresh[which])


def verdicts_on_left(left: Read, opened: Bools, decided: tuple[Ints, Ints, Bools]) -> OpenVerdicts:
    """Of the left rows; `decided` are rows, moments and verdicts of this step."""
    known = np.where(opened & (left.counts & DECIDED == 0), NEVER, left.since)
    void = np.full(len(known), NEVER)
    rows, moments, certain = decided
    known[rows[certain]], void[rows[~certain]] = moments[certain], moments[~certain]
    return OpenVerdicts(known, void)


@dataclass(frozen=True)
class Joining:
    """One step of an open join. It marks in the counts of rows what the next one has to know."""

    left: Read
    right: Read
    on_left: OpenVerdicts
    met: Met

    @property
    def of_pairs(self) -> OpenVerdicts:
        """A pair is certain when its left row is, from the moment of its meeting on."""
        known, void = self.on_left.of(self.met.left)
        return OpenVerdicts(np.where(known == NEVER, NEVER, np.maximum(known, self.met.moment)), void)

    def pairs(self, ending: tuple[Ints, Ints, Ints]) -> list[Events]:
        """What happens to pairs. `ending` are those of earlier steps that end in this one."""
        met, verdicts = self.met, self.of_pairs
        until = np.minimum(self.left.until[met.left], self.right.until[met.right])
        gone_left, gone_right, gone = ending
        stays = self.on_left.void[gone_left] != gone
        return [
            *_of_rows((met.left, met.right), met.moment, until, verdicts, met.fresh, met.fresh & (until < self.left.high)),
            _events(gone_left[stays], gone_right[stays], gone[stays], LEAVES),
        ]

    def semi(self) -> list[Events]:
        """Left rows with a match: certain with the first, void when they leave without one."""
        left, first = self.left, self._first_match
        had = left.counts & MATCHED > 0
        matched = had | (first < NEVER)
        known = np.where(matched, np.maximum(np.where(had, left.since, first), self.on_left.known), NEVER)
        void = np.minimum(self.on_left.void, np.where(left.leaving & ~matched, left.until, NEVER))
        return self._of_side(left, np.flatnonzero(_there(left)), self._now(left, known, void), on_the_right=False)

    def left_alone(self) -> list[Events]:
        """Left rows without a match: certain when they have left, void with the first."""
        left, first = self.left, self._first_match
        had = left.counts & MATCHED > 0
        unmatched = ~had & (first == NEVER) & (self.on_left.void == NEVER) & (left.until < left.high)
        known = np.where(unmatched, np.maximum(left.until, self.on_left.known), NEVER)
        void = np.minimum(self.on_left.void, first)
        return self._of_side(left, np.flatnonzero(~had & _there(left)), self._now(left, known, void), on_the_right=False)

    def right_alone(self) -> list[Events]:
        """Right rows without a match: certain when they have left and all that they met is void, void with the first that is
        certain."""
        right, verdicts = self.right, self.of_pairs
        had = right.counts & MATCHED > 0
        first = _least(len(had), self.met.right, verdicts.known)
        settled = ~had & (first == NEVER) & ~self.waiting_right & (right.until < right.high)
        emptied = np.full(len(had), -NEVER)
        empty = verdicts.void < NEVER
        np.maximum.at(emptied, self.met.right[empty], verdicts.void[empty])
        known = np.where(settled, np.maximum(right.until, emptied), NEVER)
        return self._of_side(right, np.flatnonzero(~had & _there(right)), self._now(right, known, first), on_the_right=True)

    @staticmethod
    def _of_side(side: Read, rows: Ints, verdicts: OpenVerdicts, *, on_the_right: bool) -> list[Events]:
        """What happens to rows of one input that stand alone."""
        nobody = np.full(len(rows), -1)
        both = (nobody, rows) if on_the_right else (rows, nobody)
        return _of_rows(both, side.since[rows], side.until[rows], verdicts.of(rows), side.fresh[rows], side.leaving[rows])

    def mark(self) -> Met:
        """Note what has been seen; the pairs that go on waiting."""
        left, right, verdicts = self.left, self.right, self.of_pairs
        waiting = self.waiting_right
        left.counts[self._first_match < NEVER] |= MATCHED
        left.counts[self.on_left.known < NEVER] |= DECIDED
        left.counts[self.on_left.void < NEVER] |= NONE
        _keep(left, self.on_left.waits & (left.counts & NONE == 0) & (left.since < left.high))
        right.counts[_least(len(right.since), self.met.right, verdicts.known) < NEVER] |= MATCHED
        _keep(right, waiting)
        return self.met.of(verdicts.waits)

    @property
    def waiting_right(self) -> Bools:
        """Right rows that have met rows without a verdict."""
        found = np.zeros(len(self.right.since), bool)
        found[self.met.right[self.of_pairs.waits]] = True
        return found

    @property
    def _first_match(self) -> Ints:
        fresh = self.met.of(self.met.fresh)
        return _least(len(self.left.since), fresh.left, fresh.moment)

    @staticmethod
    def _now(side: Read, known: Ints, void: Ints) -> OpenVerdicts:
        """OpenVerdicts of this step; those before it have been given."""
        return OpenVerdicts(np.where((known >= side.low) & (known < side.high), known, NEVER), void)


def _of_rows(
    rows: tuple[Ints, Ints], since: Ints, until: Ints, verdicts: OpenVerdicts, fresh: Bools, leaving: Bools
) -> list[Events]:
    """What happens to rows that are there from one moment to another. One that is void at once has never been."""
    left, right = rows
    known, void = verdicts
    enters = fresh & (void > since)
    was = enters | ~fresh
    at_once = enters & (known == since)
    made = (
        (at_once, since, ENTERS),
        (enters & ~at_once, since, ENTERS_OPEN),
        (leaving & was & (void > until), until, LEAVES),
        (was & ~at_once & (known < NEVER), known, CERTAIN),
        (was & (void < NEVER), void, VOID),
    )
    return [_events(left[which], right[which], moment[which], what) for which, moment, what in made]


def _there(side: Read) -> Bools:
    """Rows that are there at some moment: where nobody looks in between, one may come and go at once."""
    return np.asarray(side.until > side.since, bool)


def _events(left: Ints, right: Ints, moment: Ints, what: int) -> Events:
    return Events(left, right, moment, np.full(len(moment), what))


def _least(rows: int, of: Ints, moment: Ints) -> Ints:
    found = np.full(rows, NEVER)
    np.minimum.at(found, of, moment)
    return found


def _keep(side: Read, kept: Bools) -> None:
    side.counts[:] = np.where(kept, side.counts | KEPT, side.counts & ~KEPT)
