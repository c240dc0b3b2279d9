"""The rows of an operator below that may turn out to be none: it says when they enter and leave, and later what they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.column_names import CHANGE, MOMENT
from transom.kernels.columns.arrays import Array, Bools, Ints, one_chunk, take
from transom.kernels.relations.changes import distinct_rows
from transom.kernels.relations.inputs.input_states import ChangedStates
from transom.kernels.relations.inputs.live import SERIAL
from transom.kernels.relations.moments import NEVER

ENTERS, ENTERS_OPEN, LEAVES, CERTAIN, VOID = 1, 2, -1, 3, -3
"""What an operator says of a row: it enters, and is one, or may be one; it leaves; it is one; it is none, and leaves."""

OPEN = "open"
"""The column that marks rows that entered without being decided."""


class OpenStates(ChangedStates):
    """Rows that are decided some time after they entered, even after they have left. `decided` are those of this step: the serial
    of the row, the moment, and whether it is one."""

    def __init__(
        self, name: str, fingerprint: str, columns: Sequence[str], stamped: tuple[str, ...] = (), *, looks: bool = False
    ) -> None:
        super().__init__(name, fingerprint, columns, stamped, looks=looks)
        self.decided: list[tuple[Ints, Ints, Bools]] = []

    def take(self, table: pa.Table, places: Array, high: int) -> None:
        self.decided = []
        super().take(table, places, high)

    def _move(self, rows: pa.Table, same: tuple[str, ...]) -> None:
        change = one_chunk(rows[CHANGE]).to_numpy()
        enters = (change == ENTERS) | (change == ENTERS_OPEN)
        entering = take(rows, enters)
        since = one_chunk(entering[MOMENT]).to_numpy()
        added = entering.drop_columns([MOMENT, CHANGE]).append_column(OPEN, pa.array(change[enters] == ENTERS_OPEN))
        self.live.add(added, since, np.full(len(since), NEVER))
        if enters.all():
            return
        moments = one_chunk(rows[MOMENT]).to_numpy()
        serials, found, until = self._found(take(rows, ~enters), same)
        about, moments = change[~enters][found], moments[~enters][found]
        goes = (about == LEAVES) | ((about == VOID) & (moments < until))
        order = np.argsort(serials[goes], kind="stable")
        self.live.leave(serials[goes][order], moments[goes][order])
        decided = np.abs(about) == CERTAIN
        self.decided.append((serials[decided], moments[decided], about[decided] == CERTAIN))

    def _found(self, rows: pa.Table, same: tuple[str, ...]) -> tuple[Ints, Bools, Ints]:
        """The serials of rows that are there, which rows those are, and when they leave. Nothing waits for the others."""
        present, _, until, _ = self.live.read()
        if present is None:
            return np.zeros(0, np.int64), np.zeros(rows.num_rows, bool), np.zeros(0, np.int64)
        columns = list(same)
        _, (there, wanted) = distinct_rows([present.select(columns), rows.select(columns)], same)
        order = np.argsort(there, kind="stable")
        place = np.minimum(np.searchsorted(there[order], wanted), len(order) - 1)
        found = there[order][place] == wanted
        chosen = order[place][found]
        return one_chunk(present[SERIAL]).to_numpy()[chosen], found, until[chosen]
