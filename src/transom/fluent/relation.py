"""Streams, windows on them, and queries: each step gives a new one, and holds a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from transom.errors import BadQuery
from transom.fluent.grouped import Grouped, grouped
from transom.fluent.select_list import checked
from transom.fluent.tolerance import lateness, origin_of
from transom.fluent.verbs.applying import Applying
from transom.fluent.verbs.combined import SetOperations
from transom.fluent.verbs.cut import Cutting
from transom.fluent.verbs.described import Described
from transom.fluent.verbs.joined import Joined
from transom.fluent.verbs.selected import Selected
from transom.fluent.verbs.unknown import Refusing
from transom.fluent.verbs.written import Written
from transom.plan.check import check_bounded
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.windowed import Cut

if TYPE_CHECKING:
    from transom.fluent.grouped import Group
    from transom.fluent.lengths import LengthLike
    from transom.fluent.select_list import Condition, Item, Unnamed


@dataclass(frozen=True, repr=False)
class Relation(Described, Selected, Cutting, Joined, SetOperations, Applying, Written, Refusing):
    """A stream, or the result of a query, with a plan that says what it is.

    >>> from transom import stream
    >>> stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    <Relation, columns without data: SELECT * FROM traffic>
    """

    plan: Node

    def __post_init__(self) -> None:
        written = next((node for node in self.plan.walk() if isinstance(node, Insert)), None)
        if written is not None and (written is not self.plan or isinstance(written.input, Insert)):
            raise BadQuery(
                "nothing follows INSERT INTO, which sends rows away",
                given=written.label(),
                remedy="call insert_into(...) last",
            )
        check_bounded(self.plan)


@dataclass(frozen=True, repr=False)
class Aliased(Relation):
    """A relation under a name of its own, for conditions of joins."""

    name: str

    def _name(self) -> str:
        return self.name

    def _called(self) -> tuple[str, ...]:
        return (self.name,)


@dataclass(frozen=True, repr=False)
class Windowed(Relation):
    """A stream with a window on it: aggregate it, or select from its rows.

    >>> import transom as tr
    >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tumble="5 minutes")
    <Windowed, columns without data: SELECT * FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]>
    """

    def tolerate(
        self,
        *,
        slack: LengthLike | None = None,
        slack_percent: float | None = None,
        drop_ratio: float | None = None,
        normal: bool = False,
        heartbeat: bool | str | None = None,
        buffer: int | None = None,
        late: str | None = None,
    ) -> Windowed:
        """How much disorder the answer must survive: one of slack, slack_percent, drop_ratio, heartbeat.

        `slack` is how far a tuple may be behind the newest, `slack_percent` the same as a part of RANGE. `drop_ratio=0.01` waits
        for as long as it takes to lose no more than 1 % of the tuples, with `normal` by the paper's controller for normal
        delays. `heartbeat` ("largest" or "average") waits for the lateness so far. `buffer` is how many tuples wait at most, with
        slack or drop_ratio. `late` is "generous", where late tuples still count in windows that are open, or "consistent", where
        they count in none. What is not said stays as it was.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> window = traffic.window(tumble=tr.minutes(5)).tolerate(drop_ratio=0.01).tolerate(late="consistent")
        >>> window.agg(hi=tr.max("speed")).sql()
        'SELECT MAX(speed) AS hi FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts DRATIO 1% LATE CONSISTENT]'
        """
        origin = origin_of(slack=slack, slack_percent=slack_percent, drop_ratio=drop_ratio, normal=normal, heartbeat=heartbeat)
        said = {"generator": origin, "buffer": buffer, "late": lateness(late)}
        return Windowed(_tolerating(self.plan, {name: value for name, value in said.items() if value is not None}))

    def where(self, condition: Condition) -> Windowed:
        """Keep the rows of each window for which a condition is true; `filter` is the same.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").where("speed > 100").agg(n=tr.count()).sql()
        'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts] WHERE speed > 100'
        """
        return Windowed(Filter(self.plan, checked(condition, self.plan, called=self._called())))

    def filter(self, condition: Condition) -> Windowed:
        """Keep the rows of each window for which a condition is true: `where`.

        >>> import transom as tr
        >>> windows = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts").window(tumble="5 minutes")
        >>> windows.filter("speed > 100") == windows.where("speed > 100")
        True
        """
        return self.where(condition)

    def group_by(self, *columns: Group) -> Grouped:
        """Group each window by columns, given by name or as PySpark Columns, one by one or in a list.

        A computed Column has an alias. A row belongs to one window, so `window_start`, `window_end`, `wid` and `event_ts` make
        no more groups: named here, they are selected.

        >>> import transom as tr
        >>> traffic = tr.stream({"seg_id": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").group_by("seg_id", "window_end").agg(hi=tr.max("speed")).sql()
        'SELECT seg_id, window_end, MAX(speed) AS hi FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts] GROUP BY seg_id'
        """
        return grouped(self.plan, columns)

    groupBy = group_by  # noqa: N815

    def agg(self, *unnamed: Unnamed, having: Condition | None = None, **items: Item) -> Relation:
        """Aggregate each window as a whole; `having` keeps the windows for which a condition is true.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").agg("window_end", n=tr.count()).schema.names
        ['window_end', 'n']
        """
        return Grouped(self.plan, ()).agg(*unnamed, having=having, **items)


def _tolerating(plan: Node, said: dict[str, Any]) -> Node:
    """The window with what is said of disorder, also below conditions on its tuples."""
    if isinstance(plan, Filter):
        return replace(plan, input=_tolerating(plan.input, said))
    if not isinstance(plan, Cut):
        raise BadQuery(
            "what disorder a window must survive is said of each window",
            given=plan.label(),
            remedy="call tolerate(...) behind window(...), before what joins it",
        )
    return replace(plan, disorder=replace(plan.disorder, **said))
