"""Windows in groups, which aggregates make rows of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from transom.errors import BadQuery
from transom.fluent.select_list import by_name, checked, expressions, flat, select_list, with_name
from transom.fluent.showing import text_of
from transom.fluent.verbs.unknown import AGG, unknown
from transom.plan.expression import Expression
from transom.plan.grouping import keys_of
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Extend
from transom.plan.nodes.windowed import Aggregate

if TYPE_CHECKING:
    from transom.fluent.relation import Relation
    from transom.fluent.select_list import Condition, Item, Unnamed

    Group = Unnamed | Sequence[Unnamed]
    """What is grouped by: columns, one by one or in a list."""


@dataclass(frozen=True, repr=False)
class Grouped:
    """A window with its groups: call `agg`.

    >>> from transom import stream
    >>> traffic = stream({"seg_id": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tumble="5 minutes").group_by("seg_id")
    <Grouped by seg_id: SELECT * FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]>
    """

    plan: Node
    columns: tuple[str, ...]

    if not TYPE_CHECKING:  # type checkers know which methods there are

        def __getattr__(self, name: str) -> Any:
            raise unknown(self, name, self.__dict__.get("plan"))

    def __repr__(self) -> str:
        return f"<Grouped by {', '.join(self.columns) or 'nothing'}: {text_of(self.plan)}>"

    def agg(self, *unnamed: Unnamed, having: Condition | None = None, **items: Item) -> Relation:
        """Aggregates under their names, one row for each group: first its columns, then others by name, such as `window_end`.

        As in SQL, a result has the columns that are named: `window_start` and `window_end` where they are wanted. An aggregate
        has a name as a keyword or as an alias; `having` keeps the groups for which a condition is true.

        >>> import transom as tr
        >>> traffic = tr.stream({"seg_id": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> segments = traffic.window(tumble="5 minutes").group_by("seg_id")
        >>> segments.agg("window_end", tr.max("speed").alias("hi"), n=tr.count(), having="n > 2").schema.names
        ['seg_id', 'window_end', 'hi', 'n']
        """
        if not unnamed and not items:
            raise BadQuery("nothing is aggregated", given="agg()", remedy=AGG)
        chosen = expressions(select_list(self.plan, (*self.columns, *unnamed), items))
        extra = [name for name, _ in chosen]
        condition = None if having is None else checked(having, self.plan, extra)
        from transom.fluent.relation import Relation

        return Relation(Aggregate(self.plan, keys_of(self.columns, self.plan.schema), chosen, condition))


def grouped(plan: Node, columns: Sequence[Group]) -> Grouped:
    """A window in groups: columns by name, fields of structs under their own names, and computed ones."""
    keys: list[str] = []
    computed: list[tuple[str, Expression]] = []
    for column in flat(columns):
        name, expression = _group(column, plan)
        if isinstance(expression.tree, exp.Column) and expression.tree.name.lower() == name.lower():
            keys.append(plan.schema.find(name).name)
            continue
        if name.lower() in (column.name.lower() for column in (*plan.schema.columns, *plan.schema.hidden)):
            raise BadQuery(
                f"there is a column {name!r} already", given=repr(column), remedy="give what is grouped by another alias"
            )
        computed.append((name, expression))
        keys.append(name)
    return Grouped(Extend(plan, tuple(computed)) if computed else plan, tuple(dict.fromkeys(keys)))


def _group(column: Unnamed, plan: Node) -> tuple[str, Expression]:
    if isinstance(column, str) and column == "*":
        raise BadQuery("groups are of columns by name", given="*", remedy='write group_by("a", "b")')
    if isinstance(column, str):
        return by_name(column, plan)[0]
    name, item = with_name(column)
    return name, checked(item, plan)
