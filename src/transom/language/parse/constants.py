"""Constant expressions in brackets: `TIMESTAMP '2026-01-01' + INTERVAL 6 HOURS`, `2 * 50`, `make_date(2026, 1, 1)`.

They are worked out when the query is read, by Spark's rules. What is different from one start of a query to the next, such as
`current_timestamp()`, is no constant: a query that resumes would have other windows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import singledispatch
from typing import Any

from sqlglot import exp

from transom.errors import BadExpression, TransomError
from transom.scalar.evaluation import Scope, value_of
from transom.semantics.elapsed import DAY, Elapsed, Months
from transom.semantics.time import Duration, micros_of, parse_duration, parse_local_timestamp, timestamp_of
from transom.semantics.zone import zone_of

Point = date | Elapsed
"""A value in time; a `datetime` is a `date`."""

DIGITS = 6
"""Digits behind the point that Spark keeps at least, when it divides decimals."""


def folded(tree: exp.Expr) -> Any:
    """The value of a constant expression: a number, a point in time, or a length of time.

    >>> import sqlglot
    >>> folded(sqlglot.parse_one("DATE '2026-01-01' + 2 * 7", read="spark"))
    datetime.date(2026, 1, 15)
    """
    try:
        value = _fold(tree)
    except (TypeError, ValueError, ArithmeticError, OverflowError, RecursionError) as error:
        raise _not_constant(tree, f"this cannot be calculated: {error}") from None
    if value is None or isinstance(value, str | bool | Months):
        raise _not_constant(tree, f"this is no point and no length: {_shown(value)}")
    return value


def _not_constant(tree: exp.Expr, problem: str) -> BadExpression:
    return BadExpression(
        problem,
        given=tree.sql("spark"),
        remedy="use numbers, TIMESTAMP '...', DATE '...', INTERVAL, arithmetic, make_timestamp, make_date, date_trunc or CAST",
    )


def _shown(value: Any) -> str:
    return "NULL" if value is None else "an INTERVAL of months" if isinstance(value, Months) else repr(value)


def _fold(node: exp.Expr) -> Any:
    name = str(node.this).lower() if isinstance(node, exp.Anonymous) else ""
    if isinstance(node, exp.Column):
        raise _not_constant(node, f"a constant names no column: {node.name}")
    if name in _NAMED:
        return _NAMED[name](*map(_fold, node.expressions))
    handler = _FOLDS.get(type(node))
    if handler is not None:
        return handler(node)
    if isinstance(node, exp.Func) and (not node.args or isinstance(node, exp.Anonymous)):
        raise _not_constant(node, f"this is not one of the constants known here: {node.sql('spark')}")
    try:
        return value_of(node, Scope({}))
    except TransomError as error:
        raise _not_constant(node, error.problem) from None


def _operands(node: exp.Expr) -> tuple[Any, Any]:
    return _fold(node.this), _fold(node.expression)


def _numbers(node: exp.Expr, calculate: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Arithmetic as Spark's: a decimal beside a double becomes one."""
    if a is None or b is None:
        return None
    if not all(isinstance(one, int | float | Decimal) and not isinstance(one, bool) for one in (a, b)):
        raise _not_constant(node, "these do not go together")
    pair = (float(a), float(b)) if isinstance(a, float) or isinstance(b, float) else (a, b)
    return calculate(*pair)


def _add(node: exp.Expr) -> Any:
    a, b = _operands(node)
    if isinstance(a, Duration | Months) and isinstance(b, Point):
        a, b = b, a
    return _sum(node, a, b) if isinstance(a, Point | Duration) else _numbers(node, operator.add, a, b)


def _sub(node: exp.Expr) -> Any:
    a, b = _operands(node)
    if isinstance(a, Point) and isinstance(b, Point):
        return _difference(node, a, b)
    return _sum(node, a, _negative(b)) if isinstance(a, Point | Duration) else _numbers(node, operator.sub, a, b)


def _difference(node: exp.Expr, a: Point, b: Point) -> Duration:
    """Between two dates, or two instants. Of timestamps without a zone the distance depends on the session's."""
    if any(isinstance(one, Elapsed) or (isinstance(one, datetime) and one.tzinfo is None) for one in (a, b)):
        raise _not_constant(node, "how far timestamps without a zone are apart depends on the session's zone")
    return Duration(micros_of(a) - micros_of(b))  # type: ignore[arg-type]


def _negative(value: Any) -> Any:
    if isinstance(value, Duration):
        return Duration(-value.micros)
    return Months(-value.count) if isinstance(value, Months) else -value


def _sum(node: exp.Expr, a: Any, b: Any) -> Any:
    """A point or a length of time, and something after it."""
    if isinstance(a, date) and not isinstance(a, datetime):
        if isinstance(b, int):
            return a + timedelta(days=b)
        if isinstance(b, Months):
            return b.after(a)
    if isinstance(b, Duration | Months) and not (isinstance(a, Duration) and isinstance(b, Months)):
        return _after(a, b)
    raise _not_constant(node, "these do not go together")


@singledispatch
def _after(a: Any, by: Any) -> Any:
    raise TypeError(f"{a} has no place in time")


@_after.register
def _(a: Duration, by: Any) -> Any:
    return Duration(a.micros + by.micros)


@_after.register
def _(a: Elapsed, by: Any) -> Any:
    return Elapsed(a.start, (*a.steps, by))


@_after.register
def _(a: date, by: Any) -> Any:
    if by.micros % DAY == 0:
        return a + timedelta(days=by.micros // DAY)
    return _after(datetime(a.year, a.month, a.day), by)


@_after.register
def _(a: datetime, by: Any) -> Any:
    return Elapsed(a, (by,))


def _mul(node: exp.Expr) -> Any:
    a, b = _operands(node)
    if isinstance(b, Duration):
        a, b = b, a
    if isinstance(a, Duration):
        return Duration(round(a.micros * _numbers(node, operator.mul, b, 1)))
    return _numbers(node, operator.mul, a, b)


def _div(node: exp.Expr) -> Any:
    a, b = _operands(node)
    if isinstance(a, Duration):
        return Duration(round(a.micros / _numbers(node, operator.mul, b, 1)))
    value = _numbers(node, operator.truediv, a, b)
    if isinstance(value, Decimal) and (value != round(value, DIGITS)):
        raise _not_constant(node, "this decimal does not end; Spark would round it")
    return value


def _interval(node: exp.Expr) -> Duration | Months:
    unit = node.args.get("unit")
    text = node.this.name if unit is None else f"{node.this.name} {unit.name}"
    if unit is not None and unit.name.upper().removesuffix("S") in ("MONTH", "YEAR"):
        return Months(int(node.this.name) * (12 if unit.name.upper().startswith("YEAR") else 1))
    return parse_duration(text)


def _cast(node: exp.Expr) -> Any:
    value, kind = _fold(node.this), node.args["to"].this
    if kind in (exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPLTZ):
        return _timestamp(value)
    if kind is exp.DType.DATE:
        return _day(value)
    if isinstance(value, Point | Duration | Months):
        raise _not_constant(node, "this is not cast here")
    if kind in (exp.DType.DOUBLE, exp.DType.FLOAT):
        return None if value is None else float(value)
    return value_of(node, Scope({}))


def _timestamp(value: Any) -> Any:
    if isinstance(value, str):
        return parse_local_timestamp(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    if isinstance(value, Point):
        return value
    raise TypeError("only a text and a date are cast to a timestamp here")


def _day(value: Any) -> date:
    if isinstance(value, str):
        return date.fromisoformat(value)
    if isinstance(value, datetime):
        if value.tzinfo is not None:
            raise TypeError("which day this is depends on the session's zone")
        return value.date()
    if isinstance(value, date):
        return value
    raise TypeError("only a text and a timestamp are cast to a date here")


def _make_timestamp(node: exp.Expr) -> datetime:
    year, month, day, hour, minute, second = (_fold(node.args[name]) for name in ("year", "month", "day", "hour", "min", "sec"))
    zone = node.args.get("zone") or node.args.get("nano")  # where sqlglot puts the seventh argument
    micros = round(Decimal(second) * 1_000_000)
    made = datetime(year, month, day, hour, minute) + timedelta(microseconds=micros)
    return made if zone is None else made.replace(tzinfo=zone_of(_fold(zone)))


def _truncated(node: exp.Expr) -> datetime:
    value, unit = _timestamp(_fold(node.this)), node.args["unit"].name.upper()
    if not isinstance(value, datetime) or value.tzinfo is not None:
        raise _not_constant(node, "a timestamp is cut off by the session's clock, and this one is not of it")
    units = ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
    if unit not in units:
        raise _not_constant(node, f"date_trunc cuts off at one of {', '.join(units)} here, not at {unit}")
    start = {"month": 1, "day": 1, "hour": 0, "minute": 0, "second": 0, "microsecond": 0}
    finer = [name.lower() for name in (*units, "MICROSECOND")[units.index(unit) + 1 :]]
    return value.replace(**{name: start[name] for name in finer})  # type: ignore[arg-type]


_NAMED: dict[str, Callable[..., Any]] = {
    "make_date": date,
    "timestamp_seconds": lambda seconds: timestamp_of(round(seconds * 1_000_000)),
    "timestamp_millis": lambda millis: timestamp_of(millis * 1_000),
    "timestamp_micros": lambda micros: timestamp_of(micros),
}

_FOLDS: dict[type[exp.Expr], Callable[[Any], Any]] = {
    exp.Paren: lambda node: _fold(node.this),
    exp.Neg: lambda node: _negative(_fold(node.this)),
    exp.Add: _add,
    exp.Sub: _sub,
    exp.Mul: _mul,
    exp.Div: _div,
    exp.Interval: _interval,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.TimestampFromParts: _make_timestamp,
    exp.TsOrDsToDate: lambda node: _day(_fold(node.this)),
    exp.TsOrDsAdd: lambda node: _sum(node, _day(_fold(node.this)), _fold(node.expression)),
    exp.AddMonths: lambda node: Months(_fold(node.expression)).after(_day(_fold(node.this))),
    exp.TimestampTrunc: _truncated,
}
