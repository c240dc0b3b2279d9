"""One micro-batch of a window with policies: a container records extents, which are then slices of one table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.applied.applied_spec import KIND, PUNCTUATION, TUPLE
from transom.kernels.applied.container_operator import ContainerOperator
from transom.kernels.applied.extent_recorder import ExtentRecorder, Processed
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.columns.arrays import Ints, codes_of, flags, one_chunk, ranges, run_starts
from transom.kernels.extents.closing import Extents
from transom.kernels.results import gathered, instants, unfolded, values_of
from transom.kernels.slices import Slice
from transom.kernels.state.store import Blocks
from transom.windowing.containers.partitions import with_one_nan
from transom.windowing.containers.places import on_axis
from transom.windowing.operator.output_columns import row_type


class ExtentOperator(ContainerOperator):
    """The container keeps tuples with the values of all columns. Aggregates are computed for the extents of a micro-batch
    together."""

    def __init__(self, spec: ExtentSpec) -> None:
        super().__init__(spec, ExtentRecorder())
        self.extents = spec
        self._columns = [name for name in spec.inputs[0].columns if not name.startswith("xp:")]
        fields = ["n", "place", *spec.key_fields, *(name for name, _ in spec.deltas), "values"]
        self._make: Any = row_type(tuple(fields))._make  # type: ignore[attr-defined]
        self._types: dict[str, pa.DataType] = {}
        self._arrived: list[Any] = []
        self._held: list[Any] = []

    @property
    def recorder(self) -> ExtentRecorder:
        operator = self.keyed.run.operator
        assert isinstance(operator, ExtentRecorder)
        return operator

    def before(self, slices: list[Slice], blocks: Blocks) -> None:
        """The tuples that are in windows already, and the types of columns."""
        self._types = dict(self.keyed.note.get("types", {}))
        for piece in slices:
            self._types |= {name: _plain(piece.rows.schema.field(name).type) for name in self._columns}
        self.keyed.note["types"] = self._types
        container = self.keyed.run.container()
        self._held = [t for window in container for t in window]

    def tuples(self, number: int, table: pa.Table) -> list[Any]:
        values = list(zip(*(one_chunk(table[name]).to_pylist() for name in self._columns), strict=True))
        values = values if self._columns else [()] * table.num_rows
        first = self.keyed.note.get("arrived", 0)
        self.keyed.note["arrived"] = first + table.num_rows
        keys = [one_chunk(table[name]).to_pylist() for name in self.spec.inputs[0].window.keys]
        deltas = [one_chunk(table[column]).to_pylist() for _, column in self.extents.deltas]
        places = self._places(keys, table.num_rows) if self.extents.numbers_rows else [0] * table.num_rows
        found = list(map(self._make, zip(range(first, first + table.num_rows), places, *keys, *deltas, values, strict=True)))
        self._arrived += found
        return found

    def _inserted(self, tuples: list[Any]) -> list[Any]:
        """Those that are in windows: a delta attribute that is nowhere is in none."""
        names = [name for name, _ in self.extents.deltas]
        return [t for t in tuples if all(on_axis(getattr(t, name)) for name in names)] if names else tuples

    def _places(self, keys: list[list[Any]], rows: int) -> list[int]:
        """The position of each tuple in its partition."""
        came: dict[Any, int] = self.keyed.note.setdefault("came", {})
        places = []
        for key in zip(*keys, strict=True) if keys else [()] * rows:
            key = with_one_nan(key)
            places.append(came.get(key, 0))
            came[key] = places[-1] + 1
        return places

    def feeding(self, tuples: list[Any]) -> Iterator[Any]:
        """Tuples, each noted as the cause of what it causes."""
        cause = self.recorder.cause
        for t in tuples:
            cause[0] = t.n
            yield t

    def emitted(self) -> pa.Table:
        found = self.recorder.processed
        schema = pa.schema([(KIND, pa.int8()), *self.extents.schema])
        if not found:
            return schema.empty_table()
        table, extents = self._slices(found)
        rows, which = self._results(table, extents, found)
        rows = unfolded(rows.append_column("__which", pa.array(which)), self.extents.window)
        which = one_chunk(rows["__which"]).to_numpy()
        columns = [one_chunk(rows[_inner(field.name, rows.column_names)]).cast(field.type) for field in self.extents.schema]
        kinds = pa.array(np.full(rows.num_rows, TUPLE, np.int8))
        made = pa.Table.from_arrays([kinds, *columns], schema=schema)
        return _punctuated(made, which, len(found)) if self.spec.passes_on else made

    def _slices(self, found: list[Processed]) -> tuple[pa.Table, Extents]:
        """All tuples by partition, in the order of arrival, and the extents as slices of them."""
        tuples = [*self._held, *self._inserted(self._arrived)]
        keys: dict[Any, int] = {}
        fields = self.extents.key_fields
        of = [keys.setdefault(_key(t, fields), len(keys)) for t in tuples] if fields else [0] * len(tuples)
        codes, numbers = np.array(of, np.int64), np.array([t.n for t in tuples], np.int64)
        order = np.lexsort((numbers, codes))
        span = int(numbers.max(initial=0)) + 1
        place = (codes * span + numbers)[order]
        values = list(zip(*(tuples[n].values for n in order), strict=True)) if self._columns else []
        columns = {name: pa.array(column, self._types[name]) for name, column in zip(self._columns, values, strict=True)}
        table = pa.table({**columns, "__n": pa.array(numbers[order])})
        code = np.array([keys[_key(one.oldest, fields)] if fields else 0 for one in found], np.int64)
        start = np.searchsorted(place, code * span + np.array([one.oldest.n for one in found], np.int64))
        end = np.searchsorted(place, code * span + np.array([one.newest.n for one in found], np.int64), side="right")
        return table, Extents(np.arange(len(found)), np.arange(len(found)), start, end)

    def _results(self, table: pa.Table, extents: Extents, found: list[Processed]) -> tuple[pa.Table, Ints]:
        """The rows of each extent, and which extent each is of: groups, or tuples."""
        spec = self.extents.window
        wids = self._wids(found) if "wid" in self.extents.schema.names else None
        if spec.keys != spec.partition_by or "__pick" in table.column_names:
            table, extents = _by_group(table, extents, [f"k:{name}" for name in spec.keys])
        which = extents.wid
        made: dict[str, Any] = {}
        for name in spec.keys:
            made[f"k:{name}"] = one_chunk(table[f"k:{name}"]).take(pa.array(extents.start))
        made["window_start"] = pa.array([found[n].oldest.place for n in which], pa.int64())
        made["window_end"] = pa.array([found[n].newest.place + 1 for n in which], pa.int64())
        if wids is not None:
            made["wid"] = pa.array([wids[n] for n in which], pa.int64())
        if "event_ts" in self.extents.schema.names:
            made["event_ts"] = self._event_ts(found).take(pa.array(which))
        if not spec.lists_tuples:
            for n, values in enumerate(values_of(spec, table, extents, ())):
                made[f"y{n}"] = values
            return pa.table(made), which
        rows, owner = ranges(extents.start, extents.end)
        rows, pieces = gathered(extents, None, rows, owner)
        repeats = np.repeat(np.arange(len(which)), pieces.end - pieces.start)
        listed = pa.table(made).take(pa.array(repeats))
        for name in spec.tuples:
            listed = listed.append_column(f"t:{name}", one_chunk(table[f"t:{name}"]).take(pa.array(rows)))
        return listed, which[repeats]

    def _wids(self, found: list[Processed]) -> list[int]:
        """The number of each processed window in its partition."""
        counted: dict[Any, int] = self.keyed.note.setdefault("processed", {})
        wids = []
        for one in found:
            wids.append(counted.get(one.partition, 0))
            counted[one.partition] = wids[-1] + 1
        return wids

    def _event_ts(self, found: list[Processed]) -> pa.Array:
        """The order column of the tuples that caused the processing, or the time on the clock."""
        kind = self.extents.schema.field("event_ts").type
        if "__order" not in self._columns:
            return pa.nulls(len(found), kind)
        at = self._columns.index("__order")
        first = self._arrived[0].n if self._arrived else 0
        clock = pa.scalar(self.now, pa.int64()).cast(pa.timestamp("us")).as_py() if self.now is not None else None
        times = [
            (clock if pa.types.is_timestamp(kind) else None) if one.cause is None else self._arrived[one.cause - first].values[at]
            for one in found
        ]
        return instants(pa.array(times, self._types["__order"])).cast(kind)


def _by_group(table: pa.Table, extents: Extents, names: list[str]) -> tuple[pa.Table, Extents]:
    """Extents written out one after the other, each sorted by its groups; tuples that WHERE leaves out are in none."""
    rows, owner = ranges(extents.start, extents.end)
    owner = extents.wid[owner]
    if "__pick" in table.column_names:
        picked = flags(one_chunk(table["__pick"]))[rows]
        rows, owner = rows[picked], owner[picked]
    part = table.take(pa.array(rows))
    codes, _ = codes_of([one_chunk(part[name]) for name in names], part.num_rows)
    order = np.lexsort((codes, owner))
    part, codes, owner = part.take(pa.array(order)), codes[order], owner[order]
    first = run_starts(owner, codes)
    ends = np.append(first[1:], len(owner)).astype(np.int64)
    return part, Extents(np.arange(len(first)), owner[first], first, ends)


def _punctuated(made: pa.Table, which: Ints, extents: int) -> pa.Table:
    """With a window punctuation behind the rows of each extent."""
    marks = pa.Table.from_arrays(
        [pa.array(np.full(extents, PUNCTUATION, np.int8)), *(pa.nulls(extents, field.type) for field in list(made.schema)[1:])],
        schema=made.schema,
    )
    order = np.lexsort((np.append(np.zeros(len(which)), np.ones(extents)), np.append(which, np.arange(extents))))
    return pa.concat_tables([made, marks]).take(pa.array(order))


def _key(t: Any, fields: tuple[str, ...]) -> Any:
    return with_one_nan(tuple(getattr(t, field) for field in fields))


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _inner(name: str, names: list[str]) -> str:
    """The name here of a column that comes out."""
    if name.startswith("__y"):
        return name[2:]
    return next(one for one in (name, f"k:{name}", f"t:{name}") if one in names)
