"""Sliding algebraic aggregates become panes of gcd(range, slide) (seed 000, section 5.2)."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from transom.plan.nodes.node import Node
from transom.plan.nodes.panes import PaneAggregate
from transom.plan.nodes.relational import Filter
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.types.algebra import holistic
from transom.rules.walk import rewrite
from transom.semantics.classes.measured import base_of
from transom.semantics.length import Length, Rows, measure
from transom.semantics.time import Duration
from transom.semantics.tuples import RowNum
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Window


def panes_by_gcd(plan: Node) -> Node:
    """Aggregate each pane once instead of each window anew."""
    return rewrite(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, Aggregate) or isinstance(node, PaneAggregate):
        return None
    below = node.input
    while isinstance(below, Filter):
        below = below.input
    width = pane_width(below.window) if isinstance(below, Cut) else None
    texts = [item for _, item in node.items] + ([node.having] if node.having is not None else [])
    if width is None or any(holistic(item) for item in texts):
        return None
    return PaneAggregate(node.input, node.group_by, node.items, node.having, width=width)


def pane_width(window: Window) -> Length | None:
    """gcd(range, slide), where windows overlap and the arithmetic is exact."""
    base = base_of(window)
    counted = isinstance(base, RowWindow) and isinstance(base.wattr, RowNum)
    if not (isinstance(base, Sliding) or counted):
        return None
    assert isinstance(base, Sliding | RowWindow)
    if (
        measure(base.slide) >= measure(base.range)
        or isinstance(measure(base.range), float)
        or isinstance(measure(base.slide), float)
    ):
        return None
    return common_width(base.range, base.slide)


def common_width(a: Length, b: Length) -> Length:
    """The greatest length that goes into both a whole number of times."""
    if isinstance(a, Duration) and isinstance(b, Duration):
        return Duration(math.gcd(a.micros, b.micros))
    if isinstance(a, Rows) and isinstance(b, Rows):
        return Rows(math.gcd(a.count, b.count))
    if isinstance(a, int) and isinstance(b, int):
        return math.gcd(a, b)
    x, y = Fraction(measure(a)), Fraction(measure(b))
    common = Fraction(math.gcd(x.numerator * y.denominator, y.numerator * x.denominator), x.denominator * y.denominator)
    return Decimal(common.numerator) / Decimal(common.denominator)
