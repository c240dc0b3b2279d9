"""The rows that a complete window gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from transom.column_names import EVENT_TS, IMPLICIT, WID, WINDOW_END, WINDOW_START
from transom.reference.outcome import Row
from transom.reference.query import Query, Stamp
from transom.reference.stream import ReferenceStream
from transom.reference.values.user import Users, over_extent, result_of, rows_of_items, user_calls
from transom.scalar.evaluation import Scope, evaluate, holds, is_aggregate, value_of
from transom.scalar.value_types import value_on_axis
from transom.semantics.tuples import Tuple, axis_value
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.window import Wid, Window


def in_window_order(members: list[Tuple], window: Window) -> list[Tuple]:
    """Tuples by the windowing attribute, ties by arrival; those of rows in arrival order by arrival."""
    attribute = window.attribute
    if attribute is None:
        return sorted(members, key=lambda t: t.arrival)
    return sorted(members, key=lambda t: (axis_value(t[attribute], attribute), t.arrival))


def columns_of_tuple(t: Tuple) -> dict[str, Any]:
    """All attributes of a tuple, the implicit ones included."""
    return {**t.values, **{column: t[column] for column in IMPLICIT}}


def is_grouping(query: Query) -> bool:
    """Whether each group of an extent gives one row, rather than each tuple."""
    return bool(query.group_by or query.having) or any(
        is_aggregate(text, query.aggregates) for text in query.expressions.values()
    )


def window_columns(
    query: Query, stream: ReferenceStream, window: Window, w: Wid, taken: list[Tuple], members: list[Tuple]
) -> dict[str, Any]:
    """window_start, window_end, wid and event_ts of a window."""
    kind = "bigint" if isinstance(window, RowWindow) else stream.type(str(window.attribute))
    start, end = window.span(w, taken)
    return {
        WINDOW_START: value_on_axis(start, kind),
        WINDOW_END: value_on_axis(end, kind),
        WID: value_on_axis(w, kind) if window.ids_are_values else w,
        EVENT_TS: _event_ts(query, stream, window, w, taken, members),
    }


def _event_ts(query: Query, stream: ReferenceStream, window: Window, w: Wid, taken: list[Tuple], members: list[Tuple]) -> Any:
    if query.timestamp is not Stamp.INSTANT:
        pick = min if query.timestamp is Stamp.MIN else max
        instants = [axis_value(t[stream.order], stream.order) for t in members]
        return value_on_axis(pick((a for a in instants if a is not None), default=None), stream.type(stream.order))
    instant = window.instant(w, taken)
    if instant is not None:
        return value_on_axis(instant, stream.type(str(window.attribute)))
    positions = window.positions(taken)
    last = max(window.extent(w, taken), key=lambda t: (positions[t], t.arrival))
    return value_on_axis(axis_value(last[stream.order], stream.order), stream.type(stream.order))


def rows_of_window(query: Query, fixed: Mapping[str, Any], members: list[Tuple]) -> list[Row]:
    """One row for a group, or one for each of its tuples. `fixed` are the columns all of them share."""
    if not is_grouping(query):
        return [
            {name: evaluate(text, Scope({**columns_of_tuple(t), **fixed})) for name, text in query.expressions.items()}
            for t in members
        ]
    scope = Scope(fixed, tuple({**columns_of_tuple(t), **fixed} for t in members))
    return rows_of_group(query.expressions, query.having, query.aggregates, scope)


def rows_of_group(items: Mapping[str, str], having: str | None, users: Users, scope: Scope) -> list[Row]:
    """The row of a group, which is the scope's members; users' aggregates may return any number of rows."""
    if any(user_calls(text, users) for text in items.values()):
        return _rows_of_users(items, having, users, scope)
    row = {name: evaluate(text, scope) for name, text in items.items()}
    keeps = having is None or holds(having, Scope({**scope.columns, **row}, scope.members))
    return [row] if keeps else []


def _rows_of_users(items: Mapping[str, str], having: str | None, users: Users, scope: Scope) -> list[Row]:
    """The rows of a group for which users' aggregates return any number of rows."""

    def returned(call: exp.Anonymous) -> list[Any]:
        tuples = [[value_of(arg, Scope(member)) for arg in call.expressions] for member in scope.members or ()]
        user = users[str(call.this).lower()]
        return [result_of(user, row) for row in over_extent(user, tuples)]

    return list(rows_of_items(items, having, users, scope, returned))
