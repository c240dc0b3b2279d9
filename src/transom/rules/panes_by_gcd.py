"""Algebraic aggregates are computed once for each pane, and combined for each window (seed 000, section 5.2).

A pane is as wide as the greatest length that goes into RANGE and SLIDE: no window begins or ends inside one. Widths are
decided here; `share_panes` narrows them for several windows, and `planner/spec_of.py` does without panes where the types of
columns allow no partials.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from functools import partial, reduce

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, TableJoin
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.panes import PaneAggregate, Together
from transom.plan.types.algebraic import without_partials
from transom.plan.types.schema import Schema
from transom.rules.walk import numbers_rows, rewrite
from transom.semantics.classes.measured import base_of
from transom.semantics.length import Length, Rows, measure
from transom.semantics.sql_type import SqlType
from transom.semantics.time import Duration
from transom.semantics.tuples import RowNum
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.window import Window
from transom.windowing.policy_window import PolicyWindow


def panes_by_gcd(plan: Node) -> Node:
    """Aggregate each pane once instead of each window anew. Windows that run together share even panes of a single place."""
    return rewrite(plan, partial(_here, narrow=isinstance(plan, Together)))


def _here(node: Node, *, narrow: bool) -> Node | None:
    if not isinstance(node, Aggregate) or isinstance(node, PaneAggregate):
        return None
    cut = node.input
    while isinstance(cut, Filter | Extend | TableJoin | Derived):
        cut = cut.input
    if not isinstance(cut, Cut) or cut.timestamp != "instant" or numbers_rows(node):
        return None
    texts = [item for _, item in node.items] + ([node.having] if node.having is not None else [])
    if any(without_partials(item, node.input.schema) for item in texts):
        return None
    width = pane_width(cut.window, cut.input.schema)
    if width is None or not (narrow or _holds_several(width, cut)):
        return None
    return PaneAggregate(node.input, node.group_by, node.items, node.having, width=width)


def pane_width(window: Window, schema: Schema) -> Length | None:
    """The greatest length that goes into all lengths of a window, where its windows share edges and the arithmetic is exact."""
    base = base_of(window)
    if isinstance(base, PolicyWindow):
        return base.pane
    if isinstance(base, RowWindow):
        return Rows(math.gcd(base.range.count, base.slide.count)) if isinstance(base.wattr, RowNum) else None
    if base.attribute is None or SqlType.of(schema.find(base.attribute).type).is_floating:
        return None
    lengths = base.edge_lengths
    if not lengths or any(isinstance(measure(length), float) for length in lengths):
        return None
    return reduce(common_width, lengths)


def _holds_several(width: Length, cut: Cut) -> bool:
    """Whether a pane holds more than one value of the attribute, or more than one row: else it is a tuple by another name."""
    base = base_of(cut.window)
    if isinstance(base, PolicyWindow):
        return True
    digits = None if isinstance(base, RowWindow) else SqlType.of(cut.input.schema.find(str(base.attribute)).type).digits
    return Fraction(measure(width)) > Fraction(1, 10 ** (digits or 0))


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
