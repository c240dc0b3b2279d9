"""Bodies put together at random do what interpreted ones do: look-ups remembered and forgotten, rows that are there or not."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.uda.bodies import aggregates
from tests.uda.test_compiled import run
from transom.reference.values.user import windowed
from transom.semantics.length import Rows
from transom.uda.compile.drive import Drive
from transom.uda.compile.program import compiled
from transom.uda.run.runners import Straight

EXAMPLES = int(os.environ.get("TRANSOM_BODIES", "60"))

KEYS = ["{x}", "{x} % 3", "{y} % 3", "{x} % 2 - {y} % 2"]
VALUES = [
    "{x}",
    "{y} % 2",
    "({x} * 2 - {y}) % 3",
    "({x} * 2 - {y}) % 5",
    "abs({x}) % 4",
    "-{x} % 3",
    "LEAST({y}, {x} % 3, 1)",
    "7",
]
KEPT = [
    "INSERT INTO t SELECT {k}, 0 WHERE NOT EXISTS (SELECT 1 FROM t WHERE k = {k})",
    "UPDATE t SET n = n + {v} WHERE k = {k}",
    "UPDATE t SET n = GREATEST(n, {v}) WHERE k = {k} AND n < 9",
    "INSERT INTO RETURN SELECT n * 10 + {v} FROM t WHERE k = {k}",
    "INSERT INTO RETURN SELECT {v} WHERE EXISTS (SELECT 1 FROM t WHERE k = {k})",
    "INSERT INTO RETURN SELECT {v} + count(*) FROM t",
]
ASKED = ["INSERT INTO RETURN SELECT LEAST(n, {v}, (SELECT q.n FROM t AS q WHERE q.k = {k})) FROM t WHERE k = {k}"]
LOST = ["DELETE FROM t WHERE k = {k}", "DELETE FROM t WHERE n > {v}", "DELETE FROM inwindow WHERE a < {x} AND NOT is_newest()"]
DOUBLED = ["INSERT INTO t VALUES ({k}, {v})", "UPDATE t SET k = k + 1 WHERE n > {v}"]
ARRIVING, LEAVING = {"x": "x", "y": "y"}, {"x": "oldest().a", "y": "oldest().b"}

BODY = """
CREATE WINDOW AGGREGATE made(x BIGINT, y BIGINT) RETURNS BIGINT {{
  TABLE t(k BIGINT, n BIGINT);
  TABLE inwindow(a BIGINT, b BIGINT);
  INITIALIZE: {{ INSERT INTO t VALUES ({first}, 1); INSERT INTO RETURN VALUES (1); }}
  ITERATE: {{ {iterate} }}
  EXPIRE: {{ {expire} }}
}};
"""


@st.composite
def bodies(draw: st.DrawFn) -> str:
    kept = KEPT + draw(st.sampled_from([ASKED, ASKED, ASKED + LOST, DOUBLED]))
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=2, unique=True))

    def statement(names: dict[str, str], among: list[str]) -> str:
        key, value = draw(st.sampled_from(keys)), draw(st.sampled_from(VALUES))
        either = draw(st.sampled_from([names, names, {**names, "x": LEAVING["x"]}]))
        return draw(st.sampled_from(among)).format(k=key.format(**either), v=value.format(**names), x=names["x"]) + ";"

    iterate = [statement(ARRIVING, KEPT[:1]), *(statement(ARRIVING, kept) for _ in range(draw(st.integers(1, 6))))]
    expire = [statement(LEAVING, [each for each in kept if "INTO t" not in each]) for _ in range(draw(st.integers(1, 3)))]
    return BODY.format(first=keys[0].format(**ARRIVING), iterate=" ".join(iterate), expire=" ".join(expire))


@pytest.mark.long
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_random_bodies(data: st.DataObject) -> None:
    aggregate = aggregates(data.draw(bodies()))["made"]
    value = data.draw(st.sampled_from([st.integers(-4, 4), st.none() | st.integers(-2, 2)]))
    rows = data.draw(st.lists(st.tuples(value, value), min_size=1, max_size=12))
    reach, cuts = data.draw(st.integers(0, 4)), data.draw(st.lists(st.integers(0, 12), max_size=2))
    program = compiled(aggregate)[1]
    assert program is not None
    tuples = [(place, list(row), None) for place, row in enumerate(rows)]
    expected = [value for _, values in windowed(aggregate, Rows(reach), tuples) for value in values]
    assert run(Straight(program, Drive("rows"), reach), rows, list(range(len(rows))), cuts) == expected
