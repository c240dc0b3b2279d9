"""A join distributes over projection: its inputs keep the columns that its conditions and what stands above it need.

Columns that several inputs have stay with all of them: the name that a join gives a column depends on who else has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter, Project, Scan
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.relations.window_join import WindowJoin
from transom.rules.projection_past_window import used_by, window_columns
from transom.rules.relations.everywhere import rewrite_relations
from transom.rules.walk import asks_for_late, below_filters, names_row_numbers, over


def projection_past_join(plan: Node) -> Node:
    """Keep only the columns that are used, below the window of each input; late tuples keep all columns."""
    return plan if asks_for_late(plan) or names_row_numbers(plan) else rewrite_relations(plan, _here)


def _here(node: Node) -> Node | None:
    """Below a select list or an aggregate, which name what they use, and conditions."""
    if not isinstance(node, Aggregate | Project):
        return None
    above, below = below_filters(node)
    if not isinstance(below, WindowJoin):
        return None
    used = {*used_by(node), *(name for one in above for name in one.condition.columns)}
    used |= {name for step in below.steps for name in step.condition.columns}
    sides = tuple(_narrow(below, side, used) for side in range(len(below.sides)))
    if sides == below.sides:
        return None
    return over(node, above, replace(below, sides=sides))


def _narrow(join: WindowJoin, side: int, used: set[str]) -> Node:
    """An input with the columns that are used, if it is the window of a stream that is read, and conditions on it."""
    cut = next(iter(_window_of(join.sides[side])), None)
    if cut is None:
        return join.sides[side]
    here = {name.lower() for name in used}
    needed = {there for (of, there), name in join.owners.items() if of == side and name.lower() in here}
    needed |= {name.lower() for name in window_columns(cut)} | join.naming.shared
    needed |= {name.lower() for name in _conditions(join.sides[side])}
    columns = cut.input.schema.columns
    beside = ((n, name) for n, one in enumerate(join.sides) if n != side for name in one.schema.names)
    others = {join.naming.written(n, name)[1].lower() for n, name in beside}
    kept = [column.name for column in columns if column.name.lower() in needed | others]
    if len(kept) == len(columns):
        return join.sides[side]
    items = tuple((name, Expression.of(exp.column(name, quoted=True))) for name in kept)
    return _with(join.sides[side], replace(cut, input=Project(cut.input, items)))


def _window_of(node: Node) -> Iterator[Cut]:
    while isinstance(node, Filter):
        node = node.input
    if isinstance(node, Cut) and isinstance(node.input, Scan | Filter) and node.input.time_attribute is not None:
        yield node


def _conditions(node: Node) -> Iterator[str]:
    while isinstance(node, Filter):
        yield from node.condition.columns
        node = node.input


def _with(node: Node, cut: Cut) -> Node:
    return replace(node, input=_with(node.input, cut)) if isinstance(node, Filter) else cut
