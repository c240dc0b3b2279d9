"""Windows that must be the same: figure 2 of seed 004, row windows, cuts, and a large window made of summaries."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest

from transom import rows
from transom.semantics.tuples import number_arrivals
from transom.semantics.windows.row_window import RowWindow
from transom.testing import FakeClock
from transom.windowing import OperatorRun, count, delta, sliding, time, tumbling
from transom.windowing.toolkit import Aggregate, Average
from transom.windowing.tumbling_and_sliding import WindowKind

SIZES = [(n, m) for n in (1, 2, 3, 5, 8) for m in (1, 2, 3, 7)]


def processed(kind: WindowKind, tuples: list[Any]) -> list[list[Any]]:
    found: list[list[Any]] = []
    kind.container(lambda window, partition: found.append([t["id"] for t in window])).extend(tuples)
    return found


def numbered(n: int) -> list[Any]:
    return [{"id": number} for number in range(n)]


def test_figure_2() -> None:
    """Newest first, as in the figure: (1, 0), (2, 1), (3, 2); by count one tuple earlier than by delta."""
    seen: dict[str, list[Any]] = {"count": [], "delta": []}
    windows = {
        "count": sliding(count(2), count(1), partial=False),
        "delta": sliding(delta("id", 1), delta("id", 0), partial=False),
    }
    for name, kind in windows.items():
        arrived: list[int] = []
        log = seen[name]
        window = kind.container(
            lambda window, partition, log=log, arrived=arrived: log.append(
                (arrived[-1], tuple(t["id"] for t in reversed(window)))
            )
        )
        for t in numbered(5):
            arrived.append(t["id"])
            window.insert(t)
    assert seen["count"] == [(1, (1, 0)), (2, (2, 1)), (3, (3, 2)), (4, (4, 3))]
    assert seen["delta"] == [(2, (1, 0)), (3, (2, 1)), (4, (3, 2))]


@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("partial", [True, False])
def test_counting_is_a_delta_on_consecutive_ids(n: int, m: int, partial: bool) -> None:
    by_count = processed(sliding(count(n), count(m), partial=partial), numbered(40))
    by_delta = processed(sliding(delta("id", n - 1), delta("id", m - 1), partial=partial), numbered(41))
    assert by_count == by_delta
    assert by_count


@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("partial", [True, False])
def test_count_policies_are_row_windows(n: int, m: int, partial: bool) -> None:
    tuples = number_arrivals(numbered(40))
    window = RowWindow(range=rows(n), slide=rows(m), partial=partial)
    ended = [w for w in window.windows(tuples) if window.bounds(w).upper <= len(tuples)]
    extents = [[t["id"] for t in window.extent(w, tuples)] for w in ended]
    assert processed(sliding(count(n), count(m), partial=partial), numbered(40)) == [extent for extent in extents if extent]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_tumbling_count_is_a_tumbling_row_window(n: int) -> None:
    assert processed(tumbling(count(n)), numbered(40)) == processed(sliding(count(n), count(n)), numbered(40))


@pytest.mark.parametrize("d", [0, 1, 5, 30])
def test_a_tumbling_delta_cuts_at_the_first_tuple_past_d(d: int) -> None:
    rng = random.Random(d)
    start, now, tuples = datetime(2026, 1, 1), 0, []
    for number in range(100):
        now += rng.choice((0, 0, 1, 2, 6))
        tuples.append({"id": number, "ts": start + timedelta(seconds=now)})
    cuts: list[list[int]] = [[]]
    first = tuples[0]["ts"]
    for t in tuples:
        if t["ts"] - first > timedelta(seconds=d):
            cuts.append([])
            first = t["ts"]
        cuts[-1].append(t["id"])
    assert processed(tumbling(delta("ts", timedelta(seconds=d))), tuples) == cuts[:-1]


@pytest.mark.parametrize(("n", "m"), [(3, 2), (4, 4)])
def test_a_partitioned_window_is_one_window_for_each_partition(n: int, m: int) -> None:
    rng = random.Random(9)
    tuples = [{"id": number, "k": rng.choice("abc")} for number in range(60)]
    together: dict[Any, list[Any]] = {"a": [], "b": [], "c": []}
    kind = sliding(count(n), count(m))
    kind.partitioned_by("k").container(lambda window, partition: together[partition].append([t["id"] for t in window])).extend(
        tuples
    )
    assert together == {k: processed(kind, [t for t in tuples if t["k"] == k]) for k in "abc"}


def test_an_hour_each_minute_is_60_minutes_of_summaries() -> None:
    """Section 4.1.8: a summarizing tumble followed by a small slide. Sums are associative; the mean is made of them."""
    clock, rng = FakeClock(), random.Random(2)
    minute = OperatorRun(Aggregate("mean DOUBLE", mean=Average("x")), tumbling(time("1 minute")), clock=clock)
    hour = OperatorRun(Aggregate("mean DOUBLE", mean=Average("mean")), sliding(count(60), count(1)), clock=clock)
    means: list[float] = []
    for _ in range(200):
        values = [rng.random() for _ in range(10)]
        minute.extend([{"x": x} for x in values])
        clock.advance(time("1 minute").length)
        minute.tick()
        hour.extend(minute.rows())
        means.append(sum(values) / 10)
        assert hour.rows()[-1].mean == pytest.approx(sum(means[-60:]) / len(means[-60:]))
    assert len(hour.container()) == 60
