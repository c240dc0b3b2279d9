"""A logical query: what the answer is, with no word on how it is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from transom.errors import BadFrame, BadQuery
from transom.semantics.length import Length, Rows, Unit, measure, names_of, unit_of
from transom.semantics.look_back import check_frame
from transom.semantics.windows.session_groups import of_groups
from transom.semantics.windows.window import Window
from transom.uda.definition import UserAggregate
from transom.uda.run.python_aggregate import PythonAggregate


class Late(Enum):
    """What becomes of a late tuple."""

    GENEROUS = "it counts in every window that is not complete yet"
    CONSISTENT = "it counts in none"


class Stamp(Enum):
    """`TIMESTAMP ...`: which timestamp a result has."""

    INSTANT = "the instant of evaluation"
    MIN = "the smallest of its tuples'"
    MAX = "the largest of its tuples'"


@dataclass(frozen=True, kw_only=True)
class Over:
    """A window on an aggregate: `aggregate OVER (PARTITION BY ... ORDER BY ... <frame> SLIDE ...)`.

    `preceding` is the length of the frame before the current row: rows(49) is 50 tuples, a duration or a number is
    a closed range, None is UNBOUNDED. Without `order_by` the stream's own order is used. `peers` distinguishes RANGE UNBOUNDED
    from ROWS UNBOUNDED: later tuples with an equal order value count.
    """

    aggregate: str
    preceding: Length | None
    partition_by: tuple[str, ...] = ()
    order_by: str | None = None
    slide: Length | None = None
    peers: bool = False
    active: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "partition_by", names_of("PARTITION BY", self.partition_by))
        check_frame(self.preceding, self.slide)
        if self.peers and isinstance(self.preceding, Rows):
            raise BadFrame("ROWS frames end at the current row itself", given="peers=True", remedy="leave peers out")

    @property
    def by_rows(self) -> bool:
        """Whether the frame ends at the current tuple itself, not at its last peer."""
        return not self.peers if self.preceding is None else unit_of(self.preceding) is Unit.ROWS

    @property
    def measures(self) -> bool:
        """Whether the frame needs distances on its order column."""
        return not self.by_rows or (self.slide is not None and unit_of(self.slide) is not Unit.ROWS)

    @property
    def tumbles(self) -> bool:
        """Whether SLIDE >= RANGE, so that no tuple counts twice. A frame of rows that slides so far stays in its slot anyway."""
        if self.slide is None or self.preceding is None:
            return False
        same = unit_of(self.slide) is unit_of(self.preceding)  # a frame in time at every n-th tuple has no slots
        return same and measure(self.slide) >= measure(self.preceding)


@dataclass(frozen=True, kw_only=True)
class Query:
    """A window with grouping and aggregates, or OVER frames, on one stream.

    `select` maps names to Spark SQL expressions or to `Over`. `prefilter` picks tuples of the stream before any
    window is cut, as a derived stream would; a condition on the extent belongs to the window (`Filtered`).
    """

    select: Mapping[str, str | Over]
    window: Window | None = None
    prefilter: str | None = None
    group_by: tuple[str, ...] = ()
    having: str | None = None
    late: Late = field(default=Late.GENEROUS)
    timestamp: Stamp = field(default=Stamp.INSTANT)
    aggregates: Mapping[str, UserAggregate | PythonAggregate] = field(default_factory=dict)
    """The users' aggregates that it calls, by name in lower case."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "group_by", names_of("GROUP BY", self.group_by))
        self._check_shapes()
        if self.window is not None:
            object.__setattr__(self, "window", of_groups(self.window, self.group_by))
        if not self.select:
            raise BadQuery("a query selects something", given="an empty select list", remedy="name at least one column")
        if self.window is None and not self.frames:
            raise BadQuery("a query has a window or OVER frames", given="neither", remedy="add a window")
        if self.window is not None and self.frames:
            raise BadQuery(
                "a window and OVER frames do not go together in one query", given="both", remedy="query a derived stream"
            )
        if self.frames and (self.group_by or self.having):
            raise BadQuery(
                "OVER frames give one row per tuple; there are no groups", given="GROUP BY or HAVING", remedy="use a window"
            )
        if len({(frame.slide, frame.partition_by if frame.slide else ()) for frame in self.frames.values()}) > 1:
            raise BadFrame("frames of one SELECT slide alike", given="different SLIDEs", remedy="use one query for each SLIDE")

    def _check_shapes(self) -> None:
        """Refuse what is of the wrong kind, which would otherwise mean something else."""
        wrong = [
            ("select", self.select, "a mapping of names to expressions", isinstance(self.select, Mapping)),
            ("window", self.window, "a window", self.window is None or isinstance(self.window, Window)),
            ("late", self.late, "Late.GENEROUS or Late.CONSISTENT", isinstance(self.late, Late)),
            ("timestamp", self.timestamp, "Stamp.INSTANT, Stamp.MIN or Stamp.MAX", isinstance(self.timestamp, Stamp)),
        ]
        for name, value, meant, fits in wrong:
            if not fits:
                raise BadQuery(f"{name} is {meant}", given=repr(value), remedy=f"give {meant}")
        for name, item in self.select.items():
            if not isinstance(item, str | Over):
                raise BadQuery(f"{name!r} selects no expression", given=repr(item), remedy="give Spark SQL as text, or an Over")

    @property
    def frames(self) -> dict[str, Over]:
        """The OVER frames in the select list."""
        return {name: item for name, item in self.select.items() if isinstance(item, Over)}

    @property
    def expressions(self) -> dict[str, str]:
        """The plain expressions in the select list."""
        return {name: item for name, item in self.select.items() if isinstance(item, str)}
