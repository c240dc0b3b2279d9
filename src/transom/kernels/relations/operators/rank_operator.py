"""The operator that ranks the rows of each instant, or keeps the first of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from transom.column_names import KEY, OWN
from transom.kernels.columns.arrays import Ints, one_chunk
from transom.kernels.relations.changes import distinct_rows
from transom.kernels.relations.ended_windows import EndedWindows
from transom.kernels.relations.inputs.inputs import Arriving, Input
from transom.kernels.relations.moments import place_of
from transom.kernels.relations.operators.relational_operator import RelationalOperator, places
from transom.kernels.relations.ordering import order_of_rows, ordered_codes, peers_of
from transom.kernels.relations.pairs import Read
from transom.kernels.relations.ranks import Seen, moved, seen


@dataclass(frozen=True)
class RankRecord:
    """Ranks (`y0`) of the rows of each partition (`k:..`) by `x0`, `x1`, ...; with a `limit`, the first rows alone.

    `order` says of each whether it descends, and whether NULLs come first. Rows that are equal in these are in the order of the
    columns `ties`.

    It gives the changes of the ranked relation, or the stream of the rows that enter. Of a window of rows with `partitions`,
    which are among the keys, it gives all rows of a partition whenever a window of it ends.
    """

    inputs: tuple[Input]
    keys: tuple[str, ...]
    function: str
    order: tuple[tuple[bool, bool], ...]
    ties: tuple[str, ...] = ()
    limit: int | None = None
    gives: str = "changes"
    partitions: tuple[str, ...] = ()
    fingerprint: str = ""


class RankOperator(RelationalOperator):
    """A partition is ranked anew whenever one of its rows enters or leaves: what it had been before is in the rows."""

    def __init__(self, record: RankRecord, *, looks: bool = False) -> None:
        super().__init__(record.inputs, record.fingerprint, looks=looks or bool(record.partitions))
        self.record = record
        self.keys = [f"{KEY}{name}" for name in record.keys]
        self.ended: EndedWindows | None = None

    def _read(self, one: Arriving, high: int) -> Read:
        rows = super()._read(one, high)
        if self.record.partitions:
            self.ended = EndedWindows.among(rows, [f"{KEY}{name}" for name in self.record.partitions])
        return rows

    def advance(self, reads: list[Read], instants: Ints) -> pa.Table | None:
        (rows,) = reads
        if not rows.table.num_rows:
            return None
        _, (group,) = distinct_rows([rows.table], self.keys)
        order, peers = self._order(rows.table)
        about = self.record
        if self.ended is not None:
            looked, moments = self.ended.looked_at(rows.table, group)
            there = seen(about.function, group, rows.since, rows.until, looked, moments, order, peers)
            return self._entering(rows.table, there)
        found = moved(about.function, about.limit, group, rows.since, rows.until, order, peers, rows.low, rows.high)
        if about.gives != "changes":
            enters = found.change > 0
            return self._entering(rows.table, Seen(found.row[enters], found.rank[enters], found.moment[enters]))
        if not len(found.row):
            return None
        return self.changes(self._with_ranks(rows.table, found.row, found.rank), found.moment, found.change)

    def _entering(self, table: pa.Table, found: Seen) -> pa.Table | None:
        """Rows with the instants at which they are there, as a stream."""
        if not len(found.row):
            return None
        return self.stamped(self._with_ranks(table, found.row, found.rank), np.asarray(place_of(found.moment), np.int64))

    def _with_ranks(self, table: pa.Table, row: Ints, rank: Ints) -> pa.Table:
        made = table.select([name for name in table.column_names if name.startswith(OWN)]).take(pa.array(row))
        return made if self.record.limit is not None else made.append_column("y0", pa.array(rank.astype(np.int32)))

    def _order(self, table: pa.Table) -> tuple[Ints, Ints]:
        """The place of each row among all, and which rows are equal in what they are ordered by."""
        by = [
            ordered_codes(one_chunk(table[f"x{n}"]), descends=descends, nulls_first=nulls_first)
            for n, (descends, nulls_first) in enumerate(self.record.order)
        ]
        ties = [ordered_codes(one_chunk(table[f"{OWN}{name}"])) for name in self.record.ties]
        return order_of_rows([*by, *ties, places(table)], table.num_rows), peers_of(by, table.num_rows)
