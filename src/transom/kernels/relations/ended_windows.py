"""Which partitions of a window of rows are evaluated, and when: those of which a window ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Ints, ranges
from transom.kernels.relations.changes import distinct_rows
from transom.kernels.relations.pairs import Read


@dataclass(frozen=True)
class EndedWindows:
    """The partitions of which windows end, a row for each, and the moments at which they do."""

    partitions: pa.Table
    moments: Ints

    @staticmethod
    def among(rows: Read, partition_by: Sequence[str]) -> EndedWindows:
        """Those of a micro-batch. A window ends with a row that enters, whether a condition picks it or not."""
        entering = np.flatnonzero((rows.since >= rows.low) & (rows.since < rows.high))
        return EndedWindows(rows.table.select(list(partition_by)).take(pa.array(entering)), rows.since[entering])

    def looked_at(self, table: pa.Table, group: Ints) -> tuple[Ints, Ints]:
        """The groups that rows of a table make in these partitions, and when each is looked at. A group is in one partition."""
        _, (own, ended) = distinct_rows([table, self.partitions], self.partitions.column_names)
        partition, moment = np.unique(np.stack([ended, self.moments]), axis=1)
        groups, first = np.unique(group, return_index=True)
        order = np.argsort(own[first], kind="stable")
        groups, holder = groups[order], own[first][order]
        start = np.searchsorted(holder, partition, "left").astype(np.int64)
        end = np.searchsorted(holder, partition, "right").astype(np.int64)
        which, owner = ranges(start, end)
        return groups[which], moment[owner]
