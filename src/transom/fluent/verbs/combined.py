"""Set operations and streams of changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from sqlglot import exp

from transom.errors import BadQuery
from transom.fluent.verbs.planned import Planned, plan_of
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Project, Scan
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.changes import Changes
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin

if TYPE_CHECKING:
    from transom.fluent.relation import Relation


@dataclass(frozen=True, repr=False)
class SetOperations(Planned):
    """Set operations, and what appears and disappears."""

    def union(self, *others: Relation) -> Relation:
        """All rows of this and others: of windows at each instant, of streams in the order of their timestamps.

        Columns go by their place, as in PySpark, and equal rows stay; with `distinct()`, there is one of them. The timestamp is
        `event_ts`, whatever each stream calls its own.

        >>> from transom import stream
        >>> opened = stream({"item": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="opened")
        >>> closed = stream({"item": "BIGINT", "final": "DOUBLE", "at": "TIMESTAMP"}, order_by="at", name="closed")
        >>> opened.select("item", "price").union(closed.select("item", "final")).sql()
        'SELECT item, price FROM opened UNION ALL SELECT item, final FROM closed'
        """
        if not others:
            raise BadQuery("a union is of two or more", given="union()", remedy="give another stream or query")
        plans = (self.plan, *(plan_of("union", other) for other in others))
        if any(plan.is_windowed for plan in plans):
            return self._made(reduce(lambda one, two: SetOperation("UNION", one, two, True), map(selected, plans)))
        return self._made(Union(plans))

    def intersect(self, other: Relation) -> Relation:
        """The rows that this window and the `other` hold, each once.

        >>> from transom import rows, stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="1 hour").select("item").intersect(bid.window(range=rows(10)).select("item")).sql()
        'SELECT item FROM bid [RANGE 1 HOUR WATTR ts] INTERSECT SELECT item FROM bid [RANGE 10 ROWS SLIDE 1 ROW WATTR row_num]'
        """
        return self._set("INTERSECT", other)

    def intersect_all(self, other: Relation) -> Relation:
        """The rows that this window and the `other` hold, as often as both do: `intersectAll` in PySpark.

        >>> from transom import stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid").window(range="1 hour").select("item")
        >>> bid.intersect_all(bid).sql().count("INTERSECT ALL")
        1
        """
        return self._set("INTERSECT", other, every=True)

    intersectAll = intersect_all  # noqa: N815

    def subtract(self, other: Relation) -> Relation:
        """The rows of this window that the `other` does not hold, each once.

        >>> from transom import rows, stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="1 hour").select("item").subtract(bid.window(range=rows(10)).select("item")).sql()
        'SELECT item FROM bid [RANGE 1 HOUR WATTR ts] EXCEPT SELECT item FROM bid [RANGE 10 ROWS SLIDE 1 ROW WATTR row_num]'
        """
        return self._set("EXCEPT", other)

    def except_all(self, other: Relation) -> Relation:
        """The rows of this window, less as many equal ones as the `other` holds: `exceptAll` in PySpark.

        >>> from transom import stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid").window(range="1 hour").select("item")
        >>> bid.except_all(bid).sql().count("EXCEPT ALL")
        1
        """
        return self._set("EXCEPT", other, every=True)

    exceptAll = except_all  # noqa: N815

    def _set(self, operation: str, other: Planned, *, every: bool = False) -> Relation:
        return self._made(SetOperation(operation, selected(self.plan), selected(plan_of(operation.lower(), other)), every))

    def istream(self) -> Relation:
        """What appears at an instant and was not there at the one before.

        >>> import transom as tr
        >>> bid = tr.stream({"item": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="1 hour").group_by("item").agg(hi=tr.max("price")).istream().sql()
        'SELECT ISTREAM item, MAX(price) AS hi FROM bid [RANGE 1 HOUR WATTR ts] GROUP BY item'
        """
        return self._changes("ISTREAM")

    def dstream(self) -> Relation:
        """What was there at an instant and no longer is at the next.

        >>> from transom import stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="1 hour").select("item").dstream().sql()
        'SELECT DSTREAM item FROM bid [RANGE 1 HOUR WATTR ts]'
        """
        return self._changes("DSTREAM")

    def rstream(self) -> Relation:
        """All that is there, at each instant.

        >>> from transom import stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="1 hour").select("item").rstream().sql()
        'SELECT RSTREAM item FROM bid [RANGE 1 HOUR WATTR ts]'
        """
        return self._changes("RSTREAM")

    def _changes(self, kind: str) -> Relation:
        plan = self.plan
        if isinstance(plan, SetOperation):
            plan = Derived(plan, "changing", relation=True)
        return self._made(Changes(selected(plan), kind))


def selected(plan: Node) -> Node:
    """A window, a join or a subquery with all its columns selected, as `SELECT *` does; a query as it is."""
    below = plan
    while not isinstance(below, Cut | WindowJoin | Derived | Scan) and below.child is not None and not hasattr(below, "items"):
        below = below.child
    if hasattr(below, "items") or isinstance(plan, SetOperation):
        return plan
    items = tuple((name, Expression.of(exp.column(name, quoted=True))) for name in plan.schema.names)
    return Project(plan, items)
