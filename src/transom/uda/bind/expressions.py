"""From the syntax tree of an expression to a bound one: names resolved, kinds checked, conversions written out."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from sqlglot import exp

from transom.errors import BadAggregate, NotSupported, TransomError, nearest
from transom.semantics.time import parse_duration
from transom.uda.bind.body_scope import BodyScope
from transom.uda.bind.calls import BUILT_IN, Calls
from transom.uda.bind.function_calls import Functions
from transom.uda.bind.functions import FUNCTIONS, names
from transom.uda.bind.operators import ARITHMETIC, COMPARISONS
from transom.uda.ir import Const, Expr, Field


class ExpressionBinder(Functions, Calls):
    """Binds the expressions of one statement."""

    def bind(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        """The value of an expression."""
        grouped = self._grouped(tree, scope)
        if grouped is not None:
            return grouped
        for kinds, bind in _HANDLERS:
            if isinstance(tree, kinds):
                return bind(self, tree, scope)
        if type(tree) in FUNCTIONS:
            return self._function(tree, FUNCTIONS[type(tree)], scope)
        name = str(tree.this) if isinstance(tree, exp.Anonymous) else type(tree).__name__.lower()
        raise NotSupported(
            f"bodies have no {name!r}",
            given=tree.sql("spark"),
            exists=names(),
            remedy=nearest(name.lower(), [*names(), *self.names.uses]),
            span=self.names.span(tree),
        )

    def _grouped(self, tree: exp.Expr, scope: BodyScope | None) -> Expr | None:
        """Within a grouped query, an expression that it is grouped by."""
        if scope is None or scope.group is None or isinstance(tree, exp.Literal):
            return None
        plain = BodyScope(scope.sources, scope.outer)
        try:
            found = self.bind(tree, plain) if not tree.find(exp.AggFunc, exp.Anonymous, exp.Query) else None
        except TransomError:
            return None
        return found if found in scope.group else None

    def _column(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        assert isinstance(tree, exp.Column)
        made = self.names.column(tree, scope)
        grouped = scope is not None and scope.aggregates is not None
        own = [source for _, source in scope.sources] if scope is not None else []
        if grouped and isinstance(made, Field) and made.source in own:
            raise BadAggregate(
                f"{tree.name!r} is neither grouped nor aggregated",
                given=tree.sql("spark"),
                remedy="add it to GROUP BY, or aggregate it",
                span=self.names.span(tree),
            )
        return made

    def _literal(self, tree: exp.Expr, _: BodyScope | None) -> Expr:
        text = str(tree.this)
        if tree.is_string:
            return Const("string", text)
        if text.isdigit():
            return Const("int", int(text))
        return Const("double", float(text)) if "e" in text.lower() else Const("decimal", Decimal(text))

    def _interval(self, tree: exp.Expr, _: BodyScope | None) -> Expr:
        unit = tree.args.get("unit")
        return Const("interval", parse_duration(f"{tree.this.name} {unit.name if unit is not None else ''}").micros)


Handler = Callable[[ExpressionBinder, exp.Expr, "BodyScope | None"], Expr]

_HANDLERS: list[tuple[type[exp.Expr] | tuple[type[exp.Expr], ...], Handler]] = [
    (exp.Column, ExpressionBinder._column),
    (exp.Literal, ExpressionBinder._literal),
    (exp.Boolean, lambda _self, tree, _: Const("boolean", bool(tree.this))),
    (exp.Null, lambda _self, _tree, _: Const("null", None)),
    (exp.Paren, lambda self, tree, scope: self.bind(tree.this, scope)),
    (exp.Interval, ExpressionBinder._interval),
    (exp.Neg, ExpressionBinder._negative),
    (exp.Not, ExpressionBinder._not),
    (tuple(ARITHMETIC), ExpressionBinder._strict),
    (tuple(COMPARISONS), ExpressionBinder._comparison),
    (exp.Between, ExpressionBinder._between),
    ((exp.And, exp.Or), ExpressionBinder._logic),
    (exp.Is, ExpressionBinder._is),
    (exp.In, ExpressionBinder._in),
    (exp.Case, ExpressionBinder._case),
    (exp.If, ExpressionBinder._if),
    (exp.Coalesce, ExpressionBinder._coalesce),
    (exp.Cast, ExpressionBinder._cast),
    (exp.Exists, ExpressionBinder._exists),
    (exp.Subquery, ExpressionBinder._subquery),
    (exp.Dot, ExpressionBinder._dot),
    (tuple(BUILT_IN), ExpressionBinder._built_in),
    (exp.Anonymous, ExpressionBinder._anonymous),
]
