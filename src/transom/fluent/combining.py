"""Joins, set operations, streams of changes, and the first rows of an instant, as PySpark names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, overload

from sqlglot import exp

from transom.errors import BadQuery
from transom.fluent.aggregates import known
from transom.fluent.functions.aggregated import operand
from transom.fluent.lengths import length_of
from transom.language.bind.from_clause import joined_among
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import STAMP, WITHIN
from transom.plan.expression import Expression, is_plain, parse
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Project, Scan, TableJoin
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.changes import Changes
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.stamps import name_of
from transom.plan.relations.window_join import WindowJoin
from transom.plan.relations.within_instant import Limit
from transom.plan.types.schema import Column as SchemaColumn
from transom.plan.types.schema import Schema

if TYPE_CHECKING:
    from transom.fluent.lengths import LengthLike
    from transom.fluent.relation import Relation
    from transom.spark.columns import Column

    On = str | Column | Sequence[str] | Sequence[Column]
    """What a join compares: a condition as SQL text or Column, or the names of columns that both have."""

KINDS = {
    "inner": ("", ""),
    "cross": ("", ""),
    "left": ("LEFT", ""),
    "leftouter": ("LEFT", ""),
    "right": ("RIGHT", ""),
    "rightouter": ("RIGHT", ""),
    "outer": ("FULL", ""),
    "full": ("FULL", ""),
    "fullouter": ("FULL", ""),
    "semi": ("LEFT", "SEMI"),
    "leftsemi": ("LEFT", "SEMI"),
    "anti": ("LEFT", "ANTI"),
    "leftanti": ("LEFT", "ANTI"),
}
"""PySpark's names of joins, and what they are in SQL."""


@dataclass(frozen=True)
class Combining:
    """What a relation has in common with PySpark's DataFrame where several come together."""

    plan: Node

    def _made(self, plan: Node) -> Relation:
        from transom.fluent.relation import Relation

        return Relation(plan)

    def alias(self, name: str) -> Relation:
        """The same under a name, by which conditions of a join tell it from another.

        >>> import transom as tr
        >>> bid = tr.stream({"item": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> last, hour = bid.window(range=tr.rows(1)).alias("last"), bid.window(range="1 hour").alias("hour")
        >>> last.join(hour, on="last.price > hour.price").select(price="last.price").sql().partition(" FROM ")[0]
        'SELECT last.price AS price'
        """
        from transom.fluent.relation import Aliased

        return Aliased(self.plan, name)

    @overload
    def join(self, other: str, schema: Mapping[str, str], /, on: str, how: str = "inner") -> Relation: ...

    @overload
    def join(self, other: Relation, on: On | None = None, how: str = "inner", *, timestamp: str | None = None) -> Relation: ...

    def join(self, other: Any, *arguments: Any, **named: Any) -> Relation:
        """Join windows of any types, streams whose timestamps a condition keeps together, or a static table by name and columns.

        `on` is a condition, or the names of columns that both have; `how` is inner, left, right, outer, semi or anti. `timestamp`
        is "min" or "max" of the joined rows', or "now", the instant at which they met.

        >>> import transom as tr
        >>> bid = tr.stream({"item": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> auction = tr.stream({"id": "BIGINT", "seller": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="auction")
        >>> met = bid.window(range="1 hour").join(auction.window(range=tr.rows(100)), on="bid.item = auction.id", timestamp="max")
        >>> met.select("price", "seller").sql()[-23:]
        'item = id TIMESTAMP MAX'
        """
        if isinstance(other, str):
            return self._join_table(other, *arguments, **named)
        return self._join_relation(other, *arguments, **named)

    def _join_table(self, table: str, schema: Mapping[str, str], on: str, how: str = "inner") -> Relation:
        columns = tuple(SchemaColumn(name, kind) for name, kind in schema.items())
        both = Schema((*self.plan.schema.columns, *columns), self.plan.schema.hidden)
        streams = [node.stream.name for node in self.plan.walk() if isinstance(node, Scan)]
        condition = Resolver(both, {name: name for name in (*streams, table)}, on).expression(parse(on))
        return replace(self, plan=TableJoin(self.plan, table, columns, condition, how.upper()))  # type: ignore[return-value]

    def _join_relation(
        self, other: Combining, on: On | None = None, how: str = "inner", *, timestamp: str | None = None
    ) -> Relation:
        side, kind = _kind(how)
        join = exp.Join(this=exp.to_table("joined"), side=side or None, kind=kind or None)
        text = _compared(join, on)
        if timestamp is not None:
            join.meta[STAMP] = timestamp.lower()
        nodes, names, before = self._sides()
        nodes, names = (*nodes, other._side()), (*names, other._name())
        where = Resolver(Schema(()), {name: name for name in names}, text, known(text))
        from transom.fluent.relation import Relation, Windowed

        made = joined_among(nodes, names, [*before, join], where)
        return Windowed(made) if made.is_windowed else Relation(made)

    def _sides(self) -> tuple[tuple[Node, ...], tuple[str, ...], list[exp.Join]]:
        """What is joined so far."""
        join = self.plan
        if not isinstance(join, WindowJoin):
            return (self._side(),), (self._name(),), []
        places = ((here, exp.column(there, table=join.names[side], quoted=True)) for (side, there), here in join.owners.items())
        written = {here: column.sql("spark") for here, column in places}
        joins = []
        for step in join.steps:
            side, kind = ("LEFT", step.kind) if step.kind in ("SEMI", "ANTI") else (step.kind, "")
            made = exp.Join(this=exp.to_table("joined"), side=None if side == "INNER" else side, kind=kind or None)
            if join.using:
                made.set("using", [exp.to_identifier(name) for name in join.using])
            else:
                made.set("on", parse(step.condition.restoring(written).text).copy())
            if join.timestamp != "min":
                made.meta[STAMP] = join.timestamp
            joins.append(made)
        return join.sides, join.names, joins

    def _name(self) -> str:
        return name_of(self.plan)

    def _side(self) -> Node:
        """As FROM has it: a stream, a window, or a subquery."""
        if isinstance(self.plan, Scan | Cut | Derived):
            return self.plan
        return Derived(_selected(self.plan), self._name(), relation=True)

    def asof_join(
        self,
        other: Relation,
        on: str | Sequence[str] | None = None,
        how: str = "inner",
        *,
        within: LengthLike | None = None,
        strict: bool = False,
    ) -> Relation:
        """Each tuple with the last one of another stream, of the same keys, that is not after it; with `strict`, before it.

        `on` are columns that both have, or a condition of equal columns; `how` is inner or left; `within` is how old a match may
        be.

        >>> import transom as tr
        >>> trade = tr.stream({"sym": "STRING", "n": "INT", "ts": "TIMESTAMP"}, order_by="ts", name="trade")
        >>> quote = tr.stream({"sym": "STRING", "bid": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="quote")
        >>> trade.asof_join(quote, on="sym", how="left", within="1 hour").select("sym", "n", "bid").sql()[-64:]
        'MATCH_CONDITION (trade.ts >= quote.ts) USING (sym) WITHIN 1 HOUR'
        """
        side, kind = _kind(how)
        if kind or side not in ("", "LEFT"):
            raise BadQuery("an as-of join is inner or left", given=f"how={how!r}", exists=["inner", "left"], remedy="use one")
        nodes, names = (self._side(), other._side()), (self._name(), other._name())
        times = [exp.column(str(node.time_attribute), table=name) for node, name in zip(nodes, names, strict=True)]
        matches = (exp.GT if strict else exp.GTE)(this=times[0], expression=times[1])
        join = exp.Join(this=exp.to_table("joined"), method="ASOF", side=side or None, match_condition=matches)
        text = _compared(join, on)
        if within is not None:
            join.meta[WITHIN] = length_of("within", within)
        where = Resolver(Schema(()), {name: name for name in names}, text, known(text))
        return self._made(joined_among(nodes, names, [join], where))

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
        plans = (self.plan, *(other.plan for other in others))
        if any(plan.is_windowed for plan in plans):
            return self._made(reduce(lambda one, two: SetOperation("UNION", one, two, True), map(_selected, plans)))
        return self._made(Union(plans))

    def intersect(self, other: Relation) -> Relation:
        """The rows that both windows hold, each once.

        >>> from transom import rows, stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="1 hour").select("item").intersect(bid.window(range=rows(10)).select("item")).sql()
        'SELECT item FROM bid [RANGE 1 HOUR WATTR ts] INTERSECT SELECT item FROM bid [RANGE 10 ROWS SLIDE 1 ROW WATTR row_num]'
        """
        return self._set("INTERSECT", other)

    def intersect_all(self, other: Relation) -> Relation:
        """The rows that both windows hold, as often as both do: `intersectAll` in PySpark.

        >>> from transom import stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid").window(range="1 hour").select("item")
        >>> bid.intersect_all(bid).sql().count("INTERSECT ALL")
        1
        """
        return self._set("INTERSECT", other, every=True)

    intersectAll = intersect_all  # noqa: N815

    def subtract(self, other: Relation) -> Relation:
        """The rows of this window that another does not hold, each once.

        >>> from transom import rows, stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="1 hour").select("item").subtract(bid.window(range=rows(10)).select("item")).sql()
        'SELECT item FROM bid [RANGE 1 HOUR WATTR ts] EXCEPT SELECT item FROM bid [RANGE 10 ROWS SLIDE 1 ROW WATTR row_num]'
        """
        return self._set("EXCEPT", other)

    def except_all(self, other: Relation) -> Relation:
        """The rows of this window, less as many equal ones as another holds: `exceptAll` in PySpark.

        >>> from transom import stream
        >>> bid = stream({"item": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid").window(range="1 hour").select("item")
        >>> bid.except_all(bid).sql().count("EXCEPT ALL")
        1
        """
        return self._set("EXCEPT", other, every=True)

    exceptAll = except_all  # noqa: N815

    def _set(self, operation: str, other: Combining, *, every: bool = False) -> Relation:
        return self._made(SetOperation(operation, _selected(self.plan), _selected(other.plan), every))

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
        return self._made(Changes(_selected(plan), kind))

    def limit(self, num: int) -> Relation:
        """The first rows of each instant, in the order that `order_by` gives them.

        >>> import transom as tr
        >>> bid = tr.stream({"item": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(tumble="1 hour").select("item", "price").order_by("price DESC").limit(3).sql()
        'SELECT item, price FROM bid [RANGE 1 HOUR SLIDE 1 HOUR WATTR ts] ORDER BY price DESC LIMIT 3'
        """
        return self._made(Limit(self.plan, num))


def _selected(plan: Node) -> Node:
    """A window, a join or a subquery with all its columns selected, as `SELECT *` does; a query as it is."""
    below = plan
    while not isinstance(below, Cut | WindowJoin | Derived | Scan) and below.child is not None and not hasattr(below, "items"):
        below = below.child
    if hasattr(below, "items") or isinstance(plan, SetOperation):
        return plan
    items = tuple((name, Expression.of(exp.column(name, quoted=True))) for name in plan.schema.names)
    return Project(plan, items)


def _kind(how: str) -> tuple[str, str]:
    kind = KINDS.get(how.lower().replace("_", ""))
    if kind is None:
        raise BadQuery("this is no kind of join", given=f"how={how!r}", exists=sorted(KINDS), remedy="use one of those")
    return kind


def _compared(join: exp.Join, on: On | None) -> str:
    """What a join compares, set into its syntax tree; the text of it."""
    given: list[Any] = [] if on is None else list(on) if isinstance(on, list | tuple) else [on]
    texts = [operand(one) for one in given]
    if texts and all(isinstance(one, str) and is_plain(one) for one in given):
        join.set("using", [exp.to_identifier(text) for text in texts])
    elif texts:
        join.set("on", exp.and_(*(parse(text).copy() for text in texts)))
    return " AND ".join(texts)
