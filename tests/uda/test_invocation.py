"""Which version runs, by the way an aggregate is called (seed 003, figure 2), and what EXPLAIN says about it."""

from __future__ import annotations

import pytest

import transom as tr
from tests.uda.bodies import SPECIFICATION
from transom.explain import explain
from transom.language import bind_script

BASE = """
CREATE AGGREGATE lone(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x); }
  ITERATE: { UPDATE state SET v = v + x; }
  TERMINATE: { INSERT INTO RETURN SELECT v FROM state; }
};
CREATE STREAM bid (item BIGINT, price DOUBLE, t INT) ORDER BY t;
"""

CASES = {
    "SELECT lone(price) OVER (ROWS UNBOUNDED PRECEDING) AS y FROM bid": "the base version, TERMINATE after each tuple",
    "SELECT lone(price) OVER (ROWS 9 PRECEDING) AS y FROM bid": "derived from the base version",
    "SELECT lone(price) OVER (RANGE 9 PRECEDING SLIDE 3) AS y FROM bid": "run over the window again at each yield tuple",
    "SELECT myavg(price) OVER (ROWS 9 PRECEDING) AS y FROM bid": "the WINDOW AGGREGATE myavg is kept up to date by deltas",
    "SELECT lone(price) OVER (ROWS 9 PRECEDING SLIDE 10 ROWS) AS y FROM bid": "SLIDE >= RANGE: the base version is started anew",
    "SELECT lone(price) OVER (RANGE 9 PRECEDING SLIDE 9) AS y FROM bid": "SLIDE >= RANGE: the base version is started anew",
    "SELECT lone(price) OVER (ROWS 9 PRECEDING SLIDE 9 ROWS) AS y FROM bid": "run over the window again at each yield tuple",
    "SELECT myavg(price) OVER (ROWS 49 PRECEDING SLIDE 10 ROWS) AS y FROM bid": "myavg has COMBINE: the base version on panes",
    "SELECT mymax(price) OVER (ROWS 49 PRECEDING SLIDE 20 ROWS) AS y FROM bid": "ALGEBRAIC: the base version on panes of 10 rows",
    "SELECT mymax(price) OVER (ROWS 9 PRECEDING SLIDE 3 ROWS) AS y FROM bid": "gives results at yield tuples only",
    "SELECT silence('x') OVER (RANGE 9 PRECEDING ACTIVE EXPIRATION) AS y FROM bid": "EXPIRE runs when the time of a tuple is up",
    "SELECT decay_avg(price) AS y FROM bid": "decay_avg: the base version",
}


@pytest.mark.parametrize("sql", CASES, ids=range(len(CASES)))
def test_explain_says_which_version_runs_and_why(sql: str) -> None:
    plan = bind_script(SPECIFICATION + BASE + sql + ";").queries[-1]
    line = next(line for line in explain(plan).splitlines() if line.startswith("strategy:"))
    assert line.startswith("strategy: sequential (")
    assert CASES[sql] in line


def test_combine_gives_panes_to_windows_too() -> None:
    panes = tr.sql(SPECIFICATION + BASE + "SELECT myavg(price) AS y FROM bid [RANGE 50 SLIDE 10];")
    whole = tr.sql(SPECIFICATION + BASE + "SELECT lone(price) AS y FROM bid [RANGE 50 SLIDE 10];")
    assert "strategy: panes" in explain(panes.plan)
    assert "strategy: extents (LONE(price) is holistic: it needs the tuples)" in explain(whole.plan)
