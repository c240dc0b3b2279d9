"""Operators: arithmetic, comparisons, logic."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import NotSupported, TypeMismatch
from transom.uda.bind.body_scope import BodyScope
from transom.uda.bind.expression_binder import BaseExpressionBinder, converted
from transom.uda.bind.kinds import NAMES, NUMBERS, common
from transom.uda.ir import Const, Expr, InQuery, Op

COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "eq",
    exp.NEQ: "ne",
    exp.LT: "lt",
    exp.LTE: "le",
    exp.GT: "gt",
    exp.GTE: "ge",
    exp.NullSafeEQ: "nseq",
}

ARITHMETIC: dict[type[exp.Expr], str] = {exp.Add: "add", exp.Sub: "sub", exp.Mul: "mul", exp.Div: "div", exp.Mod: "mod"}


class Operators(BaseExpressionBinder):
    """Binds what stands between values."""

    def _strict(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        name = ARITHMETIC[type(tree)]
        left, right = self.bind(tree.this, scope), self.bind(tree.expression, scope)
        kind = _arithmetic(name, left.kind, right.kind)
        if kind is None:
            both = f"{NAMES[left.kind]} and {NAMES[right.kind]}"
            raise TypeMismatch(
                f"{both} do not go together here", given=tree.sql("spark"), remedy="cast one of them", span=self.names.span(tree)
            )
        return Op(kind, name, _together([left, right]))

    def _negative(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        inner = self.bind(tree.this, scope)
        if inner.kind not in (*NUMBERS, "interval", "null"):
            raise self._mismatch(tree, "only numbers are negated", inner, "cast it")
        return (
            Const(inner.kind, -inner.value)
            if isinstance(inner, Const) and inner.value is not None
            else Op(inner.kind, "neg", (inner,))
        )

    def _comparison(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        return self._compared(COMPARISONS[type(tree)], tree.this, tree.expression, tree, scope)

    def _compared(self, name: str, left: exp.Expr, right: exp.Expr, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        sides = [self.bind(left, scope), self.bind(right, scope)]
        if common([side.kind for side in sides]) is None:
            raise TypeMismatch(
                f"{NAMES[sides[0].kind]} and {NAMES[sides[1].kind]} do not compare",
                given=tree.sql("spark"),
                remedy="cast one of them",
                span=self.names.span(tree),
            )
        return Op("boolean", name, _together(sides))

    def _between(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        low = self._compared("ge", tree.this, tree.args["low"], tree, scope)
        high = self._compared("le", tree.this, tree.args["high"], tree, scope)
        return Op("boolean", "and", (low, high))

    def _logic(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        name = "and" if isinstance(tree, exp.And) else "or"
        return Op("boolean", name, (self.condition(tree.this, scope), self.condition(tree.expression, scope)))

    def _not(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        return Op("boolean", "not", (self.condition(tree.this, scope),))

    def _is(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        value, what = self.bind(tree.this, scope), tree.expression
        if isinstance(what, exp.Null):
            return Op("boolean", "isnull", (value,))
        if isinstance(what, exp.Boolean):
            return Op("boolean", "nseq", (value, Const("boolean", bool(what.this))))
        raise NotSupported(
            "IS goes with NULL, TRUE and FALSE", given=tree.sql("spark"), remedy="use =", span=self.names.span(tree)
        )

    def _in(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        query = tree.args.get("query")
        if query is not None:
            inner = self._query(query.this if isinstance(query, exp.Subquery) else query, scope)
            return InQuery("boolean", self.bind(tree.this, scope), inner)
        made = [self._compared("eq", tree.this, option, tree, scope) for option in tree.expressions]
        whole = made[0]
        for one in made[1:]:
            whole = Op("boolean", "or", (whole, one))
        return whole


def _arithmetic(name: str, left: str, right: str) -> str | None:
    kinds = {left, right}
    if kinds <= {*NUMBERS, "null"}:
        kind = common([left, right])
        if kind == "null":
            return "double"
        return "double" if name == "div" and kind == "int" else kind
    if name == "sub" and kinds == {"timestamp"}:
        return "interval"
    if kinds == {"interval"} and name in ("add", "sub"):
        return "interval"
    if kinds == {"timestamp", "interval"} and (name == "add" or (name == "sub" and left == "timestamp")):
        return "timestamp"
    if kinds == {"interval", "int"} and name == "mul":
        return "interval"
    return None


def _together(values: list[Expr]) -> tuple[Expr, ...]:
    """Operands in one arithmetic: beside a double, decimals become doubles."""
    kind = common([value.kind for value in values])
    return tuple(converted(value, "double") if kind == "double" and value.kind == "decimal" else value for value in values)
