"""A relational operator of one shard: slices of a micro-batch in, rows or changes out, its inputs in step.

All inputs advance to one moment, up to which nothing of any of them is still to come; what happens before it is final.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AFTER, CHANGE, EVENT_TS, PICK
from transom.disorder.figures import distance
from transom.kernels.columns.arrays import Bools, Ints, distinct, flags, one_chunk, plain
from transom.kernels.columns.batch import Counts, OperatorOutput
from transom.kernels.columns.late_rows import all_late
from transom.kernels.relations.inputs.inputs import Arriving, Input, together
from transom.kernels.relations.moments import NEVER, PLACE, horizon, place_of
from transom.kernels.relations.pairs import Read, read
from transom.kernels.slices import Slice
from transom.kernels.state.head import about_operator
from transom.kernels.state.migration import Migrated
from transom.kernels.state.store import Blocks, pack, unpack


class RelationalOperator(ABC):
    """What all relational operators have in common."""

    back: int | None = None
    """Of rows that keep the timestamps of tuples, how far these may be before the instant; None where any may be."""

    keeps_tuples = False
    """Whether it gives rows with the timestamps of tuples, and not of instants."""

    def __init__(self, inputs: tuple[Input, ...], fingerprint: str, *, looks: bool = False) -> None:
        self.looks = looks or any(one.looked_at for one in inputs)
        self.fingerprint = fingerprint
        self.inputs = [Arriving(n, about, fingerprint, looks=self.looks) for n, about in enumerate(inputs)]
        self.axis = inputs[0].spec.axis
        self.axis_type = inputs[0].spec.axis_type
        self.low = -(2**63) + 1

    @abstractmethod
    def advance(self, reads: list[Read], instants: Ints) -> pa.Table | None:
        """The rows of the result between two moments, with their columns `t:..`, and what comes beside them."""

    def kept(self, counts: Ints) -> Bools | None:
        """Which rows it keeps though they have left, by what their counts say; None where it keeps none."""
        return None

    # -- stepping --------------------------------------------------------------------------------------------

    def step(self, slices: list[Slice], blocks: Blocks) -> OperatorOutput:
        """One micro-batch."""
        before = [one.counts.all for one in self.inputs]
        for number, one in enumerate(self.inputs):
            one.hear([piece for piece in slices if piece.input == number])
        ended = all(one.progress.ended for one in self.inputs)
        high = self._horizon(ended=ended)
        for one in self.inputs:
            one.advance(high)
        instants = self._instants(high)
        self._look(instants, high)
        whole = [self._read(one, high) for one in self.inputs]
        picked = [_picked(one) for one in whole]
        out = OperatorOutput(taken=tuple(one.counts.all - came for one, came in zip(self.inputs, before, strict=True)))
        out.rows = self.advance([found for found, _ in picked], instants)
        out.boundaries = place_of(instants)
        for one, every, (found, chosen) in zip(self.inputs, whole, picked, strict=True):
            every.counts[chosen] = found.counts
            one.states.live.forget(high, every.counts, self.kept(every.counts))
        self.low = high
        if ended:
            self._after_end()
        out.late = all_late([one.late for one in self.inputs], [piece.passed for piece in slices])
        self._report(out, ended=ended)
        return out

    def _horizon(self, *, ended: bool) -> int:
        """The moment up to which nothing is still to come. An end lets time run on, until nothing changes any more."""
        if ended:
            return NEVER
        if together(self.inputs) <= self.axis.nothing_yet:
            return self.low
        live = [one for one in self.inputs if not one.progress.idle] or self.inputs
        reached = [(int(min(one.frontier, 2**61)), one.about) for one in live]
        return max(self.low, min(horizon(frontier, closed=about.is_closed(frontier)) for frontier, about in reached))

    def _instants(self, high: int) -> Ints:
        """The instants of all inputs up to a moment, where it matters when the operator looks at them."""
        if not self.looks:
            return np.zeros(0, np.int64)
        return distinct(np.concatenate([one.instants.between(self.low, high, one.states) for one in self.inputs]))

    def _look(self, instants: Ints, high: int) -> None:
        """Where a window slides by tuple, rows change when somebody looks: at an instant, or right after one that vanishes."""
        if not any(one.about.looked_at for one in self.inputs):
            return
        vanishing = np.concatenate([one.states.vanishing() for one in self.inputs])
        moments = distinct(np.concatenate([instants, vanishing[(vanishing >= self.low) & (vanishing < high)]]))
        for one in self.inputs:
            one.states.look(moments)

    def _read(self, one: Arriving, high: int) -> Read:
        return read(one.states.live, self.low, high, one.about.schema.append(pa.field(PLACE, pa.int64())))

    def _after_end(self) -> None:
        """What comes after an end is late for what it has closed, and for nothing else."""
        reached = max(one.reached() for one in self.inputs)
        self.low = max(reached + reached % 2, -(2**62))
        for one in self.inputs:
            one.progress.after_end(place_of(self.low))

    def counted(self) -> Counts:
        """How the tuples of all inputs have fared so far."""
        found = Counts()
        for one in self.inputs:
            found = found.plus(one.counts)
        return found

    def _report(self, out: OperatorOutput, *, ended: bool) -> None:
        out.counts = self.counted()
        out.held = sum(one.states.live.rows for one in self.inputs)
        out.frontier = together(self.inputs)
        out.control = self._progress(out.frontier)
        out.progress = self.axis.everything if ended else self._passed_on(out.frontier)
        out.idle = all(one.progress.idle for one in self.inputs)

    def _progress(self, frontier: Any) -> dict[str, Any] | None:
        """How far it has come; of several inputs, the newest of all, and the frontier that all have passed."""
        if len(self.inputs) == 1:
            return self.inputs[0].progress.about()
        return distance(max(plain(one.progress.newest) for one in self.inputs), frontier, self.axis)

    def _passed_on(self, frontier: Any) -> Any:
        """The place below which nothing is still to change."""
        if frontier <= self.axis.nothing_yet or frontier >= self.axis.everything:
            return frontier
        if self.keeps_tuples:
            return self.axis.nothing_yet if self.back is None else max(frontier - self.back, self.axis.nothing_yet)
        return place_of(self.low + 1)

    # -- results ---------------------------------------------------------------------------------------------

    def changes(self, table: pa.Table, moment: Ints, change: Ints, ts: Ints | None = None) -> pa.Table:
        """Rows that enter and leave, for an operator above: each as often as it does."""
        table = table.append_column(CHANGE, pa.array(np.sign(change).astype(np.int8)))
        table = table.append_column(AFTER, pa.array(moment % 2 == 1))
        table = table.append_column(EVENT_TS, self.axis.values(place_of(moment), self.axis_type))
        if (np.abs(change) > 1).any():
            table = table.take(pa.array(np.repeat(np.arange(len(change)), np.abs(change))))
        return table

    def stamped(self, table: pa.Table, places: Ints) -> pa.Table:
        """Results with their timestamps, in the order of these."""
        table = table.append_column(EVENT_TS, self.axis.values(places, self.axis_type))
        if (places[1:] < places[:-1]).any():
            table = table.take(pa.array(np.argsort(places, kind="stable")))
        return table

    # -- state -----------------------------------------------------------------------------------------------

    def save(self, blocks: Blocks) -> None:
        first = self.inputs[0].about
        controlled = any(one.about.spec.generating.control is not None for one in self.inputs)
        about = about_operator(self, first.spec, first.spec.shard_by, controlled=controlled)
        note = {
            "low": self.low,
            "inputs": [one.save(blocks) for one in self.inputs],
            "own": self.own_to_json(blocks),
            "operator": about,
            "called": {one.name: dict(one.about.called) for one in self.inputs} | self.called(),
        }
        keys = pa.schema([first.schema.field(name) for name in about["shard_by"]])
        blocks.write("head", pack(keys.empty_table(), self.fingerprint, note))

    def called(self) -> dict[str, dict[str, str]]:
        """By the names of blocks that are kept besides the inputs', what is a key there under another name."""
        return {}

    def open_windows(self) -> int | None:
        """States change row by row: no window is open for long."""
        return None

    def load(self, blocks: Blocks) -> None:
        blocks = Migrated(blocks)
        head = blocks.read("head")
        if head is None:
            return
        _, note = unpack(head, self.fingerprint)
        self.low = note["low"]
        for one, own in zip(self.inputs, note["inputs"], strict=True):
            one.load(own, blocks)
        self.own_from_json(note["own"], blocks)

    def own_to_json(self, blocks: Blocks) -> dict[str, Any]:
        """What an operator keeps besides its inputs."""
        return {}

    def own_from_json(self, note: dict[str, Any], blocks: Blocks) -> None:  # noqa: B027
        """Take it up again."""


def _picked(rows: Read) -> tuple[Read, Ints]:
    """The rows that a condition picks, and which of all they are. The others are there for the instants that they make."""
    if PICK not in rows.table.column_names:
        return rows, np.arange(len(rows.since))
    chosen = np.flatnonzero(flags(one_chunk(rows.table[PICK])))
    table = rows.table.drop_columns([PICK]).take(pa.array(chosen))
    return Read(table, rows.since[chosen], rows.until[chosen], rows.counts[chosen], rows.low, rows.high), chosen


def places(table: pa.Table) -> Ints:
    return np.asarray(one_chunk(table[PLACE]).to_numpy(), np.int64)
