"""A query that does not fit its stream is refused before anything is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from transom import TransomError, minutes, rows, seconds
from transom.disorder import Ordered, Slack
from transom.errors import (
    BadExpression,
    BadFrame,
    BadPunctuation,
    BadQuery,
    BadTuple,
    ConflictingClauses,
    NotOrdered,
    ReservedName,
    UnknownColumn,
    UnknownType,
    WrongUnit,
)
from transom.reference import Arrival, End, Over, Promise, Query, ReferenceStream, evaluate
from transom.semantics import Function, Partitioned, Position, Rank, RowWindow, Sliding, Varying, tumbling

COLUMNS = {"seg": "string", "speed": "double", "n": "bigint", "ts": "timestamp", "ok": "boolean"}
TRAFFIC = ReferenceStream(columns=COLUMNS, order_by="ts")
PUNCTUATED = ReferenceStream(columns=COLUMNS, order_by="ts", punctuation=("seg", "ts"))


def query(**changes: Any) -> Query:
    return Query(**{"window": tumbling(minutes(5), "ts"), "select": {"n": "count(*)"}, **changes})


def asked(**changes: Any) -> Any:
    return evaluate(query(**changes), TRAFFIC, [End()])


def framed(**frame: Any) -> Any:
    return evaluate(Query(select={"x": Over(**{"aggregate": "sum(speed)", "preceding": rows(2), **frame})}), TRAFFIC, [End()])


def fed(*items: Any, stream: ReferenceStream = TRAFFIC, **changes: Any) -> Any:
    return evaluate(query(**changes), stream, [*items, End()])


READING = Arrival({"seg": "a", "speed": 50.0, "n": 1, "ts": datetime(2026, 1, 1), "ok": True})


REFUSED: list[tuple[type[TransomError], Callable[[], Any]]] = [
    (UnknownColumn, lambda: asked(select={"x": "max(sped)"})),
    (UnknownColumn, lambda: asked(group_by=("segment",))),
    (UnknownColumn, lambda: asked(prefilter="sped > 5")),
    (UnknownColumn, lambda: asked(window=tumbling(minutes(5), "time"))),
    (UnknownColumn, lambda: asked(window=Partitioned(tumbling(minutes(5), "ts"), ("lane",)))),
    (UnknownColumn, lambda: framed(partition_by=("lane",))),
    (UnknownColumn, lambda: ReferenceStream(columns=COLUMNS, order_by="time")),
    (UnknownColumn, lambda: ReferenceStream(columns=COLUMNS, order_by="ts", punctuation=("lane", "ts"))),
    (UnknownColumn, lambda: ReferenceStream(columns=COLUMNS, order_by="ts", generator=Ordered(per=("lane",)))),
    (UnknownType, lambda: ReferenceStream(columns={"a": "float128"})),
    (NotOrdered, lambda: asked(window=tumbling(minutes(5), "seg"))),
    (NotOrdered, lambda: ReferenceStream(columns=COLUMNS, order_by="ok")),
    (NotOrdered, lambda: asked(window=RowWindow(range=rows(5), wattr=Position("ts")))),
    (NotOrdered, lambda: asked(window=RowWindow(range=rows(5), wattr=Rank("seg")))),
    (WrongUnit, lambda: asked(window=tumbling(5, "ts"))),
    (WrongUnit, lambda: asked(window=tumbling(minutes(5), "n"))),
    (WrongUnit, lambda: asked(window=Varying(range=Function("f", lambda _: 5), slide=5, wattr="ts", max=5))),
    (WrongUnit, lambda: framed(preceding=5)),
    (WrongUnit, lambda: framed(preceding=5, order_by="ts")),
    (WrongUnit, lambda: ReferenceStream(columns=COLUMNS, order_by="n", generator=Slack(seconds(5)))),
    (ReservedName, lambda: ReferenceStream(columns={"wid": "bigint"})),
    (BadQuery, lambda: ReferenceStream(columns={})),
    (BadQuery, lambda: ReferenceStream(columns=["a"])),  # type: ignore[arg-type]
    (BadQuery, lambda: ReferenceStream(columns=COLUMNS, generator=minutes(1))),  # type: ignore[arg-type]
    (BadQuery, lambda: asked(select=["n"])),
    (BadQuery, lambda: asked(select={"n": 5})),
    (BadQuery, lambda: asked(window="tumble")),
    (BadQuery, lambda: asked(late="consistent")),
    (BadQuery, lambda: asked(timestamp="min")),
    (BadQuery, lambda: evaluate(TRAFFIC, query(), [])),  # type: ignore[arg-type]
    (BadQuery, lambda: asked(select={})),
    (BadQuery, lambda: asked(select={"seg": "seg", "n": "count(*)"})),
    (BadQuery, lambda: asked(window=None)),
    (BadQuery, lambda: asked(select={"x": Over(aggregate="sum(n)", preceding=rows(1))})),
    (BadQuery, lambda: Query(select={"x": Over(aggregate="sum(n)", preceding=rows(1))}, group_by=("seg",))),
    (
        BadQuery,
        lambda: evaluate(
            Query(
                select={
                    "x": Over(aggregate="sum(n)", preceding=rows(1), order_by="n"),
                    "y": Over(aggregate="sum(n)", preceding=rows(1)),
                }
            ),
            TRAFFIC,
            [],
        ),
    ),
    (BadFrame, lambda: framed(preceding=rows(-1))),
    (BadFrame, lambda: framed(aggregate="speed + 1")),
    (BadFrame, lambda: framed(preceding=rows(2), slide=minutes(1))),
    (BadFrame, lambda: framed(preceding=rows(2), peers=True)),
    (
        BadFrame,
        lambda: Query(
            select={
                "x": Over(aggregate="sum(n)", preceding=rows(1), slide=rows(2)),
                "y": Over(aggregate="sum(n)", preceding=rows(1)),
            }
        ),
    ),
    (BadExpression, lambda: asked(select={"x": "max(speed"})),
    (BadExpression, lambda: asked(select={"x": "1 +"})),
    (BadExpression, lambda: asked(select={"x": "summ(speed)"})),
    (BadExpression, lambda: asked(select={"x": "sum(speed) AS total"})),
    (BadExpression, lambda: asked(select={"x": "sum(speed) OVER (PARTITION BY seg)"})),
    (BadExpression, lambda: fed(READING, select={"x": "sum(seg)"})),
    (BadExpression, lambda: fed(READING, select={"x": "max(seg) + 1"})),
    (BadExpression, lambda: fed(READING, prefilter="ts > 'noon'")),
    (BadExpression, lambda: fed(READING, prefilter="n")),
    (BadExpression, lambda: fed(READING, having="sum(n)")),
    (BadTuple, lambda: fed({"seg": "a"})),
    (BadTuple, lambda: fed(None)),
    (BadTuple, lambda: fed(Arrival(["a"]))),  # type: ignore[arg-type]
    (BadTuple, lambda: fed(Arrival({"seg": "a"}))),
    (BadTuple, lambda: fed(Arrival({**dict.fromkeys(COLUMNS), "lane": 1}))),
    (BadTuple, lambda: fed(Arrival({**dict.fromkeys(COLUMNS), "n": "1"}))),
    (BadTuple, lambda: fed(Arrival({**dict.fromkeys(COLUMNS), "n": True}))),
    (BadTuple, lambda: fed(Arrival({**dict.fromkeys(COLUMNS), "ts": 5}))),
    (BadTuple, lambda: fed(End())),
    (BadPunctuation, lambda: fed(Promise({"ts": None}))),
    (BadPunctuation, lambda: fed(Promise({"seg": "a", "ts": None}), stream=PUNCTUATED)),
    (BadPunctuation, lambda: fed(Promise({"lane": 1}), stream=PUNCTUATED)),
    (BadPunctuation, lambda: ReferenceStream(columns=COLUMNS, punctuation=("ts",), substreams=(("a",),))),
    (
        ConflictingClauses,
        lambda: ReferenceStream(columns=COLUMNS, order_by="ts", punctuation=("ts",), generator=Slack(seconds(1))),
    ),
]


@pytest.mark.parametrize(("error", "act"), REFUSED, ids=[f"{n}-{error.__name__}" for n, (error, _) in enumerate(REFUSED)])
def test_what_does_not_fit_is_refused_by_name_with_a_remedy(error: type[TransomError], act: Callable[[], Any]) -> None:
    with pytest.raises(error) as caught:
        act()
    assert caught.value.remedy
    assert caught.value.given is not None


def test_an_unknown_column_proposes_the_nearest_and_lists_those_that_exist() -> None:
    with pytest.raises(UnknownColumn) as caught:
        asked(select={"x": "max(sped)"})
    assert "did you mean 'speed'?" in str(caught.value)
    assert "seg, speed, n, ts, ok" in str(caught.value)


def test_lengths_on_a_double_attribute_are_doubles() -> None:
    from decimal import Decimal

    from transom.reference.binding import bind

    window = bind(query(window=tumbling(Decimal("0.1"), "speed")), TRAFFIC).window
    assert isinstance(window, Sliding)
    assert (window.range, window.slide) == (0.1, 0.1)
    assert isinstance(window.range, float)
