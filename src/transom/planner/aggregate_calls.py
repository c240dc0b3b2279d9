"""The aggregates of an expression as calls of kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from transom.errors import NotSupported
from transom.kernels.aggregates import Call
from transom.plan.expression import Expression
from transom.plan.types.builtin import BUILT_IN, NAMES
from transom.uda.run.ready import Ready

ORDERED_PAIRS = (exp.ArgMin, exp.ArgMax, exp.Corr, exp.CovarPop, exp.CovarSamp)


@dataclass(frozen=True)
class WrittenAggregate:
    """An aggregate as it is written: the whole text of it, the call, and its arguments as expressions."""

    text: str
    call: Call
    args: tuple[str, ...]


def aggregates_of(item: Expression) -> list[WrittenAggregate]:
    """The aggregates in an expression, each once; FILTER and IGNORE NULLS belong to them."""
    found: dict[str, WrittenAggregate] = {}
    for call, user in item.user_calls:
        text = call.sql("spark", comments=False)
        args = tuple(arg.sql("spark", comments=False) for arg in call.expressions)
        found[text] = WrittenAggregate(text, Call(user.name.lower(), user=Ready(user)), args)
    for node in item.tree.find_all(exp.AggFunc):
        outer, condition, ignores = _surroundings(node)
        made = _aggregated(node, outer, condition, ignores)
        found.setdefault(made.text, made)
    return list(found.values())


def _surroundings(node: exp.Expr) -> tuple[exp.Expr, exp.Expr | None, bool]:
    outer, condition, ignores = node, None, False
    while isinstance(outer.parent, exp.Filter | exp.IgnoreNulls | exp.RespectNulls) and outer.arg_key == "this":
        outer = outer.parent
        ignores |= isinstance(outer, exp.IgnoreNulls)
        if isinstance(outer, exp.Filter):
            condition = outer.expression.this
    return outer, condition, ignores


def _aggregated(node: exp.Expr, outer: exp.Expr, condition: exp.Expr | None, ignores: bool) -> WrittenAggregate:
    text = outer.sql("spark", comments=False)
    function = NAMES.get(type(node))
    if function is None or isinstance(node.parent, exp.WithinGroup):
        remedy = "tuples come in the stream's order" if isinstance(node.parent, exp.WithinGroup) else "use another"
        raise NotSupported(
            "there is no such aggregate here", given=(node.parent or node).sql("spark"), exists=BUILT_IN, remedy=remedy
        )
    args, distinct = _arguments(node)
    options = _options(node, text)
    if condition is not None:
        if function in ("first", "last"):
            raise NotSupported("FILTER does not go with first and last", given=text, remedy="use IGNORE NULLS over a CASE")
        args = args or [exp.Literal.number(1)]
        args = [exp.Case(ifs=[exp.If(this=condition.copy(), true=arg.copy())]) for arg in args]
    call = Call(function, distinct, options, ignores)
    return WrittenAggregate(text, call, tuple(arg.sql("spark", comments=False) for arg in args))


def _arguments(node: exp.Expr) -> tuple[list[exp.Expr], bool]:
    this = node.this
    if isinstance(this, exp.Distinct):
        return list(this.expressions), True
    if isinstance(node, exp.Count):
        if this is None or isinstance(this, exp.Star):
            return [], False
        return [this, *node.expressions], False
    if isinstance(this, exp.Order):
        raise NotSupported(
            "ORDER BY inside an aggregate", given=node.sql("spark"), remedy="tuples come in the order of the window"
        )
    if isinstance(node, ORDERED_PAIRS):
        return [this, node.expression], False
    return [this], False


def _options(node: exp.Expr, text: str) -> tuple[Any, ...]:
    constant = node.args.get("quantile") or node.args.get("separator")
    if isinstance(node, exp.ApproxTopK):
        constant = node.expression or exp.Literal.number(5)
    if constant is None:
        return ()
    if not isinstance(constant, exp.Literal):
        raise NotSupported(
            "this argument of an aggregate is a constant", given=text, remedy="write the number or the text itself"
        )
    return (constant.this,) if constant.is_string else (_number(constant.this),)


def _number(text: str) -> int | float:
    return int(text) if text.isdigit() else float(text)


def with_tables(call: Call, tables: Sequence[tuple[str, Any]]) -> Call:
    """A call, of a user's aggregate with the rows of the tables that it reads."""
    return call if call.user is None or not tables else replace(call, user=Ready(call.user.aggregate, dict(tables)))
