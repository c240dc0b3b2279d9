"""NaN and infinity that a body makes of plain numbers compare as in SQL."""

from __future__ import annotations

import pytest

from tests.uda.bodies import aggregates
from transom.reference.values.body import run
from transom.uda.analyse.wild import Wild
from transom.uda.compile.program import compiled

BLOWN = """
CREATE AGGREGATE blown(x DOUBLE) RETURNS BIGINT {
  TABLE state(v DOUBLE, plain DOUBLE);
  TABLE seen(at DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, x); INSERT INTO seen VALUES (x, 0); }
  ITERATE: {
    UPDATE state SET v = v * 1e308 - v * 1e308 * 10, plain = GREATEST(plain, x);
    INSERT INTO seen SELECT v, 1 FROM state;
    UPDATE seen SET n = n + 1 WHERE at = (SELECT s.v FROM state AS s);
    INSERT INTO RETURN SELECT %s FROM state;
  }
};
"""


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("CASE WHEN v = v THEN 1 ELSE 0 END", 1),
        ("CASE WHEN v <> v THEN 1 ELSE 0 END", 0),
        ("CASE WHEN v > plain THEN 1 ELSE 0 END", 1),
        ("CASE WHEN v <= plain THEN 1 ELSE 0 END", 0),
        ("CASE WHEN v <=> v THEN 1 ELSE 0 END", 1),
        ("CASE WHEN GREATEST(plain, v) = v THEN 1 ELSE 0 END", 1),
        ("CASE WHEN LEAST(v, plain) = plain THEN 1 ELSE 0 END", 1),
        ("CASE WHEN v IN (1.0, v) THEN 1 ELSE 0 END", 1),
        ("(SELECT max(q.n) FROM seen AS q WHERE q.at = v)", 2),
        ("CASE WHEN EXISTS (SELECT 1 FROM seen AS q WHERE q.at = v) THEN 1 ELSE 0 END", 1),
    ],
)
def test_a_nan_of_its_own(asked: str, expected: int) -> None:
    aggregate = aggregates(BLOWN % asked)["blown"]
    program, _ = compiled(aggregate)
    assert program is not None
    assert program.whole([[10.0, 3.0]]) == [expected] == run(aggregate, [(10.0,), (3.0,)], {})


def test_what_comes_from_arguments_is_not_looked_at() -> None:
    aggregate = aggregates(BLOWN % "1")["blown"]
    program, _ = compiled(aggregate)
    assert program is not None
    assert Wild(program.bound).columns == {(0, 0), (1, 0)}
