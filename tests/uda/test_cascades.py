"""Tumbles and panes give what the base version gives over each frame, however the tuples are cut."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.uda.bodies import aggregates, everything
from tests.uda.test_compiled import natural, plain, tuples
from transom.reference.values.user import at_last
from transom.uda.compile.program import compiled, is_odd
from transom.uda.run.cascades import Combine, PaneFeed, Tumble
from transom.uda.run.pane_states import PaneStates, VariableValues, Whole, partials_of
from transom.uda.run.python_aggregate import PythonAggregate, PythonProgram
from transom.uda.run.runners import Runner, Tuples

COMBINED = """
-- the order of panes matters, and tables are combined
CREATE AGGREGATE texts(x BIGINT) RETURNS STRING {
  TABLE state(s STRING, n BIGINT);
  TABLE seen(v BIGINT, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (CAST(x AS STRING), 1); INSERT INTO seen VALUES (x, 1); }
  ITERATE: {
    UPDATE state SET s = s || ',' || CAST(x AS STRING), n = n + 1;
    INSERT INTO seen SELECT x, 0 WHERE NOT EXISTS (SELECT 1 FROM seen WHERE v = x);
    UPDATE seen SET n = n + 1 WHERE v = x;
  }
  TERMINATE: {
    UPDATE seen SET n = n * 100;
    INSERT INTO RETURN SELECT s || '/' || CAST(n AS STRING) FROM state;
    INSERT INTO RETURN SELECT CAST(v AS STRING) || ':' || CAST(n AS STRING) FROM seen ORDER BY v;
  }
  COMBINE: {
    UPDATE state SET s = s || ',' || other.s, n = n + (SELECT max(o.n) FROM other.state AS o);
    UPDATE seen SET n = n + (SELECT max(o.n) FROM other.seen AS o WHERE o.v = seen.v)
      WHERE EXISTS (SELECT 1 FROM other.seen AS o WHERE o.v = seen.v);
    INSERT INTO seen SELECT o.v, o.n FROM other.seen AS o WHERE NOT EXISTS (SELECT 1 FROM seen AS q WHERE q.v = o.v);
  }
};
"""
ALL = {**everything(), **aggregates(COMBINED)}


def driven(runner: Runner, rows: list[tuple[Any, ...]], cuts: list[int]) -> list[list[Any]]:
    """The rows of each yield tuple, with what is kept read again at each cut."""
    entry, found = runner.fresh(), list[list[Any]]()
    bounds = [0, *sorted({min(cut, len(rows)) for cut in cuts}), len(rows)]
    for start, end in pairwise(bounds):
        columns = [list(column) for column in zip(*rows[start:end], strict=True)] or [[] for _ in rows[0]]
        out, ends = runner.run(entry, Tuples(columns, odd=is_odd(columns)))
        found += [out[a:b] for a, b in pairwise([0, *(range(1, len(out) + 1) if ends is None else ends)])]
        entry = runner.restore(json.loads(json.dumps(runner.dump(entry))))
    return [[plain(value) for value in values] for values in found]


def expected(name: str, rows: list[tuple[Any, ...]], size: int, slide: int) -> list[list[Any]]:
    aggregate = ALL[name]
    ends = range(slide, len(rows) + 1, slide)
    frames = [[natural(row, aggregate) for row in rows[max(0, end - size) : end]] for end in ends]
    return [[plain(value) for value in at_last(aggregate, frame)] for frame in frames]


COMBINING = sorted(name for name, each in ALL.items() if each.can_combine)
CUTS = st.lists(st.integers(0, 14), max_size=3)


@pytest.mark.parametrize("nulls", [False, True], ids=["plain", "nulls"])
@pytest.mark.parametrize("name", sorted(ALL))
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_tumbles(name: str, nulls: bool, data: st.DataObject) -> None:
    base, window = compiled(ALL[name])
    program = base or window
    assert program is not None
    slide = data.draw(st.integers(1, 5))
    size = data.draw(st.integers(1, slide))
    rows = data.draw(tuples(ALL[name], nulls=nulls))
    assert driven(Tumble(program, slide, size), rows, data.draw(CUTS)) == expected(name, rows, size, slide)


@pytest.mark.parametrize("nulls", [False, True], ids=["plain", "nulls"])
@pytest.mark.parametrize("name", COMBINING)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_states_of_panes_are_combined(name: str, nulls: bool, data: st.DataObject) -> None:
    program = compiled(ALL[name])[0]
    assert program is not None
    pane, panes = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 5))
    per_slide = data.draw(st.integers(1, panes))
    rows = data.draw(tuples(ALL[name], nulls=nulls and name != "texts"))
    found = driven(Combine(program, pane, panes, per_slide), rows, data.draw(CUTS))
    assert found == expected(name, rows, pane * panes, pane * per_slide)


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_results_of_panes_are_fed_on(data: st.DataObject) -> None:
    base, window = compiled(ALL["mymax"])
    assert base is not None
    assert window is not None
    pane, panes = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 5))
    per_slide = data.draw(st.integers(1, panes))
    rows = data.draw(tuples(ALL["mymax"], nulls=False))
    found = driven(PaneFeed(base, window, pane, panes, per_slide), rows, data.draw(CUTS))
    assert found == expected("mymax", rows, pane * panes, pane * per_slide)


class Joined:
    def initialize(self, x: int) -> None:
        self.parts = [x]

    def iterate(self, x: int) -> None:
        self.parts.append(x)

    def combine(self, other: Joined) -> None:
        other.parts[:0] = self.parts
        self.parts = other.parts

    def terminate(self) -> str:
        self.parts.append(-1)
        return str(self.parts)


def test_classes_may_take_what_they_combine_with() -> None:
    program: Any = PythonProgram(PythonAggregate("joined", (("", "STRING"),), Joined), is_window=False)
    found = driven(Combine(program, 1, 3, 1), [(n,) for n in range(6)], [4])
    assert found == [[str([*range(max(0, n - 2), n + 1), -1])] for n in range(6)]


def test_each_pane_is_combined_a_few_times_only() -> None:
    program = compiled(ALL["myavg"])[0]
    assert program is not None

    class Counting(VariableValues):
        combined = 0

        def joined(self, own: Any, other: Any, careful: bool) -> Any:
            self.combined += 1
            return (*own, *other)

    how = Counting(program)
    panes = PaneStates(how, 50)
    for n in range(1_000):
        panes.enter((n,))
        assert panes.combined() == tuple(range(max(0, n - 49), n + 1))
    assert how.combined <= 3_000


def test_of_states_that_are_variables_only_values_are_kept() -> None:
    myavg, texts = compiled(ALL["myavg"])[0], compiled(ALL["texts"])[0]
    assert myavg is not None
    assert texts is not None
    assert isinstance(partials_of(myavg), VariableValues)
    assert isinstance(partials_of(texts), Whole)
    runner = Combine(myavg, 2, 3, 1)
    entry = runner.fresh()
    runner.run(entry, Tuples([[1.0, 2.0, 3.0, 4.0, 5.0]]))
    assert runner.dump(entry)["whole"] == [[3.0, 2], [7.0, 2]]
