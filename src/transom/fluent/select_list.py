"""Select lists: names, expressions and Columns over the columns that there are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from transom.errors import BadExpression, BadQuery
from transom.fluent.functions.aggregated import Aggregated, Framed, aggregated, is_column, known_to, operand, text_over
from transom.fluent.functions.frames import check_one_aggregate
from transom.fluent.python_aggregates import known
from transom.fluent.verbs.scope import resolved
from transom.plan.expression import Expression, parse
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter
from transom.plan.nodes.windowed import Frame
from transom.plan.quoted import unquoted
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.window_join import WindowJoin
from transom.plan.types.user_calls import fitted

if TYPE_CHECKING:
    from transom.spark.column_text import Column

    Item = str | Aggregated | Frame | Column
    """What stands under a name in `select` and `agg`: an expression as text or Column, an aggregate, or one over a frame."""
    Unnamed = str | Aggregated | Column
    """What stands in `select` and `agg` without one: the name of a column, or what has an alias."""
    Condition = str | Aggregated | Column

Chosen = tuple[tuple[str, Expression | Frame], ...]


def checked(value: Condition, plan: Node, extra: Sequence[str] = (), called: Sequence[str] = ()) -> Expression:
    """An expression over the columns of a plan. A text that is the name of a column is that column."""
    names = [column.name for column in (*plan.schema.columns, *plan.schema.hidden)]
    one: Any = aggregated(value) if is_column(value) else value  # type: ignore[arg-type]
    if isinstance(one, Aggregated):
        text = text_over(one, names)
        return resolved(parse(text), text, plan, called=called, aggregates=known_to(one, known(one.form)), extra=extra)
    if not isinstance(value, str):
        raise BadQuery(
            "an expression is SQL text, a PySpark Column, or one of Transom's functions",
            given=repr(value),
            remedy='write "speed * 2", F.col("speed") * 2 or tr.max("speed")',
        )
    same = next((name for name in names if name.lower() in (value.lower(), unquoted(value).lower())), None)
    if same is not None:
        return named(same)
    return resolved(parse(value), value, plan, called=called, aggregates=known(value), extra=extra)


def ordering(value: Condition, plan: Node) -> Expression:
    """What rows are ordered by: an expression, and which way."""
    if isinstance(value, str) and value.lower() in (name.lower() for name in plan.schema.names):
        return checked(value, plan)
    text = value if isinstance(value, Aggregated) else operand(value)
    order = parse(f"SELECT 1 ORDER BY {text}").args.get("order")
    if order is None or len(order.expressions) != 1:
        raise BadQuery("rows are ordered by one thing after the other", given=repr(value), remedy="give each by itself")
    tree = order.expressions[0].copy()
    for node in tree.walk():
        node.meta.pop("start", None)  # which counts from the SELECT
    if not tree.find(exp.Column):
        raise BadQuery("rows are ordered by columns", given=repr(value), remedy='name them: "hi DESC"')
    return resolved(tree, str(text), plan, aggregates={})


def orderings(values: Sequence[Condition], ascending: bool | Sequence[bool], plan: Node) -> tuple[Expression, ...]:
    """What rows are ordered by, one after the other; `ascending` is PySpark's."""
    ways = [ascending] * len(values) if isinstance(ascending, bool) else ascending
    if not isinstance(ways, list | tuple) or len(ways) != len(values):
        raise BadQuery(
            "ascending says of each column which way", given=f"ascending={ascending!r}", remedy=f"give {len(values)} of them"
        )
    if not values:
        raise BadQuery("rows are ordered by something", given="no columns", remedy='name them: "hi DESC"')
    made = [ordering(value, plan) for value in values]
    return tuple(one if up else _descending(one) for one, up in zip(made, ways, strict=True))


def _descending(order: Expression) -> Expression:
    if re.search(r"\s(ASC|DESC|NULLS (FIRST|LAST))$", order.text, re.IGNORECASE):
        raise BadQuery("a column has one direction", given=f"{order.text}, ascending=False", remedy="leave one of them out")
    return Expression.of(exp.Ordered(this=order.tree, desc=True))


def flat(given: Sequence[Any]) -> list[Any]:
    """What is given one by one, or in lists."""
    return [one for each in given for one in (each if isinstance(each, list | tuple) else [each])]


def named(name: str) -> Expression:
    """A column as an expression, quoted if its name needs it."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", name) is not None
    return Expression.of(name if plain else exp.column(name, quoted=True))


def with_name(value: Column | Aggregated) -> tuple[str, Aggregated]:
    """The name that something gives itself: its alias, or that of a column that it is."""
    one: Any = aggregated(value) if is_column(value) else value  # type: ignore[arg-type]
    if isinstance(one, Aggregated):
        tree = one.expression.tree
        name = one.name or (tree.name if isinstance(tree, exp.Column) else None)
        if name is not None:
            return str(name), one
    elif not isinstance(one, Frame):
        raise BadQuery(
            "columns are given by name, or as PySpark Columns",
            given=repr(value)[:80],
            remedy='write "speed" or F.col("speed"), and what is computed as hi=tr.max("speed")',
        )
    raise BadQuery(
        "what is computed is given a name",
        given=repr(value),
        remedy='write agg(hi=tr.max("speed")), or give it an alias: tr.max("speed").alias("hi")',
    )


def select_list(plan: Node, columns: Sequence[Unnamed], items: Mapping[str, Item], called: Sequence[str] = ()) -> Chosen:
    """Names and what they are."""
    chosen: list[tuple[str, Expression | Frame]] = []
    for column in columns:
        if isinstance(column, str):
            chosen += by_name(column, plan, called)
        else:
            name, computed = with_name(column)
            chosen.append((name, checked(computed, plan, called=called)))
    for name, item in items.items():
        chosen.append((name, _framed(item, plan, called) if isinstance(item, Frame) else checked(item, plan, called=called)))
    chosen = _apart(chosen)
    lower = [name.lower() for name, _ in chosen]
    if len(set(lower)) < len(lower):
        twice = next(name for name, _ in chosen if lower.count(name.lower()) > 1)
        raise BadQuery(
            f"two columns are called {twice!r}",
            given=", ".join(name for name, _ in chosen),
            remedy="rename one; the columns of group_by come first by themselves",
        )
    return tuple(chosen)


def _apart(chosen: list[tuple[str, Expression | Frame]]) -> list[tuple[str, Expression | Frame]]:
    """Of `o.id` and `s.id` in one list each keeps its relation in its name."""
    lower = [name.lower() for name, _ in chosen]

    def whole(name: str, item: Expression | Frame) -> str:
        own = item.tree.name if isinstance(item, Expression) and isinstance(item.tree, exp.Column) else name
        return str(own) if lower.count(name.lower()) > 1 and own.lower().endswith(f".{name.lower()}") else name

    return [(whole(name, item), item) for name, item in chosen]


def by_name(column: str, plan: Node, called: Sequence[str] = ()) -> list[tuple[str, Expression]]:
    """What a text without a name of its own selects: all columns, one, or a field of a struct under the field's name."""
    if column == "*":
        return [(name, named(name)) for name in plan.schema.names]
    names = [one.name.lower() for one in (*plan.schema.columns, *plan.schema.hidden)]
    tree = None if {column.lower(), unquoted(column).lower()} & set(names) else _read(column)
    if isinstance(tree, exp.Column) and tree.table:
        return [(tree.name, checked(column, plan, called=called))]
    if tree is not None and not isinstance(tree, exp.Column):
        computed = tree.unalias().sql("spark")
        raise BadQuery("what is computed is given a name", given=column, remedy=f"write it as a keyword: name={computed!r}")
    name = plan.schema.find(column if column.lower() in names else unquoted(column)).name
    return [(_own_name(plan, name), named(name))]


def _own_name(plan: Node, name: str) -> str:
    """What the column of an input that others have too is called there: `o.id` is selected as `id`, as in SQL."""
    join = next((one for one in plan.chain() if not isinstance(one, Filter)), plan)
    owners = join.owners if isinstance(join, WindowJoin | AsOfJoin) else {}
    own = next((there for (_, there), here in owners.items() if here == name), name)
    return name.rpartition(".")[2] if own.lower() == name.rpartition(".")[2].lower() else name


def _read(text: str) -> exp.Expr | None:
    """A text as an expression; None if it is none."""
    try:
        return parse(text)
    except BadExpression:
        return None


def _framed(frame: Frame, plan: Node, called: Sequence[str]) -> Frame:
    if isinstance(frame, Framed):
        plain: dict[str, Any] = {field.name: getattr(frame, field.name) for field in fields(Frame)}
        return Frame(**plain | {"aggregate": check_one_aggregate(checked(frame.said, plan, called=called))})
    return replace(frame, aggregate=fitted(frame.aggregate, plan.schema))


def expressions(items: Chosen) -> tuple[tuple[str, Expression], ...]:
    """A select list without frames."""
    frames = [name for name, item in items if isinstance(item, Frame)]
    if frames:
        raise BadQuery("OVER frames do not stand in agg", given=", ".join(frames), remedy="use select on the stream")
    return tuple((name, item) for name, item in items if isinstance(item, Expression))
