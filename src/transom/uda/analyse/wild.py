"""Which doubles a body itself can turn into NaN or infinity, though its arguments have none: sums and products may overflow.

They are compared by SQL's rules, in which NaN equals itself and is the largest; all others as Python compares them.
"""

from __future__ import annotations

import math

from transom.uda.analyse.spread import spread
from transom.uda.definition import INWINDOW
from transom.uda.ir import Arg, BoundVersion, Const, Expr, Field, Oldest, Op

CHOOSING = ("coalesce", "call:Greatest", "call:Least", "neg", "call:Abs")
"""What gives one of its operands, but for the sign."""


class Wild:
    """The columns of tables that can hold such doubles."""

    def __init__(self, version: BoundVersion) -> None:
        self.version = version
        self.columns: set[tuple[int, int]] = set()
        spread(version, self.columns, lambda value, _: self.of(value))

    def of(self, expr: Expr) -> bool:
        """Whether a value can be such a double."""
        if expr.kind != "double" or isinstance(expr, Arg | Oldest):
            return False
        if isinstance(expr, Const):
            return isinstance(expr.value, float) and not math.isfinite(expr.value)
        if isinstance(expr, Field):
            table = expr.source.table
            return table.where == "static" or (table.where != INWINDOW and (table.index, expr.column) in self.columns)
        if isinstance(expr, Op) and expr.name == "case":
            return any(map(self.of, (*expr.args[1:-1:2], expr.args[-1])))
        if isinstance(expr, Op) and expr.name in CHOOSING:
            return any(map(self.of, expr.args))
        return True
