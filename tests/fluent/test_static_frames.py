"""DataFrames beside streams: what stands for a table in SQL and in Python, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import transom as tr
from transom.errors import BadQuery, NotSupported, TransomError, UnknownColumn
from transom.plan.nodes.relational import TableJoin

TRAFFIC = tr.stream({"seg_id": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")


class Frame:
    """As much of a DataFrame as a plan looks at."""

    dtypes = (("seg_id", "string"), ("name", "string"))

    def __init__(self, streams: bool = False) -> None:
        self.isStreaming = streams


ROADS: Any = Frame()


def joined(query: tr.Relation) -> TableJoin:
    return next(node for node in query.plan.walk() if isinstance(node, TableJoin))


def test_the_same_in_sql_and_python() -> None:
    in_sql = tr.sql("SELECT name FROM traffic JOIN roads ON traffic.seg_id = roads.seg_id", traffic=TRAFFIC, roads=ROADS)
    in_python = TRAFFIC.join(ROADS, on="traffic.seg_id = roads.seg_id", name="roads").select("name")
    assert in_python.plan == in_sql.plan
    assert joined(in_sql).frame is ROADS
    assert joined(in_python).frame is ROADS
    assert "JOIN static USING (seg_id)" in TRAFFIC.join(ROADS, on="seg_id", how="leftouter").sql()
    assert joined(TRAFFIC.join(ROADS, on=["seg_id"], how="leftouter")).kind == "LEFT"
    assert TRAFFIC.join(ROADS, on="seg_id", how="leftanti").columns == TRAFFIC.columns
    assert "LEFT SEMI JOIN static USING (seg_id)" in TRAFFIC.join(ROADS, on="seg_id", how="semi").sql()


def test_with_a_bracket_or_as_a_stream_it_is_none() -> None:
    asked = "SELECT name FROM traffic [TUMBLE 5 MINUTES] JOIN roads [RANGE 5 ROWS] ON traffic.seg_id = roads.seg_id"
    assert not [node for node in tr.sql(asked, traffic=TRAFFIC, roads=ROADS).plan.walk() if isinstance(node, TableJoin)]
    assert tr.sql("SELECT name FROM roads", roads=ROADS).columns == ["name"]


REFUSED: dict[str, tuple[Callable[[], Any], type[TransomError], str]] = {
    "what streams": (lambda: TRAFFIC.join(Frame(True), on="seg_id"), BadQuery, "no static side"),  # type: ignore[call-overload]
    "right": (lambda: TRAFFIC.join(ROADS, on="seg_id", how="right"), NotSupported, "a stream has no end"),
    "a column that one has": (lambda: TRAFFIC.join(ROADS, on="speed"), UnknownColumn, "table 'static' has no column 'speed'"),
    "nothing compared": (lambda: TRAFFIC.join(ROADS), BadQuery, "compares columns"),
    "no DataFrame": (lambda: TRAFFIC.join(7, on="seg_id"), BadQuery, "joined with a DataFrame"),  # type: ignore[call-overload]
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_by_name(what: str) -> None:
    act, kind, words = REFUSED[what]
    with pytest.raises(kind, match=words):
        act()
