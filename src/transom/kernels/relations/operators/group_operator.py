"""The operator that groups a relation: the values of each group enter and leave whenever they change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import KEY
from transom.kernels.aggregates import aggregate
from transom.kernels.aggregates.coming_and_going import aggregate_of_stays
from transom.kernels.columns.arrays import Bools, Ints, one_chunk, run_starts
from transom.kernels.relations.changes import distinct_rows
from transom.kernels.relations.groups import GroupExtents, Looks, extents_of, looks_at_changes
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.operators.relational_operator import RelationalOperator
from transom.kernels.relations.ordering import order_of_rows, ordered_codes
from transom.kernels.relations.pairs import Read
from transom.kernels.results import unfolded
from transom.kernels.spec import Computed
from transom.kernels.state.store import Blocks, pack, unpack


@dataclass(frozen=True)
class GroupRecord:
    """Groups of one relation by keys (`k:..`), and the aggregates of each (`y0`, `y1`, ...).

    Aggregates see rows in the `order` of columns, the first of which counts most, each with NULLs first or last.
    """

    inputs: tuple[Input]
    keys: tuple[str, ...]
    computed: tuple[Computed, ...]
    order: tuple[tuple[str, bool], ...] = ()
    fingerprint: str = ""


class GroupOperator(RelationalOperator):
    """Groups and their aggregates. `values` are those that groups have now."""

    def __init__(self, record: GroupRecord, *, looks: bool = False) -> None:
        super().__init__(record.inputs, record.fingerprint, looks=looks)
        self.record = record
        self.keys = [f"{KEY}{name}" for name in record.keys]
        self.values: pa.Table | None = None

    def advance(self, reads: list[Read], instants: Ints) -> pa.Table | None:
        (rows,) = reads
        if not rows.table.num_rows:
            return None
        keys, (group,) = distinct_rows([rows.table], self.keys)
        looks = looks_at_changes(group, rows.since, rows.until, rows.low, rows.high)
        if not len(looks.group):
            return None
        there = looks.stays.counts() > 0
        columns = {name: one_chunk(keys[name]).take(pa.array(looks.group)) for name in self.keys}
        columns |= {f"y{n}": values for n, values in enumerate(self._values(rows.table, looks))}
        now = pa.table(columns) if columns else pa.table({"": pa.nulls(len(there))}).select([])
        return self._changed(now, looks.group, looks.moment, there, keys)

    def _values(self, table: pa.Table, looks: Looks) -> Iterator[pa.Array]:
        """The values of each aggregate at each look."""
        held = table.take(pa.array(looks.row))
        written: tuple[pa.Table, GroupExtents] | None = None
        for item in self.record.computed:
            values = aggregate_of_stays(item.call, [one_chunk(held[name]) for name in item.args], looks.stays)
            if values is None:
                if written is None:
                    extents = extents_of(looks, self._order(table))
                    written = table.take(pa.array(extents.rows)), extents
                rows, found = written
                values = aggregate(item.call, [one_chunk(rows[name]) for name in item.args], found.start, found.end)
            yield values

    def _order(self, table: pa.Table) -> Ints | None:
        """The place of each row in the order in which aggregates see rows, if it matters."""
        if not self.record.order:
            return None
        columns = [ordered_codes(table[name], nulls_first=first) for name, first in self.record.order]
        return order_of_rows(columns, table.num_rows)

    def _changed(self, now: pa.Table, group: Ints, moment: Ints, there: Bools, keys: pa.Table) -> pa.Table | None:
        """What leaves and what enters, where a group has other values than before."""
        held = self._held(keys, now.schema)
        names = now.column_names
        both = pa.concat_tables([held[0], now]) if held[0].num_rows else now
        shift = held[0].num_rows
        first = run_starts(group)
        before = np.arange(len(group)) - 1 + shift
        before[first] = held[1][group[first]]
        was = np.zeros(len(group), bool)
        was[1:] = there[:-1]
        was[first] = before[first] >= 0
        _, (codes,) = distinct_rows([both], names)
        same = was & there & (codes[np.maximum(before, 0)] == codes[np.arange(len(group)) + shift])
        leaves, enters = np.flatnonzero(was & ~same), np.flatnonzero(there & ~same)
        rows = np.concatenate([before[leaves], enters + shift])
        change = np.concatenate([np.full(len(leaves), -1), np.ones(len(enters), np.int64)])
        self._keep(now, group, there, first, keys)
        if not len(rows):
            return None
        made = self.changes(both.take(pa.array(rows)), np.concatenate([moment[leaves], moment[enters]]), change)
        return unfolded(made, self.record.computed)

    def _held(self, keys: pa.Table, schema: pa.Schema) -> tuple[pa.Table, Ints]:
        """The values of groups so far, and for each of these groups where its own stand, or -1."""
        place = np.full(max(keys.num_rows, 1), -1, np.int64)
        if self.values is None or not self.values.num_rows:
            return schema.empty_table(), place
        _, (known, asked) = distinct_rows([self.values, keys], self.keys)
        where = np.full(int(max(known.max(initial=0), asked.max(initial=0))) + 1, -1, np.int64)
        where[known] = np.arange(len(known))
        place[: len(asked)] = where[asked]
        return self.values.select(schema.names).cast(schema), place

    def _keep(self, now: pa.Table, group: Ints, there: Bools, first: Ints, keys: pa.Table) -> None:
        """The last values of groups that have changed stand for those before."""
        last = np.append(first[1:], len(group)) - 1
        fresh = now.take(pa.array(last[there[last]]))
        if self.values is not None and self.values.num_rows and self.keys:  # without keys there is one group
            changed = keys.take(pa.array(group[last]))
            _, (old, gone) = distinct_rows([self.values, changed], self.keys)
            fresh = pa.concat_tables([self.values.filter(pa.array(~np.isin(old, gone))).cast(fresh.schema), fresh])
        self.values = fresh.combine_chunks()

    def own_to_json(self, blocks: Blocks) -> dict[str, Any]:
        if self.values is not None and self.values.num_rows:
            blocks.write("values", pack(self.values, self.fingerprint))
        elif blocks.read("values") is not None:
            blocks.remove("values")
        return {}

    def own_from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        kept = blocks.read("values")
        self.values = None if kept is None else unpack(kept, self.fingerprint)[0]
