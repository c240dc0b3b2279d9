"""One micro-batch of a window with policies: a container records extents, which are then slices of one table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import DELTA_ATTRIBUTE, EVENT_TS, KIND, NUMBER_IN_PARTITION, ORDER, WID, WINDOW_END, WINDOW_START
from transom.kernels.applied.clock_operator import on_clock
from transom.kernels.applied.container_operator import ContainerOperator
from transom.kernels.applied.extent_recorder import ExtentRecorder, Processed
from transom.kernels.applied.extent_results import results
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.columns.arrays import one_chunk
from transom.kernels.extents.closing import Extents
from transom.kernels.results import instants
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
        self._columns = [name for name in spec.inputs[0].columns if not name.startswith(DELTA_ATTRIBUTE)]
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
        return results(self.extents, table, extents, self._beside(found))

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
        table = pa.table({**columns, NUMBER_IN_PARTITION: pa.array(numbers[order])})
        code = np.array([keys[_key(one.oldest, fields)] if fields else 0 for one in found], np.int64)
        start = np.searchsorted(place, code * span + np.array([one.oldest.n for one in found], np.int64))
        end = np.searchsorted(place, code * span + np.array([one.newest.n for one in found], np.int64), side="right")
        return table, Extents(np.arange(len(found)), np.arange(len(found)), start, end)

    def _beside(self, found: list[Processed]) -> dict[str, pa.Array]:
        """What each extent says of itself, as far as it is selected."""
        names = self.extents.schema.names
        made: dict[str, pa.Array] = {}
        if WINDOW_START in names:
            made[WINDOW_START] = pa.array([one.oldest.place for one in found], pa.int64())
        if WINDOW_END in names:
            made[WINDOW_END] = pa.array([one.newest.place + 1 for one in found], pa.int64())
        if WID in names:
            made[WID] = pa.array(self._wids(found), pa.int64())
        if EVENT_TS in names:
            made[EVENT_TS] = self._event_ts(found)
        return made

    def _wids(self, found: list[Processed]) -> list[int]:
        """The number of each processed window in its partition."""
        counted: dict[Any, int] = self.keyed.note.setdefault("processed", {})
        wids = []
        for one in found:
            wids.append(counted.get(one.partition, 0))
            counted[one.partition] = wids[-1] + 1
        return wids

    def _event_ts(self, found: list[Processed]) -> pa.Array:
        """The order column of the tuples that caused the processing, or the instant on the clock that did."""
        kind = self.extents.schema.field(EVENT_TS).type
        caused = np.array([one.cause is not None for one in found])
        clock = on_clock(np.array([one.now for one in found]), kind)
        if caused.any() and ORDER not in self._columns:
            return pa.compute.if_else(pa.array(caused), pa.nulls(len(found), kind), clock)
        if not caused.any():
            return clock
        at, first = self._columns.index(ORDER), self._arrived[0].n
        times = [None if one.cause is None else self._arrived[one.cause - first].values[at] for one in found]
        stamps = instants(pa.array(times, self._types[ORDER])).cast(kind)
        return pa.compute.if_else(pa.array(caused), stamps, clock)


def _key(t: Any, fields: tuple[str, ...]) -> Any:
    return with_one_nan(tuple(getattr(t, field) for field in fields))


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
