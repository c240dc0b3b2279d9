"""Joins: of windows, of streams, with static tables, and with the last row before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, overload

from sqlglot import exp

from transom.calls import checked
from transom.errors import BadQuery
from transom.fluent.functions.aggregated import is_column, operand
from transom.fluent.lengths import length_of
from transom.fluent.python_aggregates import known
from transom.fluent.verbs.combined import selected
from transom.fluent.verbs.joined_so_far import SoFar, joined_so_far, looks_back_from
from transom.fluent.verbs.planned import Planned, plan_of
from transom.language.bind.from_clause import joined_among
from transom.language.bind.resolve import Resolver
from transom.language.columns import checked_type
from transom.language.parse.parser import STAMP, WITHIN
from transom.plan.expression import Expression, is_plain, parse
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Scan, TableJoin
from transom.plan.nodes.windowed import Cut
from transom.plan.order import check_ordered
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.stamps import name_of
from transom.plan.relations.window_join import WindowJoin
from transom.plan.types.fields import spelled
from transom.plan.types.schema import Column as SchemaColumn
from transom.plan.types.schema import Schema

if TYPE_CHECKING:
    from transom.fluent.lengths import LengthLike
    from transom.fluent.relation import Relation
    from transom.spark.column_text import Column
    from transom.spark.frames.query_frame import DataFrame

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


TABLE = 'join("table", {"id": "INT"}, on="id")'


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

        if not isinstance(name, str) or not name:
            raise BadQuery("an alias is a name", given=repr(name), remedy='give text: alias("last")')
        return Aliased(self.plan, name)

    @overload
    def join(self, other: str, schema: Mapping[str, str], /, on: On, how: str = "inner") -> Self: ...

    @overload
    def join(self, other: Relation, on: On | None = None, how: str = "inner", *, timestamp: str | None = None) -> Relation: ...

    @overload
    def join(self, other: DataFrame, on: On, how: str = "inner", *, name: str = "static") -> Self: ...

    def join(self, other: Any, *arguments: Any, **named: Any) -> Any:
        """Join a static DataFrame or table, windows of any types, or streams whose timestamps a condition keeps together.

        `other` is a DataFrame that has an end, called `name` in a condition; the name of a table of Spark's, with its `schema`;
        or a stream, a window or a query of Transom. `on` is a condition, or the names of columns that both have. `how` is inner,
        left, semi or anti, and between streams and windows right or outer, too. `timestamp`, of a join of windows, is "min" or
        "max" of the joined rows', or "now", the instant at which they met.

        >>> import transom as tr
        >>> bid = tr.stream({"item": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> auction = tr.stream({"id": "BIGINT", "seller": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="auction")
        >>> met = bid.window(range="1 hour").join(auction.window(range=tr.rows(100)), on="bid.item = auction.id", timestamp="max")
        >>> met.select("price", "seller").sql()[-23:]
        'item = id TIMESTAMP MAX'
        >>> bid.join("items", {"item": "BIGINT", "title": "STRING"}, on="item").columns
        ['item', 'price', 'ts', 'title']
        """
        way = (
            self._join_table if isinstance(other, str) else self._join_relation if isinstance(other, Joined) else self._join_frame
        )
        return checked(way, "join")(other, *arguments, **named)

    def _join_frame(self, frame: DataFrame, on: On | None = None, how: str = "inner", *, name: str = "static") -> Relation:
        """A DataFrame as the static side; what has no end is a stream, and joined as one."""
        if not hasattr(frame, "isStreaming"):
            raise BadQuery(
                "a stream is joined with a DataFrame, a table by name and columns, or another stream",
                given=repr(frame)[:80],
                remedy=f'write join(df, on="id"), {TABLE} or join(stream, on="id")',
            )
        if frame.isStreaming:
            raise BadQuery(
                "a streaming DataFrame is no static side of a join",
                given=name,
                remedy='make it a stream, and put a window behind both: tr.stream(df, order_by="ts").window(range="1 hour")',
            )
        if on is None or (isinstance(on, list | tuple) and not on):
            raise BadQuery("a join with a table compares columns", given=f"join({name})", remedy='write join(df, on="id")')
        schema = {column: spelled(kind) for column, kind in frame.dtypes}
        return self._join_table(name, schema, on, how, frame)

    def _join_table(self, table: str, schema: Mapping[str, str], on: On, how: str = "inner", frame: Any = None) -> Relation:
        if not isinstance(schema, Mapping) or not table:
            raise BadQuery(
                "a table is joined by name and columns", given=f"join({table!r}, {schema!r}, ...)"[:80], remedy=f"write {TABLE}"
            )
        columns = tuple(SchemaColumn(name, checked_type(name, kind)) for name, kind in schema.items())
        side, kind = _kind(how)
        join = exp.Join(this=exp.to_table(table))
        text = _compared(join, on)
        stream = next(node.stream.name for node in self.plan.walk() if isinstance(node, Scan))
        using = tuple(column.name for column in join.args.get("using") or ())
        for name in using:
            self.plan.schema.find(name)
            Schema(columns).find(name, f"table {table!r}")
        both = Schema((*self.plan.schema.columns, *columns), self.plan.schema.hidden)
        condition = (
            Expression.of(" AND ".join(f"{stream}.{name} = {table}.{name}" for name in using), qualified=True)
            if using
            else Resolver(both, {stream: stream, table: table}, text).expression(join.args["on"])
        )
        return self._with(TableJoin(self.plan, table, columns, condition, kind or side or "INNER", using, frame))

    def _join_relation(
        self, other: Joined, on: On | None = None, how: str = "inner", *, timestamp: str | None = None
    ) -> Relation:
        side, kind = _kind(how)
        join = exp.Join(this=exp.to_table("joined"), side=side or None, kind=kind or None)
        text = _compared(join, on)
        if timestamp is not None:
            join.meta[STAMP] = timestamp.lower()
        nodes, names, before = self._so_far()
        nodes, names = (*nodes, other._side()), (*names, other._name())
        where = Resolver(Schema(()), {name: name for name in names}, text, known(text))
        made = joined_among(nodes, names, [*before, join], where)
        return self._windowed(made) if made.is_windowed else self._made(made)

    def _so_far(self, *, as_of: bool = False) -> SoFar:
        """What is joined so far."""
        if isinstance(self.plan, WindowJoin | AsOfJoin):
            return joined_so_far(self.plan, as_of=as_of)
        return (self._side(),), (self._name(),), []

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
        """Each tuple with the last one of the `other` stream, of the same keys, that is not after it; with `strict`, before it.

        `on` are columns that both have, or a condition of equal columns; `how` is inner or left; `within` is how old a match may
        be. Behind other joins it looks back from the stream whose columns the condition names, or else from the first.

        >>> import transom as tr
        >>> trade = tr.stream({"sym": "STRING", "n": "INT", "ts": "TIMESTAMP"}, order_by="ts", name="trade")
        >>> quote = tr.stream({"sym": "STRING", "bid": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="quote")
        >>> trade.asof_join(quote, on="sym", how="left", within="1 hour").select("sym", "n", "bid").sql()[-64:]
        'MATCH_CONDITION (trade.ts >= quote.ts) USING (sym) WITHIN 1 HOUR'
        """
        side, kind = _kind(how)
        if kind or side not in ("", "LEFT"):
            raise BadQuery("an as-of join is inner or left", given=f"how={how!r}", exists=["inner", "left"], remedy="use one")
        plan_of("asof_join", other)
        before, called, joins = self._so_far(as_of=True)
        nodes, names = (*before, other._side()), (*called, other._name())
        for node in nodes:
            check_ordered(node, "an as-of join", handed_over=True)
        join = exp.Join(this=exp.to_table("joined"), method="ASOF", side=side or None)
        text = _compared(join, on)
        back = looks_back_from(join, called, joins)
        times = [exp.column(str(nodes[n].time_attribute), table=names[n]) for n in (back, -1)]
        join.set("match_condition", (exp.GT if strict else exp.GTE)(this=times[0], expression=times[1]))
        if within is not None:
            join.meta[WITHIN] = length_of("within", within)
        where = Resolver(Schema(()), {name: name for name in names}, text, known(text))
        made = joined_among(nodes, names, [*joins, join], where)
        return self._windowed(made) if made.is_windowed else self._made(made)


def _kind(how: str) -> tuple[str, str]:
    kind = KINDS.get(str(how).lower().replace("_", ""))
    if kind is None:
        raise BadQuery("this is no kind of join", given=f"how={how!r}", exists=sorted(KINDS), remedy="use one of those")
    return kind


def _compared(join: exp.Join, on: On | None) -> str:
    """What a join compares, set into its syntax tree; the text of it."""
    given: list[Any] = [] if on is None else list(on) if isinstance(on, list | tuple) else [on]
    if any(not isinstance(one, str) and not is_column(one) for one in given):
        raise BadQuery("a join compares columns", given=f"on={on!r}", remedy='give their names, or a condition: on="a.k = b.k"')
    texts = [operand(one) for one in given]
    if texts and all(isinstance(one, str) and is_plain(one) for one in given):
        join.set("using", [exp.to_identifier(text) for text in texts])
    elif texts:
        join.set("on", exp.and_(*(parse(text).copy() for text in texts)))
    return " AND ".join(texts)
