"""Checkpoints are found again by fingerprints, which hold the names of classes: whoever renames one of those orphans them."""

from __future__ import annotations

import pytest

from transom.language.script import bind_script
from transom.planner import plan

STREAMS = """
CREATE STREAM a (k INT, v INT, ts TIMESTAMP) ORDER BY ts;
CREATE STREAM b (k INT, w INT, ts TIMESTAMP) ORDER BY ts;
"""

WINDOWS = "FROM a [RANGE 1 MINUTE] JOIN b [RANGE 1 MINUTE] ON a.k = b.k"
MAXIMA = "(SELECT max(v) AS v FROM a [TUMBLE 1 MINUTE]) AS c JOIN (SELECT max(w) AS w FROM b [TUMBLE 1 MINUTE]) AS d"
STORED = {
    "SELECT k, sum(v) AS n FROM a [RANGE 5 MINUTES SLIDE 1 MINUTE] GROUP BY k": ["b4e5c5b93fdd4fb0"],
    "SELECT max(v) AS n FROM a [RANGE 9 ROWS PATTR k SLACK 5 SECONDS]": ["6aa0120818469144"],
    "SELECT sum(v) OVER (PARTITION BY k ORDER BY ts ROWS 4 PRECEDING) AS n FROM a": ["9991b3b623127456"],
    "SELECT max(n) AS m FROM (SELECT count(*) AS n FROM a [TUMBLE 1 MINUTE]) [TUMBLE 1 HOUR]": [
        "d49dbb99fe1332a3",
        "0fe46877419f7e50",
    ],
    f"SELECT v, w {WINDOWS}": ["e71bfaf7feb714a3"],
    f"SELECT v, w {WINDOWS.replace('JOIN', 'LEFT JOIN')} AND (a.v < b.w OR a.v > 9)": ["d08b5aeaa413b0c9"],
    f"SELECT v, count(*) AS n {WINDOWS} GROUP BY v": ["708120f4dcae8a75"],
    f"SELECT ISTREAM v, w {WINDOWS}": ["bfcaea94b63402d6"],
    "SELECT count(*) AS n FROM a [TUMBLING count(5)]": ["77f291de98f89b7d"],
    f"SELECT c.v, d.w FROM {MAXIMA} ON c.event_ts = d.event_ts": ["c5968d329d1746d5"],
}
"""Queries, and the fingerprints in checkpoints that there are of them."""


@pytest.mark.parametrize("query", STORED, ids=range(len(STORED)))
def test_a_stored_fingerprint_stays(query: str) -> None:
    assert plan(bind_script(STREAMS + query).queries[0]).fingerprints == STORED[query]
