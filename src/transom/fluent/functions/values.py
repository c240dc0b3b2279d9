"""Values of a window's rows: the first, the one at a maximum, all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transom.errors import NotSupported
from transom.fluent.functions.aggregated import Aggregated, called, operand

if TYPE_CHECKING:
    from transom.fluent.functions.aggregated import Operand


def first(column: Operand, ignorenulls: bool = False) -> Aggregated:
    """The first value, in the order of the window; with `ignorenulls` the first that is not NULL.

    >>> first("speed"), first("speed", ignorenulls=True)
    (FIRST(speed), FIRST(speed) IGNORE NULLS)
    """
    return _of_order("first", column, ignorenulls)


def last(column: Operand, ignorenulls: bool = False) -> Aggregated:
    """The last value, in the order of the window; with `ignorenulls` the last that is not NULL.

    >>> last("speed", ignorenulls=True)
    LAST(speed) IGNORE NULLS
    """
    return _of_order("last", column, ignorenulls)


def any_value(column: Operand, ignorenulls: bool = False) -> Aggregated:
    """Some value: the first; with `ignorenulls` the first that is not NULL.

    >>> any_value("road")
    ANY_VALUE(road)
    """
    return _of_order("any_value", column, ignorenulls)


def max_by(column: Operand, by: Operand) -> Aggregated:
    """The value of a column in the row where another, `by`, is largest.

    >>> max_by("vehicle", "speed")
    MAX_BY(vehicle, speed)
    """
    return called("max_by", column, by)


def min_by(column: Operand, by: Operand) -> Aggregated:
    """The value of a column in the row where another, `by`, is smallest.

    >>> min_by("vehicle", "speed")
    MIN_BY(vehicle, speed)
    """
    return called("min_by", column, by)


def collect_list(column: Operand) -> Aggregated:
    """All values that are not NULL, in the order of the window; `array_agg` is the same.

    >>> collect_list("speed")
    COLLECT_LIST(speed)
    """
    return called("collect_list", column)


def collect_set(column: Operand) -> Aggregated:
    """All different values.

    >>> collect_set("speed")
    COLLECT_SET(speed)
    """
    return called("collect_set", column)


def string_agg(column: Operand, separator: str = "") -> Aggregated:
    """All values of a column of strings as one, with a `separator`, in the order of the window; `listagg` is the same.

    >>> string_agg("name", ", ")
    LISTAGG(name, ', ')
    """
    if not isinstance(separator, str):
        raise NotSupported("a separator is text", given=f"separator={separator!r}", remedy='give ", "')
    text = separator.replace("\\", "\\\\").replace("'", "\\'").replace("{", "{{").replace("}", "}}")
    return Aggregated(f"string_agg({{0}}, '{text}')", (operand(column),))


def _of_order(function: str, column: Operand, ignorenulls: bool) -> Aggregated:
    return Aggregated(f"{function}({{0}}){' IGNORE NULLS' if ignorenulls else ''}", (operand(column),))


array_agg, listagg = collect_list, string_agg
