"""How far apart the timestamps of joined streams can be, as their conditions bound it: from an interval join to RANGE windows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

from sqlglot import exp

from transom.errors import TransomError
from transom.plan.relations.naming import Naming
from transom.plan.types.schema import unit_of_type
from transom.semantics.length import Number, Unit, measure
from transom.semantics.time import Duration, parse_duration
from transom.semantics.windows.every_instant import EveryInstant

Place = tuple[int, Number]
"""The timestamp of an input, and what is added to it."""


@dataclass(frozen=True)
class Distances:
    """`most[i, j]` is the largest that the timestamp of input i less that of input j can be, or infinite."""

    naming: Naming
    most: dict[tuple[int, int], Number]

    @staticmethod
    def of(naming: Naming, terms: Iterable[exp.Expr]) -> Distances:
        """From the conditions that all hold for a match: each bounds a difference, and so do chains of them."""
        sides = range(len(naming.inputs))
        most: dict[tuple[int, int], Number] = {(i, j): 0 if i == j else math.inf for i in sides for j in sides}
        for term in terms:
            for i, j, bound, _ in bounds_of(term.unnest(), naming):
                most[i, j] = min(most[i, j], bound)
        for via in sides:
            for i in sides:
                for j in sides:
                    most[i, j] = min(most[i, j], most[i, via] + most[via, j])
        return Distances(naming, most)

    def unbounded(self) -> tuple[int, int] | None:
        """Two inputs that may be any distance apart."""
        sides = range(len(self.naming.inputs))
        return next((pair for pair in permutations(sides, 2) if math.inf in (self.most[pair], self.most[pair[::-1]])), None)

    def window(self, side: int) -> EveryInstant:
        """The window of an input: as long as the latest match of a tuple may come after it, that instant included."""
        others = (n for n in range(len(self.naming.inputs)) if n != side)
        reach = max(0, *(self.most[other, side] for other in others)) + 1
        time = str(self.naming.inputs[side].time_attribute)
        column = self.naming.inputs[side].schema.find(time)
        length = Duration(int(reach)) if unit_of_type(column) is Unit.TIME else _plain(reach)
        return EveryInstant(range=length, wattr=column.name)


def _plain(number: Number) -> int | float | Decimal:
    """A number as a length: fractions come from decimals."""
    return Decimal(number.numerator) / Decimal(number.denominator) if isinstance(number, Fraction) else number


def bounds_of(term: exp.Expr, naming: Naming) -> Iterator[tuple[int, int, Number, bool]]:
    """What a condition says of differences: (i, j, c, strictly) for t_i - t_j <= c, or < c."""
    if isinstance(term, exp.Between):
        yield from _at_most(term.args["low"], term.this, naming)
        yield from _at_most(term.this, term.args["high"], naming)
    elif isinstance(term, exp.LTE | exp.LT):
        yield from _at_most(term.this, term.expression, naming, strictly=isinstance(term, exp.LT))
    elif isinstance(term, exp.GTE | exp.GT):
        yield from _at_most(term.expression, term.this, naming, strictly=isinstance(term, exp.GT))
    elif isinstance(term, exp.EQ):
        yield from _at_most(term.this, term.expression, naming)
        yield from _at_most(term.expression, term.this, naming)


def _at_most(
    lower: exp.Expr, upper: exp.Expr, naming: Naming, *, strictly: bool = False
) -> Iterator[tuple[int, int, Number, bool]]:
    one, other = _place(lower, naming), _place(upper, naming)
    if one is not None and other is not None and one[0] != other[0]:
        yield one[0], other[0], other[1] - one[1], strictly


def _place(tree: exp.Expr, naming: Naming) -> Place | None:
    """A timestamp of an input with a constant added; None of anything else."""
    tree = tree.unnest()
    if isinstance(tree, exp.Add | exp.Sub):
        place, length = _place(tree.this, naming), _length(tree.expression)
        if place is None and isinstance(tree, exp.Add):
            place, length = _place(tree.expression, naming), _length(tree.this)
        if place is None or length is None:
            return None
        return place[0], place[1] + (length if isinstance(tree, exp.Add) else -length)
    if not isinstance(tree, exp.Column):
        return None
    for side, node in enumerate(naming.inputs):
        if tree.name in (naming.owners.get((side, time.lower())) for time in node.timestamps):
            return side, 0
    return None


def _length(tree: exp.Expr) -> Number | None:
    """A constant: an interval in microseconds, or a number."""
    tree = tree.unnest()
    if isinstance(tree, exp.Neg):
        length = _length(tree.this)
        return None if length is None else -length
    try:
        if isinstance(tree, exp.Interval):
            value = tree.this.unnest() if tree.this is not None else None
            sign, value = ("-", value.this) if isinstance(value, exp.Neg) else ("", value)
            unit = tree.args.get("unit")
            text = "" if value is None else f"{sign}{value.name or value.sql()}"
            return parse_duration(text if unit is None else f"{text} {unit.name}").micros
        if isinstance(tree, exp.Literal) and not tree.is_string:
            return measure(int(tree.name) if tree.is_int else Decimal(tree.name))
    except (TransomError, ArithmeticError):
        return None
    return None
