"""The library: each aggregate is documented with an example that binds, and does what it says."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transom as tr
from tests.engines.kernels import KernelEngine
from tests.uda.bodies import library
from transom.language import bind_script
from transom.language.library import names, text_of
from transom.reference.evaluate import evaluate
from transom.reference.history import Arrival, End, Item
from transom.reference.of_plan import lower
from transom.testing.compare import difference
from transom.uda.compile.program import Drive, compiled, is_odd

ALL = library()
DOCS = (Path(__file__).parents[2] / "docs" / "aggregates.md").read_text(encoding="utf-8")
STREAMS = """
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING, ts TIMESTAMP) ORDER BY ts;
CREATE STREAM reading (item STRING, sensor STRING, seen TIMESTAMP) ORDER BY seen;
CREATE STREAM door (code STRING, id STRING, seen TIMESTAMP) ORDER BY seen;
"""


@pytest.mark.parametrize("name", sorted(names()))
def test_it_is_documented_with_an_example_that_binds(name: str) -> None:
    example = next(line for line in text_of(name).splitlines() if line.startswith("-- example: "))
    assert bind_script(STREAMS + example.removeprefix("-- example: ")).queries
    assert name in example
    assert f"`{name}`" in DOCS


def base(name: str, *columns: list[Any]) -> list[Any]:
    program = compiled(ALL[name])[0]
    assert program is not None
    return program.whole(columns)


def windowed(name: str, rows: int, *columns: list[Any]) -> list[list[Any]]:
    """What each tuple returns over the last rows."""
    program = compiled(ALL[name])[1]
    assert program is not None
    state = program.fresh()
    state.careful = is_odd(columns)
    out, ends = program.step(state, Drive("rows"), columns, reach=rows - 1)
    bounds = [0, *(range(1, len(out) + 1) if ends is None else ends)]
    return [out[start:end] for start, end in pairwise(bounds)]


def asked(sql: str, tuples: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """What the reference answers on a stream s (x, t), with which the kernels must agree."""
    kind = "STRING" if any(isinstance(x, str) for x, _ in tuples) else "DOUBLE"
    query, stream = lower(tr.sql(f"CREATE STREAM s (x {kind}, t BIGINT) ORDER BY t SLACK 5; {sql};").plan)
    given: list[Item] = [*(Arrival({"x": x, "t": t}) for x, t in tuples), End()]
    expected = evaluate(query, stream, given).rows
    execution = KernelEngine(2, 2).start(query, stream)
    found = [row for start in range(0, len(given), 2) for row in execution.feed(given[start : start + 2])]
    assert difference(found, expected, rel_tol=1e-9) == ([], [])
    return expected


def in_turn(values: list[Any]) -> list[tuple[Any, int]]:
    return [(value, place) for place, value in enumerate(values)]


def test_decay_avg() -> None:
    assert base("decay_avg", [10.0, 20.0, None, 0.0]) == [10.0, 11.0, 11.0, pytest.approx(9.9)]


def test_running_variance_does_not_cancel_out() -> None:
    rng = random.Random(1)
    values = [1e8 + rng.random() for _ in range(300)]
    assert base("running_variance", values) == [pytest.approx(np.var(values), rel=1e-6)]
    found = [rows[0] for rows in windowed("running_variance", 20, values)]
    expected = [np.var(values[max(0, n - 19) : n + 1]) for n in range(len(values))]
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-9)


def variances(values: list[float | None], rows: int) -> list[float | None]:
    frames = [[x for x in values[max(0, n + 1 - rows) : n + 1] if x is not None] for n in range(len(values))]
    return [float(np.var(frame)) if frame else None for frame in frames]


def test_running_variance_leaves_nulls_out() -> None:
    values = [1.0, None, 2.0, 4.0, 6.0, None, None, 7.0]
    assert [rows[0] for rows in windowed("running_variance", 2, values)] == variances(values, 2)
    assert base("running_variance", [None, 1.0, None, 3.0]) == [1.0]
    assert base("running_variance", [None]) == [None]
    over = asked("SELECT running_variance(x) OVER (ROWS 1 PRECEDING) AS y FROM s", in_turn(values))
    assert [row["y"] for row in over] == variances(values, 2)
    panes = asked("SELECT running_variance(x) AS y FROM s [RANGE 4 SLIDE 2]", in_turn(values))
    assert [row["y"] for row in panes] == pytest.approx([0.0, 14 / 9, 8 / 3, 0.25, 0.0])


def test_running_variance_forgets_what_was_large() -> None:
    assert [rows[0] for rows in windowed("running_variance", 2, [1e17, 1.0, 2.0, 4.0])] == [0.0, 2.5e33, 0.25, 1.0]
    assert [rows[0] for rows in windowed("running_variance", 2, [1e200, 1.0, 2.0, 4.0])][2:] == [0.25, 1.0]
    assert [rows[0] for rows in windowed("running_variance", 2, [float("inf"), 1.0, 2.0, 4.0])][2:] == [0.25, 1.0]
    over = asked("SELECT running_variance(x) OVER (ROWS 1 PRECEDING) AS y FROM s", in_turn([1e17, 1.0, 2.0, 4.0]))
    assert [row["y"] for row in over] == [0.0, 2.5e33, 0.25, 1.0]
    rng = random.Random(5)
    values = [rng.choice([1e15, 1e9, 1.0, 1e-6]) * rng.random() if rng.random() < 0.9 else None for _ in range(1000)]
    for rows in (1, 2, 5, 20):
        found = [each[0] for each in windowed("running_variance", rows, values)]
        for one, expected in zip(found, variances(values, rows), strict=True):
            assert one == (None if expected is None else pytest.approx(expected, rel=1e-8, abs=0.0))


def test_joined_text() -> None:
    words = ["a", "bc", "d", "ef"]
    assert base("joined_text", words, [", "] * 4) == ["a, bc, d, ef"]
    assert windowed("joined_text", 2, words, ["-"] * 4) == [["a"], ["a-bc"], ["bc-d"], ["d-ef"]]


def joined(words: list[str | None], gaps: list[str | None]) -> str | None:
    parts = [(gap or "", word) for word, gap in zip(words, gaps, strict=True) if word is not None]
    return "".join([parts[0][1], *(gap + word for gap, word in parts[1:])]) if parts else None


def test_joined_text_with_empty_texts_nulls_and_any_separators() -> None:
    assert windowed("joined_text", 2, ["a", "", "x", "", "y", "z"], ["-"] * 6) == [["a"], ["a-"], ["-x"], ["x-"], ["-y"], ["y-z"]]
    assert windowed("joined_text", 2, ["a", None, "x", "y", "z"], ["-"] * 5) == [["a"], ["a"], ["x"], ["x-y"], ["y-z"]]
    over = asked("SELECT joined_text(x, '-') OVER (ROWS 1 PRECEDING) AS y FROM s", in_turn(["a", None, "", None, None, "y"]))
    assert [row["y"] for row in over] == ["a", "a", "", "", None, "y"]
    rng = random.Random(6)
    for rows in (1, 2, 3, 7):
        words = [rng.choice(["", "a", "bc", None]) for _ in range(60)]
        gaps = [rng.choice(["", "-", ", ", None]) for _ in range(60)]
        frames = [slice(max(0, n + 1 - rows), n + 1) for n in range(60)]
        assert windowed("joined_text", rows, words, gaps) == [[joined(words[each], gaps[each])] for each in frames]
        assert [base("joined_text", words[each], gaps[each]) for each in frames] == [
            [joined(words[each], gaps[each])] for each in frames
        ]


def test_the_order_of_joined_text_does_not_depend_on_the_slide() -> None:
    tuples = [("a", 1), ("b", 3), ("c", 2), ("d", 7), ("e", 4), ("f", 20)]
    tumbling = asked("SELECT joined_text(x, '-') AS y, window_end AS e FROM s [TUMBLE 5]", tuples)
    sliding = asked("SELECT joined_text(x, '-') AS y, window_end AS e FROM s [RANGE 5 SLIDE 1]", tuples)
    assert tumbling == [{"y": "a-c-b-e", "e": 5}, {"y": "d", "e": 10}, {"y": "f", "e": 25}]
    assert [row for row in sliding if row["e"] % 5 == 0] == tumbling


def test_frequency_is_never_below_the_truth_and_seldom_above() -> None:
    rng = random.Random(2)
    items = [int(rng.paretovariate(1.0)) for _ in range(2000)]
    found = [rows[0] for rows in windowed("frequency", 500, items)]
    truth = [items[max(0, n - 499) : n + 1].count(item) for n, item in enumerate(items)]
    assert all(x >= y for x, y in zip(found, truth, strict=True))
    assert sum(x == y for x, y in zip(found, truth, strict=True)) > 0.9 * len(items)


def test_ones_in_last_is_close_in_little_memory() -> None:
    rng = random.Random(3)
    bits = [int(rng.random() < 0.6) for _ in range(3000)]
    program = compiled(ALL["ones_in_last"])[0]
    assert program is not None
    state = program.fresh()
    found = program.step(state, Drive(), [bits, [1000] * len(bits)])[0]
    for n in range(100, len(bits), 37):
        assert found[n] == pytest.approx(sum(bits[max(0, n - 999) : n + 1]), rel=0.5)
    assert len(state.tables[0].rows) < 60


def test_priority_sample_is_of_the_window_and_of_its_size() -> None:
    rng = random.Random(4)
    values, priorities = [float(n) for n in range(300)], [rng.random() for _ in range(300)]
    program = compiled(ALL["priority_sample"])[1]
    assert program is not None
    state = program.fresh()
    for n, rows in enumerate(windowed("priority_sample", 50, values, priorities, [3] * 300)):
        inside = range(max(0, n - 49), n + 1)
        assert sorted(rows) == sorted(float(m) for m in sorted(inside, key=lambda m: -priorities[m])[:3])
    program.step(state, Drive("rows"), [values, priorities, [3] * 300], reach=49)
    assert len(state.window) < 30


def sampled(priorities: list[float | None], rows: int, k: int) -> list[list[float]]:
    frames = [range(max(0, n + 1 - rows), n + 1) for n in range(len(priorities))]
    held = [sorted(((priorities[m], m) for m in frame if priorities[m] is not None), reverse=True) for frame in frames]
    return [sorted(float(m) for _, m in each[:k]) for each in held]


def test_priority_sample_breaks_ties_and_leaves_nulls_out() -> None:
    rng = random.Random(7)
    for k, rows in ((1, 3), (2, 5), (3, 20), (3, 2), (0, 3)):
        for choices in ([0.5], [None, 0.5], [0.1, 0.2, 0.3, None]):
            priorities = [rng.choice(choices) for _ in range(80)]
            found = windowed("priority_sample", rows, [float(n) for n in range(80)], priorities, [k] * 80)
            assert [sorted(each) for each in found] == sampled(priorities, rows, k)
    tuples = in_turn([0.5, 0.5, 0.5, None, 0.2, 0.1])
    over = asked("SELECT t, priority_sample(t, x, 1) OVER (ROWS 2 PRECEDING) AS y FROM s", tuples)
    assert [(row["t"], row["y"]) for row in over] == [(0, 0.0), (1, 1.0), (2, 2.0), (3, 2.0), (4, 2.0), (5, 4.0)]


def test_product_group() -> None:
    seconds = [0, 1, 3, 6, 7]
    found = base("product_group", list("abcde"), [second * 1_000_000 for second in seconds], [2] * 5)
    assert [(name, group) for name, _, group in found] == [("a", 1), ("b", 1), ("c", 1), ("d", 2), ("e", 2)]


def test_double_bottom() -> None:
    prices = [10.0, 8.0, 5.0, 7.0, 9.0, 6.0, 5.2, 8.0, 9.5, 4.0]
    assert base("double_bottom", prices, [0.5] * len(prices)) == [(5.0, 9.0, 5.2)]
    assert base("double_bottom", prices, [0.1] * len(prices)) == []


def bottoms(*prices: float | None) -> list[Any]:
    return base("double_bottom", list(prices), [0.5] * len(prices))


def test_the_peak_of_a_double_bottom_is_the_highest_price_between_the_lows() -> None:
    assert bottoms(10.0, 5.0, 8.0, 7.0, 9.0, 5.2, 8.5) == []
    assert bottoms(10.0, 5.0, 8.0, 7.0, 9.0, 5.2, 8.5, 9.5) == [(5.0, 9.0, 5.2)]
    tuples = in_turn([10.0, 5.0, 8.0, 7.0, 9.0, 5.2, 8.5, 9.5])
    found = asked("SELECT double_bottom(x, CAST(0.5 AS DOUBLE)) AS y FROM s", tuples)
    assert found == [{"y": {"first_low": 5.0, "peak": 9.0, "second_low": 5.2}}]


def test_the_lows_of_a_double_bottom_are_the_lowest_prices() -> None:
    assert bottoms(10.0, 5.0, 8.0, 3.0, 9.0, 3.2, 9.5) == [(3.0, 9.0, 3.2)]
    assert bottoms(10.0, 5.0, 8.0, 5.2, 8.0, 7.0, 9.0) == [(5.0, 8.0, 5.2)]
    assert bottoms(None, 10.0, None, 5.0, None, 8.0, None, 5.2, None, 9.0, None) == [(5.0, 8.0, 5.2)]
