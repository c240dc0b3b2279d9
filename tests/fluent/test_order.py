"""The time of arrival is not taken for a timestamp unless it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import transom as tr
from transom.errors import MissingClause
from transom.spark.running.execution import check_completes


class Frame:
    """What a stream needs to know of a DataFrame."""

    dtypes = (("k", "string"), ("mile", "int"), ("ts", "timestamp"), ("day", "date"))
    isStreaming = True  # noqa: N815


DF: Any = Frame()
MINUTES = tr.minutes(5)

REFUSED: dict[str, Callable[[], Any]] = {
    "tumble": lambda: tr.stream(DF).window(tumble=MINUTES),
    "columns": lambda: tr.stream({"ts": "TIMESTAMP", "day": "DATE"}).window(tumble=MINUTES),
    "every instant": lambda: tr.stream(DF).window(range=MINUTES),
    "now": lambda: tr.stream(DF).window(now=True),
    "session": lambda: tr.stream(DF).window(gap=MINUTES),
    "slide by tuple": lambda: tr.stream(DF).window(range=MINUTES, slide=tr.rows(1)),
    "over": lambda: tr.stream(DF).select(n=tr.count().over(preceding=MINUTES)),
    "slack": lambda: tr.stream(DF, slack=MINUTES),
    "sql": lambda: tr.sql("SELECT count(*) AS n FROM df [TUMBLE 5 MINUTES]", df=DF),
    "sql on a stream": lambda: tr.sql("SELECT count(*) AS n FROM df [TUMBLE 5 MINUTES]", df=tr.stream(DF)),
    "sql over": lambda: tr.sql("SELECT count(*) OVER (RANGE 5 MINUTES PRECEDING) AS n FROM df", df=DF),
    "sql over and more": lambda: tr.sql("SELECT 1 + count(*) OVER (RANGE 5 MINUTES PRECEDING) AS n FROM df", df=DF),
    "derived": lambda: tr.stream(DF).select("k").as_stream("d").window(tumble=MINUTES),
    "joined": lambda: tr.sql("SELECT a.k FROM df [TUMBLE 5 MINUTES] AS a JOIN df [TUMBLE 5 MINUTES] AS b ON a.k = b.k", df=DF),
}


@pytest.mark.parametrize("what", REFUSED)
def test_no_order_no_window_in_time(what: str) -> None:
    with pytest.raises(MissingClause, match="is ordered by") as caught:
        REFUSED[what]()
    assert caught.value.exists == ["ts", "day", "arrival_ts"]
    assert 'order_by="ts"' in caught.value.remedy


ALLOWED: dict[str, Callable[[], tr.Relation]] = {
    "asked for": lambda: tr.stream(DF, order_by="arrival_ts").window(tumble=MINUTES).agg(n="count(*)"),
    "rows": lambda: tr.stream(DF).window(range=tr.rows(3), slide=tr.rows(3)).agg(n="count(*)"),
    "over rows": lambda: tr.stream(DF).select(n=tr.count().over(range=tr.rows(4))),
    "sql, asked for": lambda: tr.sql("SELECT count(*) AS n FROM df [TUMBLE 5 MINUTES WATTR arrival_ts]", df=DF),
    "sql, defined so": lambda: tr.sql("CREATE STREAM s (k INT); SELECT count(*) AS n FROM s [TUMBLE 5 MINUTES]"),
    "slack at the window": lambda: tr.stream(DF).window(tumble=5, wattr="mile").tolerate(slack=3).agg(n="count(*)"),
}


@pytest.mark.parametrize("what", ALLOWED)
def test_arrival_is_asked_for(what: str) -> None:
    check_completes(ALLOWED[what]().plan)


ENDLESS: dict[str, Callable[[], tr.Relation]] = {
    "no order": lambda: tr.stream(DF).window(tumble=MINUTES, wattr="ts").agg(n="count(*)"),
    "another order": lambda: tr.stream(DF, order_by="ts").window(tumble=5, wattr="mile").agg(n="count(*)"),
    "rank": lambda: tr.stream(DF, order_by="ts").window(range=tr.rows(3), wattr="rank(mile)").agg(n="count(*)"),
    "sql": lambda: tr.sql("SELECT count(*) AS n FROM df [TUMBLE 5 WATTR mile]", df=tr.stream(DF, order_by="ts")),
    "over": lambda: tr.stream(DF).select(n=tr.count().over(range=tr.rows(4), order_by="ts")),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_windows_that_would_never_be_complete(what: str) -> None:
    with pytest.raises(MissingClause, match="would ever be complete"):
        check_completes(ENDLESS[what]().plan)


def test_on_what_has_an_end_they_are_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Frame, "isStreaming", False)
    for query in ENDLESS.values():
        check_completes(query().plan)
