"""Scalar expressions, parsed as Spark SQL and evaluated tuple by tuple with SQL's three-valued logic.

Only what definitions and their tests need; an engine hands expressions to Spark.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

import sqlglot
from sqlglot import exp

from transom.errors import BadExpression, UnknownColumn, nearest
from transom.scalar.exact_aggregates import AGGREGATES
from transom.scalar.sql_values import all_of, any_of, cast, compare, divide, order_key, remainder, same_kind
from transom.semantics.keys import key
from transom.semantics.time import parse_duration


@dataclass(frozen=True)
class Scope:
    """What names mean: the columns of a row, and the rows an aggregate runs over."""

    columns: Mapping[str, Any]
    members: tuple[Mapping[str, Any], ...] | None = None


Handler = Callable[[exp.Expr, Scope], Any]


@lru_cache(maxsize=1024)
def parse(text: str) -> exp.Expr:
    """Parse one expression."""
    try:
        return sqlglot.parse_one(text, read="spark")
    except RecursionError:
        raise BadExpression("this is nested too deeply", given=text[:80], remedy="use a shorter expression") from None
    except sqlglot.errors.SqlglotError as error:
        reason = str(error).splitlines()[0]
        raise BadExpression(f"this is not an expression: {reason}", given=text, remedy="write a Spark SQL expression") from None


def is_aggregate(text: str, users: Container[str] = ()) -> bool:
    """Whether an expression aggregates rows, by a built-in aggregate or by one of the users'."""
    return any(_aggregates(node, users) for node in parse(text).walk())


def _aggregates(node: exp.Expr, users: Container[str]) -> bool:
    return isinstance(node, tuple(AGGREGATES)) or (isinstance(node, exp.Anonymous) and str(node.this).lower() in users)


def columns_of(text: str) -> list[str]:
    """The columns an expression names."""
    return [node.name for node in parse(text).find_all(exp.Column)]


def columns_outside_aggregates(text: str, users: Container[str] = ()) -> list[str]:
    """The columns an expression names that no aggregate takes in."""
    return [node.name for node in parse(text).find_all(exp.Column) if not _taken_in(node, users)]


def _taken_in(node: exp.Expr, users: Container[str]) -> bool:
    above = node.parent
    return above is not None and (isinstance(above, exp.Filter) or _aggregates(above, users) or _taken_in(above, users))


def evaluate(text: str, scope: Scope) -> Any:
    """The value of an expression.

    >>> evaluate("speed * 2 > 90", Scope({"speed": 50}))
    True
    """
    try:
        return _value(parse(text), scope)
    except RecursionError:
        raise BadExpression("this is nested too deeply", given=text[:80], remedy="use a shorter expression") from None
    except (TypeError, ValueError, AttributeError, ArithmeticError, IndexError) as error:
        raise BadExpression(f"this cannot be calculated: {error}", given=text, remedy="check the types of its operands") from None


def value_of(tree: exp.Expr, scope: Scope) -> Any:
    """The value of an expression that is parsed already."""
    return _value(tree, scope)


def holds(text: str, scope: Scope) -> bool:
    """Whether a condition is true: neither false nor NULL."""
    value = evaluate(text, scope)
    if value is not None and not isinstance(value, bool):
        raise BadExpression("a condition is true or false", given=f"{text} is {value!r}", remedy="compare it with something")
    return value is True


def check_functions(text: str, users: Container[str] = ()) -> None:
    """Refuse functions that are not known here, before anything is evaluated."""
    for node in parse(text).walk():
        if isinstance(node, exp.Query):
            raise BadExpression("a query is no expression here", given=text, remedy="leave it out")
        if isinstance(node, exp.Window):
            raise BadExpression(
                "OVER is not part of an expression here", given=text, remedy="use Over(aggregate=..., preceding=...)"
            )
        if isinstance(node, exp.Alias):
            raise BadExpression("an expression has no alias", given=text, remedy="the name it is selected under is its alias")
        known_here = type(node) in AGGREGATES or type(node) in _HANDLERS or _aggregates(node, users)
        if isinstance(node, exp.Func) and not known_here:
            name = node.name if isinstance(node, exp.Anonymous) else node.sql_name()
            known = sorted({kind.sql_name().lower() for kind in [*AGGREGATES, *_HANDLERS] if issubclass(kind, exp.Func)})
            raise BadExpression(
                f"there is no function {name.lower()} here", given=text, exists=known, remedy=nearest(name.lower(), known)
            )


def _value(node: exp.Expr, scope: Scope) -> Any:
    if type(node) in AGGREGATES:
        return _aggregate(node, scope)
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise BadExpression(
            f"Transom does not evaluate {type(node).__name__}",
            given=node.sql("spark"),
            remedy="use simpler expressions here",
        )
    return handler(node, scope)


def _aggregate(node: exp.Expr, scope: Scope) -> Any:
    if scope.members is None:
        raise BadExpression("an aggregate needs a window or a group", given=node.sql("spark"), remedy="use it in the select list")
    inner = node.this
    distinct = isinstance(inner, exp.Distinct)
    rest = [node.args[key] for key in ("expression", "quantile", "separator") if node.args.get(key) is not None]
    arguments = [*(inner.expressions if distinct else [inner]), *rest, *node.expressions]
    rows = [[_argument(argument, row) for argument in arguments] for row in scope.members]
    if distinct:
        rows = list({tuple(map(key, row)): row for row in reversed(rows)}.values())[::-1]
    return AGGREGATES[type(node)](rows)


def _filtered(node: exp.Expr, scope: Scope) -> Any:
    """An aggregate with FILTER: of the members for which the condition holds."""
    condition = node.expression.this
    kept = None if scope.members is None else tuple(row for row in scope.members if _value(condition, Scope(row)) is True)
    return _value(node.this, Scope(scope.columns, kept))


def _argument(node: exp.Expr, row: Mapping[str, Any]) -> Any:
    return 1 if isinstance(node, exp.Star) else _value(node, Scope(row))


def _column(node: exp.Expr, scope: Scope) -> Any:
    if node.name not in scope.columns:
        names = list(scope.columns)
        raise UnknownColumn("there is no such column here", given=node.name, exists=names, remedy=nearest(node.name, names))
    return scope.columns[node.name]


def _literal(node: exp.Expr, _: Scope) -> Any:
    text = str(node.this)
    if node.is_string:
        return text
    if text.isdigit():
        return int(text)
    return float(text) if "e" in text.lower() else Decimal(text)


def _strict(function: Callable[..., Any]) -> Handler:
    """NULL if any operand is NULL."""

    def handler(node: exp.Expr, scope: Scope) -> Any:
        values = [_value(operand, scope) for operand in node.args.values() if isinstance(operand, exp.Expr)]
        return None if any(value is None for value in values) else function(*same_kind(values))

    return handler


def _comparison(holds: Callable[[Any, Any], bool]) -> Handler:
    return lambda node, scope: compare(_value(node.this, scope), _value(node.expression, scope), holds)


def _null_safe_equal(node: exp.Expr, scope: Scope) -> bool:
    a, b = _value(node.this, scope), _value(node.expression, scope)
    return a is b if a is None or b is None else compare(a, b, operator.eq) is True


def _between(node: exp.Expr, scope: Scope) -> bool | None:
    value, low, high = (_value(node.args[part], scope) for part in ("this", "low", "high"))
    return all_of([compare(value, low, operator.ge), compare(value, high, operator.le)])


def _and(node: exp.Expr, scope: Scope) -> bool | None:
    left = _value(node.this, scope)
    return False if left is False else all_of([left, _value(node.expression, scope)])


def _or(node: exp.Expr, scope: Scope) -> bool | None:
    left = _value(node.this, scope)
    return True if left is True else any_of([left, _value(node.expression, scope)])


def _in(node: exp.Expr, scope: Scope) -> bool | None:
    value = _value(node.this, scope)
    return any_of([compare(value, _value(option, scope), operator.eq) for option in node.expressions])


def _case(node: exp.Expr, scope: Scope) -> Any:
    for branch in node.args["ifs"]:
        condition = branch.this if node.this is None else exp.EQ(this=node.this.copy(), expression=branch.this.copy())
        if _value(condition, scope) is True:
            return _value(branch.args["true"], scope)
    default = node.args.get("default")
    return None if default is None else _value(default, scope)


def _if(node: exp.Expr, scope: Scope) -> Any:
    chosen = node.args.get("true" if _value(node.this, scope) is True else "false")
    return None if chosen is None else _value(chosen, scope)


def _coalesce(node: exp.Expr, scope: Scope) -> Any:
    values = (_value(option, scope) for option in [node.this, *node.expressions])
    return next((value for value in values if value is not None), None)


def _cast(node: exp.Expr, scope: Scope) -> Any:
    value, target = _value(node.this, scope), node.args["to"].sql("spark").lower()
    try:
        return cast(value, target)
    except BadExpression:
        if node.args.get("safe"):
            return None
        raise


def _first(text: str, start: int) -> int:
    """Where a substring starts: counted from 1, or from the end."""
    return start - 1 if start > 0 else max(len(text) + start, 0) if start < 0 else 0


def _extreme(node: exp.Expr, scope: Scope, pick: Callable[..., Any]) -> Any:
    values = [_value(option, scope) for option in [node.this, *node.expressions]]
    return pick(same_kind([value for value in values if value is not None]), key=order_key, default=None)


_HANDLERS: dict[type[exp.Expr], Handler] = {
    exp.Filter: _filtered,
    exp.Column: _column,
    exp.Literal: _literal,
    exp.Boolean: lambda node, _: bool(node.this),
    exp.Null: lambda _node, _scope: None,
    exp.Paren: lambda node, scope: _value(node.this, scope),
    exp.Interval: lambda node, _: parse_duration(f"{node.this.name} {node.args['unit'].name}"),
    exp.Neg: _strict(operator.neg),
    exp.Not: _strict(operator.not_),
    exp.Add: _strict(operator.add),
    exp.Sub: _strict(operator.sub),
    exp.Mul: _strict(operator.mul),
    exp.Div: _strict(divide),
    exp.Mod: _strict(remainder),
    exp.EQ: _comparison(operator.eq),
    exp.NEQ: _comparison(operator.ne),
    exp.LT: _comparison(operator.lt),
    exp.LTE: _comparison(operator.le),
    exp.GT: _comparison(operator.gt),
    exp.GTE: _comparison(operator.ge),
    exp.Between: _between,
    exp.NullSafeEQ: _null_safe_equal,
    exp.Is: lambda node, scope: _value(node.this, scope) is _value(node.expression, scope),
    exp.And: _and,
    exp.Or: _or,
    exp.In: _in,
    exp.Case: _case,
    exp.If: _if,
    exp.Coalesce: _coalesce,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Abs: _strict(abs),
    exp.Upper: _strict(str.upper),
    exp.Lower: _strict(str.lower),
    exp.Sqrt: _strict(math.sqrt),
    exp.Floor: _strict(math.floor),
    exp.Ceil: _strict(math.ceil),
    exp.Length: _strict(len),
    exp.IntDiv: _strict(lambda a, b: int(divide(a - remainder(a, b), b))),
    exp.Substring: _strict(lambda text, start, *length: text[_first(text, start) :][: length[0] if length else None]),
    exp.DPipe: _strict(operator.add),
    exp.Greatest: lambda node, scope: _extreme(node, scope, max),
    exp.Least: lambda node, scope: _extreme(node, scope, min),
    exp.Hour: _strict(lambda value: value.hour),
    exp.Minute: _strict(lambda value: value.minute),
}
