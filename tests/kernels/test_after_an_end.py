"""After an end of the input new tuples open new windows; for those that the end closed they are late."""

from __future__ import annotations

import pytest

import transom as tr
from transom.reference.history import Arrival, End
from transom.reference.of_plan import lower
from transom.testing.kernels import KernelEngine


@pytest.mark.parametrize("panes", [True, False])
@pytest.mark.parametrize("window", ["[TUMBLE 10]", "[RANGE 20 SLIDE 10]", "[SESSION GAP 5]"])
def test_windows_that_open_after_an_end_are_reported(window, panes):
    script = f"CREATE STREAM t (v INT, a INT) ORDER BY a; SELECT count(*) AS n, window_end FROM t {window}"
    execution = KernelEngine(panes=panes).start(*lower(tr.sql(script).plan))
    first = execution.feed([Arrival({"v": 1, "a": 3}), End()])
    assert first
    assert execution.feed([Arrival({"v": 1, "a": 4}), Arrival({"v": 1, "a": 55})]) == []
    second = execution.feed([End()])
    assert second
    assert min(row["window_end"] for row in second) > max(row["window_end"] for row in first)
    assert all(row["n"] == 1 for row in (*first, *second))
