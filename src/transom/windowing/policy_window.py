"""A window with policies as a window of the language: what `[SLIDING count(100), count(10)]` behind a stream means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import NoReturn

from transom.errors import NotSupported
from transom.semantics.interval import Interval
from transom.semantics.length import Rows
from transom.semantics.time import Duration
from transom.semantics.tuples import Counting, Rank, RowNum, Tuple, Tuples
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.of_rows import OfRows
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.window import Window
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Count, Delta, Time


@dataclass(frozen=True)
class PolicyWindow(OfRows):
    """The extents that a container processes, in each of its partitions. With `per_shard` a limit on partitions holds in each
    shard by itself.

    >>> from transom.windowing import count, sliding
    >>> PolicyWindow(sliding(count(3), count(2))).as_rows()
    RowWindow(range=Rows(count=3), slide=Rows(count=2), wattr=RowNum(), partial=True)
    """

    policies: Configuration
    per_shard: bool = False

    @property
    def attribute(self) -> None:
        """Rows come in the order of arrival."""
        return None

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.attribute for one in self.policies.policies if isinstance(one, Delta)))

    @property
    def counting(self) -> Counting:
        return RowNum()

    def as_rows(self, order: str | None = None) -> RowWindow | None:
        """The window of rows that it is, if only tuples are counted: as they come, or in the `order` of a column."""
        counted = RowNum() if order is None else Rank(order)
        evict, trigger = self.policies.evict, self.policies.trigger
        if not isinstance(evict, Count) or self.policies.limit is not None or evict.n == 0:
            return None
        if trigger is None:
            return RowWindow(range=Rows(evict.n), slide=Rows(evict.n), wattr=counted)
        if not isinstance(trigger, Count):
            return None
        return RowWindow(range=Rows(evict.n), slide=Rows(trigger.n), wattr=counted, partial=self.policies.partial)

    @property
    def pane(self) -> Duration | None:
        """The greatest length that goes into all periods, where the clock alone says what happens."""
        periods = [one.length.micros for one in self.policies.policies if isinstance(one, Time)]
        on_clock = len(periods) == len(self.policies.policies) and self.policies.limit is None
        return Duration(gcd(*periods)) if on_clock else None

    def windows(self, tuples: Tuples) -> NoReturn:
        self._refuse()

    def bounds(self, w: int, tuples: Tuples = ()) -> Interval:
        self._refuse()

    def wids(self, t: Tuple, tuples: Tuples) -> NoReturn:
        self._refuse()

    def instant(self, w: int, tuples: Tuples = ()) -> None:
        return None

    def _refuse(self) -> NoReturn:
        raise NotSupported(
            "windows with policies are defined by their events, not by window-ids: the reference does not evaluate them",
            given=str(self.policies),
            remedy="try them with transom.windowing, or run them on Spark",
        )


def of_rows(window: Window, order: str | None = None) -> Window:
    """The same window, of rows if it is one."""
    if isinstance(window, Partitioned | Filtered):
        return replace(window, window=of_rows(window.window, order))
    return (window.as_rows(order) or window) if isinstance(window, PolicyWindow) else window
