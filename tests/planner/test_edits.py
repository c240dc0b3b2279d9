"""Which edits of a query resume from its checkpoint, and which are refused: state depends on a fingerprint alone."""

from __future__ import annotations

import pytest

from transom.language import bind_script
from transom.planner import plan as planned

STREAM = "CREATE STREAM s (k STRING, v BIGINT, ts TIMESTAMP) ORDER BY ts SLACK 1 SECOND;"
WINDOW = "FROM s [RANGE 10 SECONDS SLIDE 5 SECONDS] GROUP BY k"
QUERY = f"SELECT k, sum(v) AS t, count(*) AS n {WINDOW}"


def fingerprints(query: str, stream: str = STREAM) -> list[str]:
    return planned(bind_script(f"{stream}\n{query};").queries[-1]).fingerprints


RESUMES = {
    "another order": f"SELECT count(*) AS n, k, sum(v) AS t {WINDOW}",
    "other names": f"SELECT k AS who, sum(v) AS total, count(*) AS rows_in {WINDOW}",
    "expressions over the same aggregates": f"SELECT k, sum(v) / count(*) AS mean {WINDOW}",
    "a column of the window": f"SELECT k, window_end, sum(v) AS t, count(*) AS n {WINDOW}",
    "HAVING": f"{QUERY} HAVING count(*) > 1",
    "a condition on the result": f"SELECT * FROM ({QUERY}) q WHERE t > 5",
    "a sink": f"INSERT INTO FILE 'elsewhere' FORMAT parquet {QUERY}",
}
REFUSED = {
    "another aggregate": f"SELECT k, sum(v) AS t, count(*) AS n, max(v) AS hi {WINDOW}",
    "an aggregate in HAVING": f"{QUERY} HAVING max(v) > 1",
    "one aggregate less": f"SELECT k, sum(v) AS t {WINDOW}",
    "another window": QUERY.replace("SLIDE 5", "SLIDE 2"),
    "another key": QUERY.replace("GROUP BY k", "GROUP BY v").replace("SELECT k", "SELECT v"),
    "a condition on tuples": QUERY.replace("GROUP BY", "WHERE v > 1 GROUP BY"),
}


@pytest.mark.parametrize("edit", RESUMES)
def test_edits_that_do_not_touch_state(edit: str) -> None:
    assert fingerprints(RESUMES[edit]) == fingerprints(QUERY)


@pytest.mark.parametrize("edit", REFUSED)
def test_edits_that_do(edit: str) -> None:
    assert fingerprints(REFUSED[edit]) != fingerprints(QUERY)


@pytest.mark.parametrize("tolerance", ["SLACK 9 SECONDS", "SLACK 0 SECONDS", "SLACK 1 DAY"])
def test_tolerance(tolerance: str) -> None:
    assert fingerprints(QUERY, STREAM.replace("SLACK 1 SECOND", tolerance)) == fingerprints(QUERY)
