"""Choosing rows and columns: where, select, distinct, order_by, limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from transom.errors import BadFrame, BadQuery, BlockingAggregate, NotSupported
from transom.fluent.select_list import checked, expressions, flat, orderings, select_list
from transom.fluent.verbs.planned import Planned
from transom.fluent.verbs.ranking import ranked
from transom.plan.expression import Expression
from transom.plan.nodes.relational import Distinct, Filter, Project, Sort
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Frame, Frames
from transom.plan.order import check_frame_order
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.within_instant import Limit

if TYPE_CHECKING:
    from transom.fluent.relation import Relation
    from transom.fluent.select_list import Condition, Item, Unnamed


@dataclass(frozen=True, repr=False)
class Selected(Planned):
    """Which rows and columns a relation has."""

    def where(self, condition: Condition) -> Relation:
        """Keep the rows for which a condition, SQL text or a PySpark Column, is true; `filter` is the same.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.where("speed > 100").sql()
        'SELECT * FROM traffic WHERE speed > 100'
        """
        return self._with(Filter(self.plan, checked(condition, self.plan, called=self._called())))

    def filter(self, condition: Condition) -> Relation:
        """Keep the rows for which a condition is true: `where`.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.filter("speed > 100") == traffic.where("speed > 100")
        True
        """
        return self.where(condition)

    def select(self, *columns: Unnamed | Sequence[Unnamed], **items: Item) -> Relation:
        """A select list: columns by name, one by one or in a list; expressions and frames under a name.

        `"*"` stands for all columns. What has an alias, a PySpark Column for example, needs no other name.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.select("ts", mph="speed / 1.609").sql()
        'SELECT ts, speed / 1.609 AS mph FROM traffic'

        Over a window, ranks number the rows of each instant.

        >>> place = "rank() OVER (PARTITION BY window_end ORDER BY speed DESC)"
        >>> traffic.window(tumble="5 minutes").select("speed", place=place).sql()[:67]
        'SELECT speed, RANK() OVER (PARTITION BY window_end ORDER BY speed D'
        """
        if not flat(columns) and not items:
            raise BadQuery("nothing is selected", given="select()", remedy='name columns, or "*" for all of them')
        plan, items = ranked(self.plan, items)
        chosen = select_list(plan, flat(columns), items, self._called())
        if any(isinstance(item, Frame) for _, item in chosen):
            if self.plan.is_windowed:
                raise BadFrame("OVER frames stand on a stream, without a window", given="both", remedy="query a derived stream")
            for frame in (item for _, item in chosen if isinstance(item, Frame)):
                check_frame_order(frame, self.plan, handed_over=True)
            return self._made(Frames(self.plan, chosen))
        plain = expressions(chosen)
        if any(item.is_aggregate for _, item in plain):
            if plan is not self.plan:
                raise BadFrame(
                    "ranks number the rows of a window, not its groups",
                    given="both",
                    remedy="aggregate first, and select the ranks from that",
                )
            return self._aggregated(plain)
        return self._made(Project(plan, plain))

    def _aggregated(self, items: tuple[tuple[str, Expression], ...]) -> Relation:
        users = [user for _, item in items for _, user in item.user_calls]
        if not self.plan.is_windowed and users and not any(user.is_blocking for user in users):
            raise NotSupported(
                "an aggregate on a stream without a window is over all tuples so far",
                given=", ".join(item.text for _, item in items),
                remedy='write it out: .over(unbounded="rows")',
            )
        if not self.plan.is_windowed:
            raise BlockingAggregate(
                "an aggregate over a whole stream never ends",
                given=", ".join(item.text for _, item in items),
                remedy="call window(...) first, for example window(tumble=minutes(5))",
            )
        return self._made(Aggregate(self.plan, (), items))

    def distinct(self, *, keep: str = "last") -> Relation:
        """Of equal rows of a window, or of an instant of a union, one: the last, or with `keep="first"` the first while it stays.

        >>> from transom import stream
        >>> bid = stream({"auction": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="10 minutes").select("auction").distinct(keep="first").sql()
        'SELECT DISTINCT KEEP FIRST auction FROM bid [RANGE 10 MINUTES WATTR ts]'
        """
        if keep not in ("first", "last"):
            raise BadQuery("of equal rows, the first or the last is kept", given=repr(keep), remedy='give keep="first"')
        if isinstance(self.plan, Union | SetOperation) and keep == "last":
            return self._made(replace(self.plan, every=False))
        return self._made(Distinct(self.plan, keep == "first"))

    def order_by(self, *columns: Condition | Sequence[Condition], ascending: bool | Sequence[bool] = True) -> Relation:
        """The rows of each window in an order: columns by name, `"hi DESC"`, or PySpark Columns such as `F.col("hi").desc()`.

        With `ascending=False` they are in descending order; a list says it of each column.

        >>> import transom as tr
        >>> traffic = tr.stream({"seg_id": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").group_by("seg_id").agg(hi=tr.max("speed")).order_by("hi DESC").sql()[-16:]
        'ORDER BY hi DESC'
        """
        by = orderings(flat(columns), ascending, self.plan)
        if not self.plan.is_windowed and [item.text for item in by] == [self.plan.time_attribute]:
            return self._made(self.plan)  # the order that a stream has
        return self._made(Sort(self.plan, by))

    orderBy = order_by  # noqa: N815

    def limit(self, num: int) -> Relation:
        """The first `num` rows of each instant, in the order that `order_by` gives them.

        >>> import transom as tr
        >>> bid = tr.stream({"item": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(tumble="1 hour").select("item", "price").order_by("price DESC").limit(3).sql()
        'SELECT item, price FROM bid [RANGE 1 HOUR SLIDE 1 HOUR WATTR ts] ORDER BY price DESC LIMIT 3'
        """
        if isinstance(num, bool) or not isinstance(num, int):
            raise BadQuery("limit takes a number of rows", given=repr(num), remedy="give a whole number")
        return self._made(Limit(self.plan, num))
