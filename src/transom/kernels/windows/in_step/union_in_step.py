"""A union in step: rows of several inputs, merged by their instants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import EVENT_TS, INPUT, OWN
from transom.kernels.columns.arrays import codes_of, one_chunk, take
from transom.kernels.results import column
from transom.kernels.spec import UnionSpec
from transom.kernels.windows.in_step.in_step import InStepOperator


class InStepUnion(InStepOperator):
    """The operator that unites. Rows of one instant leave in the order of the inputs, and as each input gave them.

    Rows are late here only if their input was idle and passed over: they leave at once, out of order, for nothing is lost.
    """

    takes_late = True

    def __init__(self, spec: UnionSpec) -> None:
        super().__init__(spec)
        self.spec: UnionSpec = spec

    def made_of(self, table: pa.Table, a: Any) -> pa.Table | None:
        order = np.lexsort((column(table, INPUT).to_numpy(), a))
        if not self.spec.every:
            order = order[self._firsts(table, a, order)]
        made = {f"{OWN}{name}": one_chunk(table[f"{OWN}{name}"]) for name in self.spec.tuples}
        made[EVENT_TS] = self.spec.axis.values(a, self.spec.axis_type)
        return take(pa.table(made), order)

    def _firsts(self, table: pa.Table, a: Any, order: Any) -> Any:
        """The places in an order of rows that are equal to none before them: same instant, same values. NULL equals NULL."""
        values = [pa.array(a), *(one_chunk(table[f"{OWN}{name}"]) for name in self.spec.tuples)]
        codes, _ = codes_of(values, table.num_rows)
        _, firsts = np.unique(codes[order], return_index=True)
        return np.sort(firsts)
