"""What an operator computes, and where its progress comes from: one record for each kind of operator.

`transom.column_names` has the columns of the tables that go into it; `x<n>` are the arguments of aggregates.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from transom.column_names import EVENT_TS, WINDOW_END, WINDOW_START
from transom.kernels.aggregates import Call
from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.semantics.length import Length
from transom.semantics.tuples import Rank
from transom.semantics.windows.of_rows import OfRows
from transom.semantics.windows.session import Session
from transom.semantics.windows.window import Window

BOUNDS = (WINDOW_START, WINDOW_END, EVENT_TS)
"""What results can say of their window, besides its id."""


@dataclass(frozen=True)
class Computed:
    """One aggregate: its arguments are columns of the table, or `row_num`."""

    call: Call
    args: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spec:
    """What bucket needs of any operator: the axis, the source of progress, the keys, and the columns of tuples.

    By itself it is the spec of an input whose operator keeps its own record (`kernels/relations`).
    """

    axis: Axis
    axis_type: pa.DataType
    generating: Generating
    bounds: pa.DataType | None = None
    frontiers: pa.DataType | None = None
    partition_by: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    shard_by: tuple[str, ...] = ()
    tuples: tuple[str, ...] = ()
    reported: tuple[str, ...] = BOUNDS
    arrival_by: str | None = None
    wants_late: bool = False
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
    def aggregates(self) -> tuple[Computed, ...]:
        """The aggregates it computes."""
        return ()

    @property
    def fixed(self) -> tuple[str, ...]:
        """The columns a promise must fix to complete something."""
        return self.keys

    @property
    def lifts(self) -> WindowedSpec | None:
        """Itself, if tuples are added up by pane before the operator judges them."""
        return None

    @property
    def ages_are_known(self) -> bool:
        """Whether the operator sees the place of each late tuple."""
        return True


@dataclass(frozen=True)
class LateSpec(Spec):
    """No window: only which tuples are late (`LATE OF s`)."""


@dataclass(frozen=True)
class WindowedSpec(Spec):
    """A window with its groups, and its aggregates or its tuples. `width` is that of its panes on the axis, if it has any."""

    window: Window = field(kw_only=True)
    computed: tuple[Computed, ...] = ()
    lists_tuples: bool = False
    consistent: bool = False
    has_order: bool = False
    axis_is_order: bool = True
    stamp: str = "instant"
    width: int | None = None
    judges_each: bool = False

    @property
    def aggregates(self) -> tuple[Computed, ...]:
        return self.computed

    @property
    def fixed(self) -> tuple[str, ...]:
        """Ranks and sessions are made of the tuples of all groups, and a landmark that differs reports all of them."""
        of_all = isinstance(self.window, Session) or isinstance(self.window.counting, Rank) or self.window.reports_changes
        return self.partition_by if of_all else self.keys

    @property
    def lifted(self) -> bool:
        """Whether tuples are added up to partials, by panes that are `width` long."""
        return self.width is not None

    @property
    def lifts(self) -> WindowedSpec | None:
        """Rows are not added up before they are judged: the operator numbers them first."""
        return self if self.lifted and not self.judges_each and not isinstance(self.window, OfRows) else None

    @property
    def lifts_judged(self) -> bool:
        """Whether tuples are added up when the operator has judged each by itself."""
        return self.lifted and self.judges_each and not isinstance(self.window, OfRows)

    @property
    def ages_are_known(self) -> bool:
        return not self.lifted or self.judges_each


@dataclass(frozen=True)
class TogetherSpec(WindowedSpec):
    """Several windows over the same panes; `window` is one that stands for all."""

    together: tuple[Window, ...] = ()


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
class OverSpec(Spec):
    """OVER frames over a common buffer of tuples."""

    frames: tuple[FrameSpec, ...] = ()
    in_arrival_order: bool = False
    order_type: pa.DataType | None = None

    @property
    def aggregates(self) -> tuple[Computed, ...]:
        return tuple(frame.computed for frame in self.frames)

    @property
    def fixed(self) -> tuple[str, ...]:
        shared = set.intersection(*(set(frame.partition_by) for frame in self.frames))
        return tuple(name for name in self.keys if name in shared)


@dataclass(frozen=True)
class JoinSpec(Spec):
    """A join in step: the columns of either input among the tuple's own, and whether rows of the first stay without a match."""

    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    outer: bool = False


@dataclass(frozen=True)
class UnionSpec(Spec):
    """A union in step; of equal rows of an instant there is one, unless `every` one is wanted."""

    every: bool = True
