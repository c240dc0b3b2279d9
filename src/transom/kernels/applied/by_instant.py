"""Results of windows in one order, however they were spread over shards and cut: by instant, with a punctuation behind each."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transom.column_names import INDEX, INSTANT, KIND
from transom.kernels.applied.applied_spec import PUNCTUATION, TUPLE, ContainerSpec
from transom.kernels.columns.arrays import one_chunk, run_starts
from transom.kernels.slices import Slice


def in_order(slices: list[Slice], spec: ContainerSpec) -> list[Slice]:
    """The slices, those of an input that windows feed as one. All results of an instant leave in one micro-batch."""
    found = [piece for piece in slices if spec.inputs[piece.input].ties is None]
    for number, one in enumerate(spec.inputs):
        own = [piece for piece in slices if piece.input == number]
        if one.ties is not None and own:
            rows = pa.concat_tables([piece.rows for piece in own], promote_options="default").combine_chunks()
            found.append(Slice(own[0].order, _by_instant(rows, one.columns if one.ties == "content" else ()), input=number))
    return sorted(found, key=lambda piece: (piece.input, piece.order))


def _by_instant(rows: pa.Table, ties: tuple[str, ...]) -> pa.Table:
    names = [name for name in rows.column_names if name not in (KIND, INSTANT)]
    simple = [name for name in ties if not pa.types.is_nested(rows.schema.field(name).type)]
    keys = [(name, "ascending") for name in (INSTANT, *simple)]
    rows = rows.append_column(INDEX, pa.array(np.arange(rows.num_rows)))
    rows = rows.take(pc.sort_indices(rows, [*keys, (INDEX, "ascending")])).drop_columns([INDEX])
    codes = one_chunk(rows[INSTANT]).dictionary_encode(null_encoding="encode").indices.to_numpy()
    ends = np.append(run_starts(codes)[1:], rows.num_rows)
    marks = rows.slice(0, 0).select(names)
    marks = pa.table({name: pa.nulls(len(ends), marks.schema.field(name).type) for name in names})
    both = pa.concat_tables([rows.select(names), marks])
    kinds = np.append(np.full(rows.num_rows, TUPLE, np.int8), np.full(len(ends), PUNCTUATION, np.int8))
    order = np.argsort(np.append(np.arange(rows.num_rows), ends - 0.5), kind="stable")
    return both.append_column(KIND, pa.array(kinds)).take(pa.array(order))
