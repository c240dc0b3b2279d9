"""The operator of a step of a join whose rows may turn out to be none: outer, semi and anti joins before the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AFTER, CHANGE, EVENT_TS, KEY, OWN
from transom.kernels.columns.arrays import Bools, Ints, flags, one_chunk
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.inputs.live import SERIAL
from transom.kernels.relations.inputs.open_states import CERTAIN, ENTERS, OPEN, OpenStates
from transom.kernels.relations.moments import place_of
from transom.kernels.relations.open_pairs import KEPT, Events, Joining, Met, verdicts_on_left
from transom.kernels.relations.operators.relational_operator import RelationalOperator
from transom.kernels.relations.pair_conditions import PairCondition
from transom.kernels.relations.pairs import Meeting, Read, appearing, ending
from transom.kernels.state.store import Blocks, pack, unpack

OF_LEFT, OF_RIGHT = "__of_left", "__of_right"
"""The serials of the rows that a row is made of: with its columns, they tell it from all others."""


@dataclass(frozen=True)
class OpenJoinRecord:
    """A step of a join: its kind, and when rows meet, as in any join. The `last` step gives the rows that are certain, others
    what happens to rows. Timestamps of rows are up to `back` before the instant."""

    inputs: tuple[Input, Input]
    kind: str
    keys: tuple[str, ...]
    last: bool
    least: int | None = None
    most: int | None = None
    back: int | None = 0
    condition: PairCondition | None = None
    fingerprint: str = ""


class OpenJoinOperator(RelationalOperator):
    """The join of two inputs. `waiting` are the serials of rows that have met, of which the left one is not decided."""

    def __init__(self, record: OpenJoinRecord, *, looks: bool = False) -> None:
        super().__init__(record.inputs, record.fingerprint, looks=looks)
        self.record = record
        self.keeps_tuples, self.back = record.last, record.back
        self.meeting = Meeting(tuple(f"{KEY}{name}" for name in record.keys), record.least, record.most, record.condition)
        self.waiting: tuple[Ints, Ints] = (np.zeros(0, np.int64), np.zeros(0, np.int64))

    def advance(self, reads: list[Read], instants: Ints) -> pa.Table | None:
        left, right = reads
        serials = _serials(left), _serials(right)
        step = Joining(
            left, right, verdicts_on_left(left, _opened(left), self._decided(serials[0])), self._met(left, right, serials)
        )
        made = self._events(step)
        rest = step.mark()
        pairs = self.record.kind not in ("semi", "anti")
        self.waiting = (serials[0][rest.left], serials[1][rest.right]) if pairs else self.waiting
        return self._given(left, right, Events(*(np.concatenate(each) for each in zip(*made, strict=True))))

    def _events(self, step: Joining) -> list[Events]:
        kind = self.record.kind
        made = [] if kind in ("semi", "anti") else step.pairs(ending(step.left, step.right, self.meeting))
        made += step.semi() if kind == "semi" else []
        made += step.left_alone() if kind in ("left", "full", "anti") else []
        made += step.right_alone() if kind in ("right", "full") else []
        return made

    def _met(self, left: Read, right: Read, serials: tuple[Ints, Ints]) -> Met:
        one, other = appearing(left, right, self.meeting)
        moment = np.maximum(left.since[one], right.since[other])
        first, second = (np.searchsorted(own, waits) for own, waits in zip(serials, self.waiting, strict=True))
        fresh = np.concatenate([np.zeros(len(first), bool), np.ones(len(one), bool)])
        before = np.full(len(first), left.low - 1)
        return Met(np.concatenate([first, one]), np.concatenate([second, other]), np.concatenate([before, moment]), fresh)

    def _decided(self, serials: Ints) -> tuple[Ints, Ints, Bools]:
        states = self.inputs[0].states
        found = states.decided if isinstance(states, OpenStates) else []
        if not found:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, bool)
        rows, moments, certain = (np.concatenate(each) for each in zip(*found, strict=True))
        return np.searchsorted(serials, rows), moments, certain

    def kept(self, counts: Ints) -> Bools:
        return np.asarray(counts & KEPT > 0, bool)

    # -- results ---------------------------------------------------------------------------------------------

    def _given(self, left: Read, right: Read, made: Events) -> pa.Table | None:
        """What happens to rows, or the rows that are certain."""
        if self.record.last:
            certain = (made.what == ENTERS) | (made.what == CERTAIN)
            made = Events(*(each[certain] for each in made))
        if not len(made.moment):
            return None
        table = self._columns(left, right, made)
        if self.record.last:
            return self.stamped(table, np.asarray(place_of(made.moment), np.int64))
        table = table.append_column(CHANGE, pa.array(made.what.astype(np.int8)))
        table = table.append_column(AFTER, pa.array(made.moment % 2 == 1))
        return table.append_column(EVENT_TS, self.axis.values(place_of(made.moment), self.axis_type))

    def _columns(self, left: Read, right: Read, made: Events) -> pa.Table:
        """The columns of both rows, NULLs for those of a row that there is none of, and their serials."""
        columns = {}
        sides = [(OF_LEFT, left, made.left), (OF_RIGHT, right, made.right)]
        for called, side, rows in sides[:1] if self.record.kind in ("semi", "anti") else sides:
            chosen = pa.array(rows, mask=rows < 0)
            for name in side.table.column_names:
                if name.startswith(OWN) and name not in (f"{OWN}{OF_LEFT}", f"{OWN}{OF_RIGHT}"):
                    columns[name] = one_chunk(side.table[name]).take(chosen)
            if not self.record.last:
                columns[f"{OWN}{called}"] = pa.array(_serials(side)).take(chosen)
        if not self.record.last:
            columns.setdefault(f"{OWN}{OF_RIGHT}", pa.nulls(len(made.moment), pa.int64()))
        return pa.table(columns) if columns else pa.table({"": pa.nulls(len(made.moment))}).select([])

    # -- state -----------------------------------------------------------------------------------------------

    def own_to_json(self, blocks: Blocks) -> dict[str, Any]:
        if len(self.waiting[0]):
            blocks.write("pairs", pack(pa.table(dict(zip(("left", "right"), self.waiting, strict=True))), self.fingerprint))
        elif blocks.read("pairs") is not None:
            blocks.remove("pairs")
        return {}

    def own_from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        kept = blocks.read("pairs")
        if kept is not None:
            table, _ = unpack(kept, self.fingerprint)
            self.waiting = (one_chunk(table["left"]).to_numpy(), one_chunk(table["right"]).to_numpy())


def _serials(side: Read) -> Ints:
    known = SERIAL in side.table.column_names
    return np.asarray(one_chunk(side.table[SERIAL]).to_numpy(), np.int64) if known else np.zeros(0, np.int64)


def _opened(side: Read) -> Bools:
    known = OPEN in side.table.column_names
    return flags(one_chunk(side.table[OPEN])) if known else np.zeros(len(side.since), bool)
