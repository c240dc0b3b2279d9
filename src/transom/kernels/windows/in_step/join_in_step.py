"""A join in step: rows of two inputs that belong to the same instant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import EVENT_TS, INPUT, KEY, OWN
from transom.kernels.columns.arrays import Bools, Ints, codes_of, one_chunk, order_of, ranges
from transom.kernels.results import column
from transom.kernels.spec import JoinSpec
from transom.kernels.windows.in_step.in_step import InStepOperator


class InStepJoin(InStepOperator):
    """The operator that joins."""

    def __init__(self, spec: JoinSpec) -> None:
        super().__init__(spec)
        self.spec: JoinSpec = spec

    def made_of(self, table: pa.Table, a: Any) -> pa.Table | None:
        side = column(table, INPUT).to_numpy()
        codes, size = codes_of([one_chunk(table[f"{KEY}{name}"]) for name in self.spec.keys], table.num_rows)
        whole = self._have_keys(table)
        left, right = np.flatnonzero((side == 0) & (whole | self.spec.outer)), np.flatnonzero((side == 1) & whole)
        right = right[order_of(codes[right], size)]
        start = np.searchsorted(codes[right], codes[left], side="left")
        end = np.where(whole[left], np.searchsorted(codes[right], codes[left], side="right"), start)
        places, owner = ranges(start, end)
        chosen, partner = left[owner], pa.array(right[places])
        if self.spec.outer:
            alone = left[end == start]
            chosen = np.concatenate([chosen, alone])
            partner = pa.concat_arrays([partner, pa.nulls(len(alone), pa.int64())])
        return self._rows(table, a, chosen, partner) if len(chosen) else None

    def _have_keys(self, table: pa.Table) -> Bools:
        """NULL equals nothing."""
        found = np.ones(table.num_rows, bool)
        for name in self.spec.keys:
            found &= np.asarray(one_chunk(table[f"{KEY}{name}"]).is_valid())
        return found

    def _rows(self, table: pa.Table, a: Any, left: Ints, right: pa.Array) -> pa.Table:
        made = {f"{OWN}{name}": one_chunk(table[f"{OWN}{name}"]).take(pa.array(left)) for name in self.spec.left}
        made |= {f"{OWN}{name}": one_chunk(table[f"{OWN}{name}"]).take(right) for name in self.spec.right}
        made[EVENT_TS] = self.spec.axis.values(a[left], self.spec.axis_type)
        return pa.table(made)
