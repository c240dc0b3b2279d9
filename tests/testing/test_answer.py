"""`answer` understands what a stream says about disorder as Spark does, or says that it cannot."""

from __future__ import annotations

import pytest

import transom as tr
from transom.errors import NotSupported
from transom.testing import answer

COUNT = "SELECT count(*) AS n, window_end FROM t [TUMBLE 10]"


@pytest.mark.parametrize("where", ["stream", "bracket"])
def test_rows_that_are_promises(where: str) -> None:
    clause = "PUNCTUATION (a) WHEN done"
    on_stream, in_bracket = (clause, "") if where == "stream" else ("", clause)
    query = tr.sql(f"CREATE STREAM t (a INT, done BOOLEAN) ORDER BY a {on_stream}; {COUNT[:-1]} {in_bracket}]")
    found = answer(query, [(1, False), (12, None), (3, False), (None, True), (10, True), (4, False)])
    assert [(row["n"], row["window_end"]) for row in found.rows] == [(2, 10)]
    assert (found.counts.late, found.counts.dropped) == (1, 1)


def test_there_is_no_clock_to_be_ahead_of() -> None:
    stream = "CREATE STREAM t (ts TIMESTAMP, at TIMESTAMP) ORDER BY ts SLACK 1 SECOND AHEAD 1 HOUR"
    tuples = [("2026-01-05 14:00:00", "2026-01-05 14:00:01"), ("2026-01-09 14:00:00", "2026-01-05 14:00:02")]
    query = "SELECT count(*) AS n FROM t [TUMBLE 1 MINUTE]"
    with pytest.raises(NotSupported, match="no clock"):
        answer(tr.sql(f"{stream}; {query}"), tuples)
    found = answer(tr.sql(f"{stream} ARRIVAL BY at; {query}"), tuples, end=True)
    assert [row["n"] for row in found.rows] == [1]
    assert found.counts.outside == 1


@pytest.mark.parametrize(
    "source",
    ["(SELECT x, a FROM t WHERE x > 0) AS u [TUMBLE 10]", "t [TUMBLE 10] WHERE x > 0", "t [TUMBLE 10 WHERE x > 0]"],
    ids=["before the window", "behind it", "in its bracket"],
)
def test_where_a_condition_stands_does_not_change_what_is_counted(source: str) -> None:
    query = tr.sql(f"CREATE STREAM t (x INT, a INT) ORDER BY a; SELECT sum(x) AS total, window_end FROM {source}")
    found = answer(query, [(1, 1), (-1, 2), (2, 12), (-1, 3), (4, 5), (8, None), (-1, None)], end=True)
    counts = found.counts
    assert (counts.arrived, counts.used, counts.dropped, counts.outside, counts.late) == (4, 2, 1, 1, 1)
    assert [(row["total"], row["window_end"]) for row in found.rows] == [(1, 10), (2, 20)]
