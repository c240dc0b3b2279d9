"""Calls of aggregates that users wrote: the right number of arguments, each of the declared type."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import BadAggregate, NotSupported, TypeMismatch
from transom.plan.expression import AnyAggregate, Expression
from transom.plan.types.schema import Schema
from transom.uda.bind.kinds import fits, kind_of


def fitted(expression: Expression, schema: Schema) -> Expression:
    """The expression with the arguments of users' aggregates cast to the declared types, where they fit."""
    if not expression.aggregates:
        return expression
    for call, user in expression.user_calls:
        refuse_filter(call, user)

    def cast(node: exp.Expr) -> exp.Expr:
        user = expression.user_aggregate(node)
        if user is not None:
            node.set("expressions", _arguments(node, user, schema))
        return node

    return Expression(expression.tree.copy().transform(cast).sql("spark"), expression.aggregates)


def refuse_filter(call: exp.Expr, user: AnyAggregate) -> None:
    """A body decides itself what becomes of a tuple."""
    if isinstance(call.parent, exp.Filter):
        raise NotSupported(
            f"FILTER goes with built-in aggregates, and {user.name} is none",
            given=call.parent.sql("spark"),
            remedy="test an argument in the body, or filter the stream",
        )


def _arguments(call: exp.Expr, user: AnyAggregate, schema: Schema) -> list[exp.Expr]:
    declared = user.arguments or ()
    if len(call.expressions) != len(declared):
        raise BadAggregate(
            f"{user.name} takes {len(declared)} argument{'s' * (len(declared) != 1)}",
            given=call.sql("spark"),
            exists=[f"{name} {kind}".strip() for name, kind in declared],
            remedy="give one value for each",
        )
    if any(isinstance(given, exp.Star) for given in call.expressions):
        raise BadAggregate(f"{user.name} takes values, not rows", given=call.sql("spark"), remedy="name columns instead of *")
    return [_argument(given, kind, call, schema) for given, (_, kind) in zip(call.expressions, declared, strict=True)]


def _argument(given: exp.Expr, declared: str, call: exp.Expr, schema: Schema) -> exp.Expr:
    if not declared:
        return given
    found = Expression(given.sql("spark")).type_in(schema)
    if found.upper() == declared.upper():
        return given
    kinds = kind_of(found), kind_of(declared)
    if None not in kinds and found != "UNKNOWN" and not fits(str(kinds[0]), str(kinds[1])) and kinds[0] != kinds[1]:
        raise TypeMismatch(
            f"an argument of {call.this} is {declared}, and this is {found}",
            given=given.sql("spark"),
            remedy=f"cast it: CAST({given.sql('spark')} AS {declared})",
        )
    return exp.cast(given, declared, dialect="spark")
