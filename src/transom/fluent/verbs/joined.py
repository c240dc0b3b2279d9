"""Joins: of windows, of streams, with static tables, and with the last row before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from sqlglot import exp

from transom.errors import BadQuery
from transom.fluent.functions.aggregated import operand
from transom.fluent.lengths import length_of
from transom.fluent.python_aggregates import known
from transom.fluent.verbs.combined import selected
from transom.fluent.verbs.planned import Planned
from transom.language.bind.from_clause import joined_among
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import STAMP, WITHIN
from transom.plan.expression import is_plain, parse
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Scan, TableJoin
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.stamps import name_of
from transom.plan.relations.window_join import WindowJoin
from transom.plan.types.schema import Column as SchemaColumn
from transom.plan.types.schema import Schema

if TYPE_CHECKING:
    from transom.fluent.lengths import LengthLike
    from transom.fluent.relation import Relation
    from transom.spark.column_text import Column

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


@dataclass(frozen=True, repr=False)
class Joined(Planned):
    """Joins, by PySpark's names."""

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
        return self._with(TableJoin(self.plan, table, columns, condition, how.upper()))

    def _join_relation(
        self, other: Joined, on: On | None = None, how: str = "inner", *, timestamp: str | None = None
    ) -> Relation:
        side, kind = _kind(how)
        join = exp.Join(this=exp.to_table("joined"), side=side or None, kind=kind or None)
        text = _compared(join, on)
        if timestamp is not None:
            join.meta[STAMP] = timestamp.lower()
        nodes, names, before = self._sides()
        nodes, names = (*nodes, other._side()), (*names, other._name())
        where = Resolver(Schema(()), {name: name for name in names}, text, known(text))
        made = joined_among(nodes, names, [*before, join], where)
        return self._windowed(made) if made.is_windowed else self._made(made)

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
        return Derived(selected(self.plan), self._name(), relation=True)

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
