"""Columns that are the same as others, which are made where they are needed instead of being sent.

What goes to Python is paid for by the column, and what goes through the exchange by the byte; a key is often listed, too,
and the attribute of the window is among the columns of its tuples.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

from transom.column_names import AXIS, OWN, VALUE
from transom.kernels.bucket import CARRIED
from transom.kernels.columns.axis import NATURAL
from transom.kernels.results import column
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec


@dataclass(frozen=True)
class Copies:
    """Names of columns, each with that of the column it is a copy of: those that bucket needs, and those it does not."""

    early: tuple[tuple[str, str], ...] = ()
    late: tuple[tuple[str, str], ...] = ()

    def for_bucket(self, table: pa.Table) -> pa.Table:
        """With the columns that bucket looks at."""
        for name, original in self.early:
            table = table.append_column(name, table.column(original))
        return table

    def for_operator(self, piece: Slice, spec: Spec) -> Slice:
        """With the columns of tuples."""
        rows = piece.rows
        for name, original in self.late:
            rows = rows.append_column(name, _values(rows, spec) if original == VALUE else rows.column(original))
        return replace(piece, rows=rows) if self.late else piece


NO_COPIES = Copies()


def copies_of(copied: dict[str, str], spec: Spec) -> Copies:
    """Tuples are the operator's, as long as what they are copied from gets there as it is."""

    def waits(name: str, original: str) -> bool:
        exact = spec.axis == NATURAL and spec.generating.control is None and pa.types.is_timestamp(spec.axis_type)
        return name.startswith(OWN) and spec.lifts is None and (exact if original == VALUE else original.startswith(CARRIED))

    early = tuple((name, original) for name, original in copied.items() if not waits(name, original))
    late = tuple((name, original) for name, original in copied.items() if waits(name, original))
    return Copies(early, late)


def _values(rows: pa.Table, spec: Spec) -> pa.Array:
    """Places as instants again; where there is none, NULL."""
    places = column(rows, AXIS).to_numpy()
    none = places == spec.axis.nothing_yet
    return spec.axis.values(places, spec.axis_type, none if none.any() else None)
