"""Progress as arrays: how far punctuation reached when each tuple came, and how far it reaches now.

A tuple is judged against the frontier before it. Bucket knows only its own slice of a micro-batch, so it sends what the
slice alone knows (`high`, the running maximum before each tuple; the slice's own maximum; the sequence itself where a
controller looks at it; punctuations), and every shard folds the slices in the same order onto the same carried state.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import FIXED
from transom.kernels.columns.arrays import Array, plain
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.frontier_steps import FrontierSteps, judged_by
from transom.kernels.columns.numbering import groups_of
from transom.kernels.generating import Generating
from transom.kernels.progress.promises import GroupPromises
from transom.kernels.progress.silence import Silence, moved
from transom.kernels.progress.substreams import Substreams
from transom.kernels.slices import FrontierBefore, Slice, positions, promised


class Progress:
    """The progress of one stream, carried from micro-batch to micro-batch."""

    def __init__(self, generating: Generating, axis: Axis, fixed: tuple[str, ...] = ()) -> None:
        self.generating, self.axis, self.fixed = generating, axis, fixed
        self.substreams = Substreams(generating, axis)
        self.promises = GroupPromises(generating, axis, fixed)
        self.ended = False
        self.newest: Any = axis.nothing_yet
        self.silence = Silence()
        self.idle = False
        self.handed: FrontierSteps | None = None

    @property
    def frontier(self) -> Any:
        """The frontier of all groups."""
        return self.substreams.frontier

    @frontier.setter
    def frontier(self, reached: Any) -> None:
        self.substreams.frontier = reached

    @property
    def starts(self) -> list[Any]:
        """The frontier before each slice of the last micro-batch, where it was folded slice by slice."""
        return self.substreams.starts

    @property
    def late(self) -> list[tuple[Array, Array]]:
        """Of the last micro-batch, what one shard counts for all: places of late tuples, and the frontier before each."""
        return self.substreams.late

    # -- folding ---------------------------------------------------------------------------------------------

    def fold(self, slices: list[Slice]) -> FrontierBefore:
        """Judge the tuples of slices, in their order, and move on."""
        self.substreams.starts, self.substreams.late = [], []
        if self.generating.stepped:
            judged = self._same(self._fold_steps(slices))
        elif self.generating.grouped:
            judged, self.frontier = self.promises.fold(slices, self.frontier)
        elif self.generating.control is not None:
            judged = self._same(self.substreams.fold_sequences(slices))
        elif self.generating.slack is not None:
            judged = self._same(self.substreams.fold_highs(slices))
        elif self.generating.derived:
            judged = self._same(self._fold_derived(slices))
        elif self.generating.punctuated is not None:
            judged = self._same(self._fold_stars(slices))
        else:
            judged = self._same(np.full(sum(piece.rows.num_rows for piece in slices), self.frontier, self.axis.dtype))
        if self.generating.moves_in_silence and not self.generating.stepped:
            self._move_in_silence(slices)
        self.idle = self._is_idle(slices)
        self.frontier = plain(self.frontier)
        self.ended |= any(piece.ended for piece in slices)
        self.newest = max([self.newest, *(piece.newest for piece in slices if piece.newest is not None)])
        return judged

    def _same(self, frontier: Array) -> FrontierBefore:
        return FrontierBefore(frontier, frontier)

    def _fold_derived(self, slices: list[Slice]) -> Array:
        """The operator below has promised what its last rows keep: nothing it sends in a micro-batch is late in it."""
        judged = np.full(sum(piece.rows.num_rows for piece in slices), self.frontier, self.axis.dtype)
        _, x = promised(slices, self.axis.dtype)
        if self.generating.inputs > 1:
            self.substreams.hear_inputs(slices, x)
        elif (x > self.axis.nothing_yet).any():
            self.frontier = max(self.frontier, x[x > self.axis.nothing_yet].min())
        return judged

    def _fold_steps(self, slices: list[Slice]) -> Array:
        """Another operator has folded the sequence, and says how far it came."""
        (self.handed,) = [piece.steps for piece in slices if piece.steps is not None]
        self.substreams.starts, judged = judged_by(self.handed, slices, self.frontier, self.axis)
        self.substreams.late = [] if self.handed.counted is None else [self.handed.counted]
        self.frontier = max(self.frontier, self.handed.frontier)
        return judged

    def _fold_stars(self, slices: list[Slice]) -> Array:
        """Punctuation to all: a step function of the position."""
        at, x = promised(slices, self.axis.dtype)
        order = np.argsort(at, kind="stable")
        reached = np.maximum.accumulate(np.append([self.frontier], x[order]).astype(self.axis.dtype))
        places = positions(slices)
        self.frontier = max(self.frontier, reached[-1])
        return reached[np.searchsorted(at[order], places)]

    def _move_in_silence(self, slices: list[Slice]) -> None:
        """No tuple has come, of the stream or of a group with an order of its own: its time goes on with the clock."""
        passed = self.silence.passed(piece.now for piece in slices) * (self.axis.factor or 1)
        per = self.generating.per
        if per is not None:
            heard = {group for piece in slices for group in groups_of(piece.rows, [f"{FIXED}{name}" for name in per])}
            moved(self.promises.kept.get(per, {}), heard, passed, self.axis.nothing_yet)
        elif self.frontier > self.axis.nothing_yet and not any(piece.highs or len(piece.sequenced) for piece in slices):
            self.frontier = self.frontier + passed

    def _is_idle(self, slices: list[Slice]) -> bool:
        """Whether nothing has come for so long that others need not wait; where other operators are below, if they all say so."""
        if self.handed is not None:
            return self.handed.idle
        if self.generating.derived:
            return self.substreams.all_idle(slices)
        if self.generating.silent_after is None or self.generating.moves_in_silence:
            return False
        something = any(piece.brings_something for piece in slices)
        return self.silence.lasts((piece.now for piece in slices), something=something) > self.generating.silent_after

    # -- asking ----------------------------------------------------------------------------------------------

    def of_keys(self, keys: pa.Table) -> Array:
        """The frontier of each key: the largest promise that speaks of it, or the end."""
        return np.full(keys.num_rows, self.axis.everything, self.axis.dtype) if self.ended else self.promised(keys)

    def promised(self, keys: pa.Table) -> Array:
        """The frontier of each key, whether or not the input has ended."""
        return self.promises.of_keys(keys, self.frontier)

    @property
    def of_all(self) -> Any:
        """The frontier of groups that have not been seen."""
        return self.axis.everything if self.ended else self.frontier

    def snapshot(self) -> Progress:
        """The progress so far, to compare with."""
        twin = Progress(self.generating, self.axis, self.fixed)
        twin.frontier = self.frontier
        twin.promises.kept = self.promises.copied()
        return twin

    def after_end(self, reached: Any) -> None:
        """An end closes what is open. What comes after it is late for that, and for nothing else."""
        self.ended = False
        self.frontier = plain(max(self.frontier, reached))
        if self.handed is not None:
            self.handed = replace(self.handed, about=self.handed.after_end)

    def about(self, *, detailed: bool = False) -> dict[str, Any] | None:
        """How far it has come, and the figures of the controllers; `detailed`, those of each substream too."""
        if self.handed is not None:
            return self.handed.about
        told = self.substreams.about()
        return told if told is None or not detailed else told | self.substreams.details()

    # -- keeping ---------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """What is carried to the next micro-batch, but for promises to groups."""
        return {**self.substreams.to_json(), "newest": self.newest, "silence": [self.silence.at, self.silence.heard]}

    def from_json(self, kept: dict[str, Any]) -> None:
        self.substreams.from_json(kept)
        self.newest = kept["newest"]
        self.silence = Silence(*kept["silence"])

    def promises_table(self) -> pa.Table:
        """Promises to groups, as a table: NULL where a promise does not speak of a column."""
        return self.promises.to_table()

    def promises_from(self, table: pa.Table) -> None:
        self.promises.from_table(table)
