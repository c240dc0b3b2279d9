"""What the head of a shard says of its operator, so that state can be shown and divided by those who have no plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import pyarrow as pa

from transom.column_names import KEY
from transom.kernels.columns.axis import Axis


class DescribedOperator(Protocol):
    """An operator, as far as its head describes it."""

    def open_windows(self) -> int | None: ...


class Measured(Protocol):
    """What an operator's places are measured by."""

    @property
    def axis(self) -> Axis: ...

    @property
    def axis_type(self) -> pa.DataType: ...


def about_operator(
    operator: DescribedOperator, spec: Measured, shard_by: Sequence[str], *, numbered: bool = False, controlled: bool = False
) -> dict[str, Any]:
    """Its kind, the columns that rows are spread by (none: all are in one shard), its axis, whether records are at their
    numbers, whether a controller makes its progress, and how many windows are open."""
    return {
        "kind": type(operator).__name__,
        "shard_by": [f"{KEY}{name}" for name in shard_by],
        "factor": spec.axis.factor,
        "time": bool(pa.types.is_temporal(spec.axis_type)),
        "numbered": numbered,
        "controlled": controlled,
        "open": operator.open_windows(),
    }
