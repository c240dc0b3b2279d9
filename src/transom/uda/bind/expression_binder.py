"""What all binders of expressions have: names, and the kinds that values are checked against."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from transom.errors import TypeMismatch
from transom.uda.bind.body_scope import BodyScope, Names
from transom.uda.bind.functions import CASTS
from transom.uda.bind.kinds import NAMES, common, fits
from transom.uda.ir import Const, Expr, Op, SelectQuery


class BaseExpressionBinder:
    """Binds the expressions of one statement."""

    def __init__(self, names: Names, query: Callable[[exp.Expr, BodyScope | None], SelectQuery]) -> None:
        self.names, self._query = names, query

    def bind(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        """The value of an expression."""
        raise NotImplementedError

    def condition(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        """A value that is true, false or NULL."""
        made = self.bind(tree, scope)
        if made.kind not in ("boolean", "null"):
            raise self._mismatch(tree, "a condition is true or false", made, "compare it with something")
        return made

    def fitted(self, value: Expr, kind: str, tree: exp.Expr, what: str) -> Expr:
        """A value as a column of some kind keeps it."""
        if not fits(value.kind, kind):
            raise self._mismatch(tree, f"{what} is {NAMES[kind]}", value, f"cast it: CAST(... AS {NAMES[kind]})")
        return converted(value, kind)

    def _shared(self, tree: exp.Expr, values: list[Expr]) -> str:
        kind = common([value.kind for value in values])
        if kind is None:
            shown = ", ".join(NAMES[value.kind] for value in values)
            raise TypeMismatch(
                f"these have no type in common: {shown}", given=tree.sql("spark"), remedy="cast them", span=self.names.span(tree)
            )
        return kind

    def _mismatch(self, tree: exp.Expr, problem: str, value: Expr, remedy: str) -> TypeMismatch:
        return TypeMismatch(
            f"{problem}, and this is {NAMES[value.kind]}", given=tree.sql("spark"), remedy=remedy, span=self.names.span(tree)
        )


def converted(value: Expr, kind: str) -> Expr:
    """A value as one of another kind that it fits; constants are converted here and now."""
    if value.kind in (kind, "null") or kind == "null":
        return value
    if isinstance(value, Const) and value.value is not None:
        return Const(kind, CASTS[value.kind, kind](value.value))
    return Op(kind, f"cast:{value.kind}:{kind}", (value,))
