"""A join distributes over selection: a condition on one input is applied to its states before they are joined.

The condition stands above the input's window, where any window allows it. Whether it can go on to below the window is the
question of `selection_past_window`, and in a query that reports the relation at each instant it cannot: fewer tuples
would mean fewer instants.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter
from transom.plan.relations.equalities import terms_of
from transom.plan.relations.window_join import WindowJoin
from transom.rules.relations.everywhere import rewrite_relations


def selection_past_join(plan: Node) -> Node:
    """Filter what is joined: fewer rows to match and to keep."""
    return rewrite_relations(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, Filter) or not isinstance(node.input, WindowJoin):
        return None
    join = node.input
    terms = terms_of(node.condition.tree)
    placed = [(term, _side_of(term, join)) for term in terms]
    if all(side is None for _, side in placed):
        return None
    sides = list(join.sides)
    for term, side in placed:
        if side is not None:
            sides[side] = Filter(sides[side], _for_side(term, side, join))
    made: Node = replace(join, sides=tuple(sides))
    rest = [term for term, side in placed if side is None]
    return Filter(made, Expression.of(exp.and_(*rest))) if rest else made


def _side_of(term: exp.Expr, join: WindowJoin) -> int | None:
    """The one input whose rows decide a condition, if they decide it before the join as well as after it."""
    sides = {side for column in term.find_all(exp.Column) for side in [_owner(column.name, join)]}
    if len(sides) != 1 or None in sides:
        return None
    side = sides.pop()
    return side if side is not None and _is_never_padded(side, join) else None


def _owner(name: str, join: WindowJoin) -> int | None:
    """The input of a column; none of those that are the join's own: its timestamps, and columns that USING makes one of two."""
    if name.lower() in join.naming.shared:
        return None
    return next((side for (side, _), here in join.owners.items() if here == name), None)


def _is_never_padded(side: int, join: WindowJoin) -> bool:
    """Outer joins put NULLs for rows that have no match, which a condition on the side would see only after the join."""
    own = side == 0 or join.steps[side - 1].kind in ("INNER", "RIGHT")
    later = join.steps[side:] if side else join.steps
    kept = all(step.kind in ("INNER", "LEFT", "SEMI", "ANTI") for step in later)
    return own and kept and (side == 0 or join.steps[side - 1].kind != "RIGHT" or len(join.sides) == 2)


def _for_side(term: exp.Expr, side: int, join: WindowJoin) -> Expression:
    there = {here: name for (of, name), here in join.owners.items() if of == side}
    schema = join.sides[side].schema
    return Expression.of(
        term.copy().transform(
            lambda node: exp.column(schema.find(there[node.name]).name, quoted=True) if isinstance(node, exp.Column) else node
        )
    )
