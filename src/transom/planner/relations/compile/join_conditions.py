"""The condition of a join: equal columns, bounds on the distance of two timestamps, and the rest."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.distances import bounds_of
from transom.plan.relations.equalities import terms_of
from transom.plan.relations.naming import Naming
from transom.plan.relations.window_join import WindowJoin
from transom.semantics.classes.measured import base_of


def conditions(node: WindowJoin, side: int) -> tuple[list[tuple[str, str]], int | None, int | None, list[str]]:
    """The condition of a step: equal columns, how far the timestamp of the right row may be from that of the left one (at least
    and at most), and the rest."""
    equal = set(node.equalities[side - 1])
    streams = Naming(tuple(map(_stream_below, node.sides)), node.names, node.using)
    least: int | None = None
    most: int | None = None
    rest: list[str] = []
    for term in (term.unnest() for term in terms_of(node.steps[side - 1].condition.tree)):
        columns = [column.name for column in term.find_all(exp.Column)]
        if isinstance(term, exp.EQ) and len(columns) == 2 and equal & {tuple(columns), tuple(reversed(columns))}:
            continue
        bounds = list(bounds_of(term, streams))
        wanted = 2 if isinstance(term, exp.Between | exp.EQ) else 1
        if side == 1 and len(bounds) == wanted and all(Fraction(c).denominator == 1 for _, _, c, _ in bounds):
            for i, _, c, strictly in bounds:
                limit = int(c) - strictly
                if i == 1:  # right less left is at most c
                    most = limit if most is None else min(most, limit)
                else:
                    least = -limit if least is None else max(least, -limit)
        elif not (isinstance(term, exp.Boolean) and term.this):
            rest.append(term.sql(dialect="spark"))
    pairs = [(one, other) for one, other in node.equalities[side - 1]]
    return pairs, least, most, rest


def needed_above(node: WindowJoin) -> frozenset[str] | None:
    """The columns of a join that are needed once its first step is done, in lower case; None for all.

    Columns that the first step compares for equality, and timestamps that it bounds, have served there.
    """
    if node.used is None:
        return None
    needed = {*node.used, *(here.lower() for (_, name), here in node.owners.items() if name in node.naming.shared)}
    for n in range(1, len(node.sides)):
        equal, _, _, rest = conditions(node, n)
        needed |= {name.lower() for text in rest for name in Expression(text).columns}
        if n > 1:
            needed |= {name.lower() for pair in equal for name in pair}
    return frozenset(needed)


def _stream_below(node: Node) -> Node:
    """The stream that a window is on, where it is measured by the stream's own timestamps."""
    measured = isinstance(node, Cut) and base_of(node.window).attribute == node.input.time_attribute
    return node.input if isinstance(node, Cut) and measured else node
