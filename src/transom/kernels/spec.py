"""What a window operator is told: the window, the keys, what to compute, and where progress comes from.

Tables that go into it have these columns: `__axis` (the place, see `axis`), `__index` (the position in its slice, where
there is punctuation), `__high` (the running maximum of the slice before the tuple, where it is not in order), `__order` (the
order column, where it is not the axis), `__pick` (the condition of a filtered window), `k:<name>` keys, `g:<name>` columns of
promises, `x<n>` arguments of aggregates, `t:<name>` columns of the tuple itself, `__seq` (how many of the sequence came before
it, where a controller looks at that), and then `__pane` instead of the place, where no more of it matters.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from transom.kernels.aggregates import Call
from transom.kernels.columns.axis import Axis
from transom.kernels.progress.generating import Generating
from transom.semantics.length import Length
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.window import Window

ROW_NUM = "row_num"

BOUNDS = ("window_start", "window_end", "event_ts")
"""What results can say of their window, besides its id."""


@dataclass(frozen=True)
class Computed:
    """One aggregate: its arguments are columns of the table, or `row_num`."""

    call: Call
    args: tuple[str, ...] = ()


@dataclass(frozen=True)
class FrameSpec:
    """One OVER frame; see `transom.plan.nodes.windowed.Frame`. Lengths are places on the axis, or rows."""

    computed: Computed
    partition_by: tuple[str, ...] = ()
    preceding: Length | None = None
    slide: Length | None = None
    by_rows: bool = True
    tumbles: bool = False
    active: bool = False


@dataclass(frozen=True)
class JoinSpec:
    """A join: the columns of either input among the tuple's own, and whether rows of the first are kept without a match."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    outer: bool = False


@dataclass(frozen=True)
class UnionSpec:
    """A union; of equal rows of an instant there is one, unless `every` one is asked for."""

    every: bool = True


@dataclass(frozen=True)
class Spec:
    """A window with its groups and aggregates; or frames; or a join; or a union; or none, which only judges what is late."""

    axis: Axis
    axis_type: pa.DataType
    generating: Generating
    window: Window | None = None
    partition_by: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    shard_by: tuple[str, ...] = ()
    computed: tuple[Computed, ...] = ()
    frames: tuple[FrameSpec, ...] = ()
    tuples: tuple[str, ...] = ()
    lists_tuples: bool = False
    consistent: bool = False
    wants_late: bool = False
    is_filtered: bool = False
    has_order: bool = False
    order_type: pa.DataType | None = None
    axis_is_order: bool = True
    in_arrival_order: bool = False
    stamp: str = "instant"
    reported: tuple[str, ...] = BOUNDS
    bounds: pa.DataType | None = None
    frontiers: pa.DataType | None = None
    width: int | None = None
    judges_each: bool = False
    arrival_by: str | None = None
    together: tuple[Window, ...] = ()
    join: JoinSpec | None = None
    union: UnionSpec | None = None
    passes_on: bool = False
    fingerprint: str = field(default="", compare=False)

    @property
    def bounds_type(self) -> pa.DataType:
        """The type of bounds and instants, which may be wider than that of the attribute."""
        return self.bounds or self.axis_type

    @property
    def frontier_type(self) -> pa.DataType:
        """The type of frontiers, which SLACK may put between two bounds."""
        return self.frontiers or self.bounds_type

    @property
    def lifted(self) -> bool:
        """Whether tuples are added up to partials, by panes that are `width` long."""
        return self.width is not None

    @property
    def lifted_below(self) -> bool:
        """Whether they are so before the operator judges them, by pane then. Rows are not: it numbers them first."""
        return self.lifted and not self.judges_each and not isinstance(self.window, RowWindow)

    @property
    def lifted_judged(self) -> bool:
        """Whether they are so when the operator has judged each by itself."""
        return self.lifted and self.judges_each and not isinstance(self.window, RowWindow)
