"""DRATIO: a quantile of the recent latenesses, with a budget (`transom.disorder.dratio.drop_ratio`)."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from transom.disorder.arrays.frontier_path import NONE, FrontierPath, StretchFrontiers
from transom.disorder.arrays.per_stretch import PerStretchController
from transom.disorder.dratio.budget import AHEAD, Budget
from transom.disorder.dratio.bursts_arrays import BurstsOnArrays
from transom.disorder.dratio.fall_arrays import FallDetector
from transom.disorder.dratio.piece_arrays import Piece
from transom.disorder.dratio.schedule import (
    EVERY,
    FAR,
    FEWEST,
    LEARNING,
    QUIET,
    RISING_FOR,
    STIR,
    UNCOUNTED,
    WIDEST,
    beyond,
    calm_below,
    until_next,
    width,
)
from transom.disorder.generator import FARTHEST, too_far
from transom.disorder.histogram.log_histogram_arrays import LogHistogramOnArrays
from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.number_packing import as_text, from_text
from transom.kernels.columns.sequence import Sequence

SCALARS = ("highest", "reached", "heartbeat", "delay", "limit", "ahead", "next_choice", "relevant", "late_left", "last_alarm")
"""Scalar state, saved verbatim."""


class DropRatioController(PerStretchController):
    """Stretch by stretch, from one choice of the delay to the next."""

    def __init__(self, axis: Axis, step: int, ratio: float) -> None:
        super().__init__(axis, step)
        self.whole = axis.factor is not None
        self.budget, self.memory, self.bursts = Budget(ratio), LogHistogramOnArrays(self.whole), BurstsOnArrays(self.whole)
        self.calm = FallDetector()
        self.recent: Array = np.zeros(0, axis.dtype)
        self.highest: Any = axis.nothing_yet
        self.reached: Any = axis.nothing_yet
        self.heartbeat: Any = axis.nothing_yet
        self.delay: Any = None
        self.limit: Any = 0
        self.ahead: Any = 0
        self._near: Any = 0
        self.next_choice, self.relevant, self.late_left, self.last_alarm = FEWEST, 0, 0, -RISING_FOR

    def judge(self, sequence: Sequence, arrival: Array | None = None) -> FrontierPath:
        sequence = sequence.behind(self.highest)
        found = StretchFrontiers(sequence, self.axis, self.step, self.reached)
        piece = Piece(sequence, self.memory, self.budget.seen)
        lost = self._lost(sequence) if self.budget.seen < LEARNING else None
        place = 0
        while place < len(sequence):
            end, late, most = self._stretch(piece, found, place)
            if lost is not None:
                self.budget.lost = int(lost[min(end, len(lost)) - 1])
            self._remember(piece, place, end, most)
            self._see_burst(piece, place, end, most)
            self._see(piece, place, end, late)
            place = end
        self.highest, self.recent = sequence.high[-1].item(), self._last(sequence.below, len(sequence), WIDEST)
        self._record(sequence, found, self.reached)
        return found

    def _lost(self, sequence: Sequence) -> Ints:
        """How many tuples HEARTBEAT would have lost so far, behind the first UNCOUNTED, as long as that matters."""
        end = min(len(sequence), LEARNING - self.budget.seen)
        most = np.maximum.accumulate(np.maximum(sequence.below[:end].astype(self.axis.dtype), self.memory.most))
        reached = np.maximum.accumulate(np.concatenate([[self.heartbeat], sequence.high[1 : end + 1] - most]))
        self.heartbeat = reached[-1].item()
        lost = sequence.at(np.arange(end)) < reached[:-1]
        lost[: max(0, UNCOUNTED - self.budget.seen)] = False
        return np.asarray(self.budget.lost + np.cumsum(lost))

    def _stretch(self, piece: Piece, found: StretchFrontiers, start: int) -> tuple[int, Ints, Any]:
        """The frontiers up to the next choice: where that ends, which tuples came late, and the largest lateness."""
        lateness, high = piece.lateness, piece.high
        end = min(len(lateness), start + self.next_choice - self.budget.seen)
        end = whole = start + self.calm.within(lateness[start:end], piece.peaks(start, end), self.budget.seen)
        most = lateness[start:end].max().item()
        if most > FARTHEST:
            raise too_far()
        if self.delay is None:
            found.follow(start, self.reached, None)
            return end, NONE, most
        written = None
        if most > self.limit or min(AHEAD * most, self.ahead) > self.delay:
            end = self._until_soon(lateness[start:end], start) if most > self.limit else end
            delay, written = self._followed(piece, start, end)
            late = start + (piece.sequence.places[start:end] < written[:-1]).nonzero()[0]
        else:
            late = found.late_behind(start, end, self.reached, self.delay)
        found.follow(start, self.reached, self.delay, written)
        if len(late) >= self.late_left:
            late = late[: self.late_left]
            end = int(late[-1]) + 1
        found.found.append(late)
        if written is not None:
            self.reached, self.delay = written[end - start].item(), delay[end - start - 1].item()
        elif high[end] > high[start]:
            self.reached = max(self.reached, high[end].item() - self.delay)
        return end, late, most if end == whole else lateness[start:end].max().item()

    def _until_soon(self, lateness: Array, start: int) -> int:
        """Where a stretch ends in which a lateness is above the limit: the next choice is due soon after it."""
        first = int(np.argmax(lateness > self.limit))
        self.next_choice = min(self.next_choice, self.budget.seen + first + 1 + EVERY)
        return start + min(len(lateness), self.next_choice - self.budget.seen)

    def _followed(self, piece: Piece, start: int, end: int) -> tuple[Array, Array]:
        """Delays that follow lateness, tuple by tuple, and the frontiers before each and after all."""
        most = np.maximum.accumulate(piece.lateness[start:end].astype(self.axis.dtype))
        delay = np.where(most > self.limit, np.maximum(beyond(most, whole=self.whole), self.delay), self.delay)
        np.maximum(delay, np.minimum(AHEAD * most, self.ahead), out=delay)
        high = piece.high[start : end + 1]
        written = np.concatenate([np.array([self.reached], self.axis.dtype), high[1:] - delay])
        written[1 : np.searchsorted(high, high[0], side="right")] = self.reached
        return delay, np.maximum.accumulate(written)

    def _remember(self, piece: Piece, start: int, end: int, most: Any) -> None:
        self.memory.most = max(self.memory.most, most)
        for steps, times in piece.remembered(start, end):
            self.memory.add_steps(steps, most, times)

    def _see_burst(self, piece: Piece, start: int, end: int, most: Any) -> None:
        if self.bursts.high is not None and most > self.bursts.usual:
            if self.whole:  # the maximum has risen since: what is far below that of then is farther below this one
                far = start + (piece.lateness[start:end] > self.bursts.usual).nonzero()[0]
                self.bursts.see(piece.sequence.at(far))
            else:
                self.bursts.see(piece.sequence.places[start:end])

    def _see(self, piece: Piece, start: int, end: int, late: Ints) -> None:
        """Count the tuples of a stretch, of which some came late, and choose anew where it is time."""
        self.budget.late += len(late)
        if self.budget.seen < UNCOUNTED:
            self.budget.late -= int(np.searchsorted(late, start + UNCOUNTED - self.budget.seen))
        self.relevant += end - start
        self.budget.seen += end - start
        self.late_left -= len(late)
        if len(late) and self.late_left == 0:
            self.last_alarm = self.budget.seen
        elif self.calm.lasts(self.budget.seen):
            self.relevant = QUIET
        elif self.budget.seen != self.next_choice:
            return
        self._choose(piece, end)

    def _choose(self, piece: Piece, end: int) -> None:
        self.bursts.fold()
        seen, recent = self.budget.seen, self._last(piece.lateness, end, width(self.budget.seen))
        window = recent[-self.relevant :]
        top = _largest(window, max(1, len(window) // STIR), self._near - self._near // 8)
        self._near = top[0].item()
        largest = (top[-1] if len(window) == len(recent) else recent.max()).item()
        if self.bursts.high is None or seen - self.bursts.began >= EVERY:
            self.bursts.begin(piece.high[end].item(), largest, seen)
        rising = seen - self.last_alarm <= RISING_FOR
        nth_largest = partial(_nth_largest, window, top)
        choice = self.budget.choose(len(window), nth_largest, self.memory, self.bursts, rising=rising)
        self.delay = choice.delay if self.budget.promises else None
        self.limit = choice.delay if choice.follows else max(choice.delay, FAR * largest)
        self.ahead = choice.ahead
        self.calm.begin(calm_below(self.delay, len(window), nth_largest, whole=self.whole), seen)
        self.memory.fade()
        steps = until_next(seen, self.relevant, self.budget.ratio, rising=rising)
        self.next_choice = seen + steps
        self.late_left = self.budget.alarm(choice, steps)

    def _last(self, lateness: Array, end: int, count: int) -> Array:
        """The last latenesses up to a tuple, of this piece and of those before."""
        if end >= count:
            return lateness[end - count : end]
        return np.concatenate([self.recent[max(0, len(self.recent) - (count - end)) :], lateness[:end]])

    @property
    def target(self) -> float:
        return self.budget.ratio

    @property
    def learns(self) -> bool:
        return self.delay is None

    def delay_for(self, ratio: float) -> Any:
        return self.memory.exceeded(ratio) * self.step if self.memory.total * ratio >= 1 else None

    def own_to_json(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in SCALARS}
        parts = {"memory": self.memory.to_json(), "bursts": self.bursts.to_json(), "calm": self.calm.to_json()}
        return {**kept, "budget": asdict(self.budget), **parts, "recent": as_text(self.recent.astype(self.axis.dtype))}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        for name in SCALARS:
            setattr(self, name, kept[name])
        budget = Budget(**kept["budget"])
        if budget.ratio != self.budget.ratio:
            budget, self.next_choice = budget.restated(self.budget.ratio), max(FEWEST, budget.seen + 1)
        self.budget = budget
        self.memory.from_json(kept["memory"])
        self.bursts.from_json(kept["bursts"])
        self.calm.from_json(kept["calm"])
        self.recent = from_text(kept["recent"]).astype(self.axis.dtype)


def _largest(numbers: Array, count: int, near: Any = 0) -> Array:
    """So many of the largest, in order. If they are not far above `near`, few others are looked at."""
    found = numbers[numbers >= near]
    if not count <= len(found) <= len(numbers) // 2:
        found = np.partition(numbers, len(numbers) - count)[len(numbers) - count :]
    found.sort()
    return np.asarray(found[-count:])


def _nth_largest(numbers: Array, largest: Array, n: int) -> Any:
    return (largest if n <= len(largest) else _largest(numbers, n))[-n].item()
