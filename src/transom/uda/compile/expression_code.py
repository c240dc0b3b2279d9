"""Expressions as Python syntax: plain arithmetic, with checks for NULL only where an operand can be NULL."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from transom.uda.analyse.layout import Layout
from transom.uda.analyse.nullable import Nullable
from transom.uda.analyse.steady import is_natural, is_positive
from transom.uda.analyse.wild import Wild
from transom.uda.bind.functions import CASTS, COMPARISONS, FUNCTIONS, contains, greatest, least, remainder
from transom.uda.compile import code
from transom.uda.definition import INWINDOW, OTHER
from transom.uda.ir import (
    AggregateValue,
    Arg,
    BoundVersion,
    Const,
    Exists,
    Expr,
    Field,
    InQuery,
    Newest,
    Oldest,
    Op,
    Scalar,
    SelectQuery,
    Source,
    everything,
)

_ARITHMETIC: dict[str, type[ast.operator]] = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.Div}

_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "eq": ast.Eq,
    "ne": ast.NotEq,
    "lt": ast.Lt,
    "le": ast.LtE,
    "gt": ast.Gt,
    "ge": ast.GtE,
}

_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}

_BY_CALL = {f"call:{kind.__name__}": function for kind, function in FUNCTIONS.items()}


class ExpressionWriter:
    """Writes the expressions of a version. `careful` code expects NULLs and NaNs in the arguments, other code does not."""

    def __init__(self, version: BoundVersion, layout: Layout, *, careful: bool) -> None:
        self.version, self.layout, self.careful = version, layout, careful
        self.nullable = Nullable(version, arguments=careful, deletes=layout.loses_newest)
        self.wild = Wild(version)
        self.block: list[ast.stmt] = []
        self.given: dict[str, Any] = {}
        self.query: SelectQuery | None = None
        self.aggregated: list[str] = []
        self.keys: dict[Expr, str] = {}
        self.shared: dict[Expr, str] = {}
        self.row_names: dict[int, str] = {}
        self.oldest: str | None = None
        self.newest = {
            part.source.number for each in version.statements() for part in everything(each) if isinstance(part, Newest)
        }
        self._temporaries = 0

    def can_be_odd(self, *values: Expr) -> bool:
        """Whether one of them can be NaN: any double in careful code, and what the body itself computes."""
        return any(value.kind == "double" and (self.careful or self.wild.of(value)) for value in values)

    def temporary(self) -> str:
        self._temporaries += 1
        return f"_{self._temporaries}"

    def hand_over(self, label: str, value: Any) -> ast.expr:
        """An object that the code uses, under a name of ours."""
        self.given[label] = value
        return code.name(label)

    @contextmanager
    def inside(self, block: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
        """Write into another block."""
        outer, self.block = self.block, block
        yield block
        self.block = outer

    def can_be_null(self, expr: Expr) -> bool:
        return self.nullable.of(expr, None if expr in self.keys else self.query)

    # -- values ----------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> ast.expr:
        """A value; None is NULL."""
        if expr in self.keys:
            return code.name(self.keys[expr])
        if expr in self.shared:
            return code.name(self.shared[expr])
        if isinstance(expr, Const):
            return self._constant(expr.value)
        if isinstance(expr, Arg):
            return code.name(f"x{expr.index}")
        if isinstance(expr, Field):
            return self._field(expr)
        if isinstance(expr, Oldest):
            return self._oldest(expr)
        if isinstance(expr, AggregateValue):
            return code.name(self.aggregated[expr.index])
        if isinstance(expr, Scalar):
            return self._scalar(expr.query)
        if expr.kind == "boolean" and not ((isinstance(expr, Op) and expr.name in ("case", "coalesce")) or _is_call(expr)):
            return self._three_valued(expr)
        assert isinstance(expr, Op)
        return self._op(expr)

    def _constant(self, value: Any) -> ast.expr:
        if isinstance(value, Decimal):
            return self.hand_over(f"d{len(self.given)}", value)
        return code.const(value)

    def _field(self, expr: Field) -> ast.expr:
        table = expr.source.table
        if table.where in ("local", OTHER) and table.index in self.layout.variables:
            return code.name(f"{'v' if table.where == 'local' else 'o'}{table.index}_{expr.column}")
        row = self.row_name(expr.source)
        if table.where == INWINDOW and len(table.columns) == 1:
            return code.name(row)
        return code.item(row, expr.column)

    def row_name(self, source: Source) -> str:
        """The variable that holds the row a source stands at."""
        return self.row_names.get(source.number, f"r{source.number}")

    def _oldest(self, expr: Oldest) -> ast.expr:
        single = len(self.version.inwindow.columns) == 1
        if self.oldest is not None:
            return code.name(self.oldest) if single else code.item(self.oldest, expr.column)
        first: ast.expr = code.item("w", 0) if single else code.item(code.item("w", 0), expr.column)
        return code.choose(code.name("w"), first, code.const(None)) if self.layout.loses_newest else first

    def _three_valued(self, expr: Expr) -> ast.expr:
        if not self.can_be_null(expr):
            return self.truth(expr)
        return code.choose(
            self.truth(expr), code.const(True), code.choose(self.falsity(expr), code.const(False), code.const(None))
        )

    def _guarded(self, args: tuple[Expr, ...]) -> tuple[list[ast.expr], list[ast.expr]]:
        """Tests that operands are not NULL, and the operands."""
        tests, operands = [], []
        for arg in args:
            made = self.value(arg)
            if self.can_be_null(arg):
                if isinstance(made, ast.Name):
                    tests.append(code.not_none(made))
                else:
                    kept = self.temporary()
                    tests.append(code.not_none(ast.NamedExpr(code.stored(kept), made)))
                    made = code.name(kept)
            operands.append(made)
        return tests, operands

    def _op(self, expr: Op) -> ast.expr:
        if expr.name == "case":
            made = self.value(expr.args[-1])
            for condition, value in reversed(list(zip(expr.args[:-1:2], expr.args[1:-1:2], strict=True))):
                made = code.choose(self.truth(condition), self.value(value), made)
            return made
        if expr.name == "coalesce":
            return self._coalesce(expr.args)
        if expr.name in ("call:Greatest", "call:Least"):
            return self._extreme(expr)
        tests, operands = self._guarded(expr.args)
        made = self._applied(expr, operands)
        return code.choose(code.both(tests), made, code.const(None)) if tests else made

    def _extreme(self, expr: Op) -> ast.expr:
        """The first of the greatest or least values."""
        values = list(map(self.value, expr.args))
        greatest_one = expr.name == "call:Greatest"
        if self.can_be_odd(*expr.args) or any(map(self.can_be_null, expr.args)):
            function = greatest if greatest_one else least
            return code.call(self.hand_over(function.__name__, function), *values)
        better: ast.cmpop = ast.GtE() if greatest_one else ast.LtE()
        made = values[0]
        for value in values[1:]:
            (left, known), (right, new) = self._named(made), self._named(value)
            made = code.choose(code.compare(left, better, right), known, new)
        return made

    def _named(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """A value where it is computed, and where it is used again."""
        if isinstance(value, ast.Name | ast.Constant):
            return value, value
        kept = self.temporary()
        return ast.NamedExpr(code.stored(kept), value), code.name(kept)

    def _applied(self, expr: Op, operands: list[ast.expr]) -> ast.expr:
        if expr.name in _ARITHMETIC:
            return code.binary(operands[0], _ARITHMETIC[expr.name](), operands[1])
        if expr.name == "neg":
            return ast.UnaryOp(ast.USub(), operands[0])
        if expr.name == "mod" and expr.kind == "int" and is_positive(expr.args[1]):
            return self._remainder(operands, expr.args[0])
        if expr.name == "mod":
            return code.call(self.hand_over("remainder", remainder), *operands)
        if expr.name.startswith("cast:"):
            _, source, target = expr.name.split(":")
            if target == "double":
                return code.call("float", *operands)
            return code.call(self.hand_over(f"cast_{source}_{target}", CASTS[source, target]), *operands)
        if expr.name == "call:Abs":
            return code.call("abs", *operands)
        return code.call(self.hand_over(expr.name.replace("call:", "f_"), _BY_CALL[expr.name].call), *operands)

    def _remainder(self, operands: list[ast.expr], dividend: Expr) -> ast.expr:
        """The remainder by a positive constant, with the sign of the dividend."""
        left, right = operands
        if is_natural(dividend):
            return code.binary(left, ast.Mod(), right)
        test, kept = self._named(left)
        return code.choose(code.compare(test, ast.GtE(), code.const(0)), *code.remainders(kept, right))

    def _coalesce(self, args: tuple[Expr, ...]) -> ast.expr:
        first, *rest = args
        if not rest or not self.can_be_null(first):
            return self.value(first)
        (test,), (kept,) = self._guarded((first,))
        return code.choose(test, kept, self._coalesce(tuple(rest)))

    # -- conditions ------------------------------------------------------------------------------------------

    def truth(self, expr: Expr) -> ast.expr:
        """Whether a condition is true: neither false nor NULL."""
        return self._decided(expr, True)

    def falsity(self, expr: Expr) -> ast.expr:
        """Whether a condition is false: neither true nor NULL."""
        return self._decided(expr, False)

    def _decided(self, expr: Expr, wanted: bool) -> ast.expr:
        if isinstance(expr, Newest):
            row = f"i{expr.source.number}"
            return code.compare(code.name(row), ast.Eq() if wanted else ast.NotEq(), code.name(f"last{expr.source.number}"))
        if isinstance(expr, Exists):
            exists = self._found(expr.query)
            return exists if wanted else code.negated(exists)
        if isinstance(expr, InQuery):
            options = self._listed(expr.query)
            found = code.call(self.hand_over("contains", contains), self.value(expr.value), options)
            return code.compare(found, ast.Is(), code.const(wanted))
        if isinstance(expr, Op) and expr not in self.keys:
            if expr.name == "not":
                return self._decided(expr.args[0], not wanted)
            if expr.name in ("and", "or"):
                together = code.both if (expr.name == "and") == wanted else code.either
                return together([self._decided(part, wanted) for part in expr.args])
            if expr.name == "isnull":
                return self._is_null(expr.args[0], wanted)
            if expr.name == "nseq":
                return self._null_safe(expr, wanted)
            if expr.name in _COMPARISONS:
                return self._compared(expr, wanted)
        made = self.value(expr)
        if not self.can_be_null(expr):
            return made if wanted else code.negated(made)
        return code.compare(made, ast.Is(), code.const(wanted))

    def _is_null(self, value: Expr, wanted: bool) -> ast.expr:
        if not self.can_be_null(value):
            return code.const(not wanted)
        made = self.value(value)
        return code.is_none(made) if wanted else code.not_none(made)

    def _null_safe(self, expr: Op, wanted: bool) -> ast.expr:
        left, right = map(self.value, expr.args)
        if self.can_be_odd(*expr.args):
            named = "eq" if wanted else "ne"
            return code.call(self.hand_over(f"sql_{named}", COMPARISONS[named]), left, right)
        return code.compare(left, ast.Eq() if wanted else ast.NotEq(), right)

    def _compared(self, expr: Op, wanted: bool) -> ast.expr:
        tests, (left, right) = self._guarded(expr.args)
        named = expr.name if wanted else _OPPOSITE[expr.name]
        made: ast.expr
        if self.can_be_odd(*expr.args):
            made = code.call(self.hand_over(f"sql_{named}", COMPARISONS[named]), left, right)
        else:
            made = code.compare(left, _COMPARISONS[named](), right)
        return code.both([*tests, made])

    # -- queries, written by a subclass ----------------------------------------------------------------------

    def _scalar(self, query: SelectQuery) -> ast.expr:
        raise NotImplementedError

    def _found(self, query: SelectQuery) -> ast.expr:
        raise NotImplementedError

    def _listed(self, query: SelectQuery) -> ast.expr:
        raise NotImplementedError


def _is_call(expr: Expr) -> bool:
    return isinstance(expr, Op) and (expr.name.startswith(("call:", "cast:")))
