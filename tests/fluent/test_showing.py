"""Whatever a user can hold says in a few words what it is."""

from __future__ import annotations

from typing import Any

import pytest

import transom as tr
from transom.quality.moment import Moment
from transom.spark.running.running_query import RunningQuery

T = tr.stream({"k": "STRING", "v": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="t")
W = T.window(tumble="5 minutes")
Q = W.group_by("k").agg("window_end", hi=tr.max("v"))


class Running:
    """A StreamingQuery of Spark's."""

    isActive = True  # noqa: N815


OBJECTS: dict[str, Any] = {
    "stream": T,
    "window": W,
    "groups": W.group_by("k"),
    "query": Q,
    "late": Q.late(),
    "insert": Q.insert_into("FILE", "out"),
    "together": tr.together(Q, W.group_by("k").agg("window_end", hi=tr.max("v"))),
    "derived": Q.as_stream("q").window(tumble="1 hour").agg(n=tr.count()),
    "union": T.union(T),
    "aggregate": tr.max("v"),
    "frame": tr.max("v").over(range=tr.rows(4)),
    "spec": tr.tumbling("5 minutes"),
    "schema": T.schema,
    "length": tr.minutes(5),
    "rows": tr.rows(5),
    "running": RunningQuery("FILE out", Running()),
    "finished": RunningQuery("FILE out"),
    "quality": tr.Quality("q", (Moment(seen=5000, late=21, used=4980, dropped=12, outside=8, held=28),) * 50),
}


@pytest.mark.parametrize("what", OBJECTS)
def test_in_a_few_words(what: str) -> None:
    shown = repr(OBJECTS[what])
    assert len(shown) < 260
    assert "\n" not in shown
    assert "plan=" not in shown
    assert len(str(OBJECTS[what])) < 400


def test_a_schema_shows_its_columns() -> None:
    assert repr(T.schema) == "<Schema k STRING, v DOUBLE, ts TIMESTAMP>"


def test_a_query_tells_sql_columns_and_input() -> None:
    asked = "SELECT k, window_end, MAX(v) AS hi FROM t [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts] GROUP BY k"
    assert repr(Q) == f"<Relation, columns without data: {asked}>"
    assert str(Q) == f"{asked}\n  columns: k STRING, window_end TIMESTAMP, hi DOUBLE\n  input:   columns without data"
    page = Q.select("k")._repr_html_()
    assert "<td style='text-align:left'>k</td>" in page
    assert "SELECT" in page


@pytest.mark.parametrize(("streams", "word"), [(True, "streaming"), (False, "batch")])
def test_whether_it_streams(streams: bool, word: str) -> None:
    class Frame:
        dtypes = (("v", "double"), ("ts", "timestamp"))
        isStreaming = streams  # noqa: N815

    frame: Any = Frame()
    assert repr(tr.stream(frame, order_by="ts")).startswith(f"<Relation, {word}: ")
