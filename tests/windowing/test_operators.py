"""The operators that come with the library: each does what it is for, in the windows one would use, across a restart."""

from __future__ import annotations

import inspect
import random
from collections import namedtuple
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from transom import minutes, seconds
from transom.testing import FakeClock
from transom.windowing import ByTicks, OperatorRun, count, delta, partition_age, sliding, time, tumbling
from transom.windowing.operators import Anomalies, Batches, Deduplicate, Vwap, anomalies, deduplicate, write_in_batches
from transom.windowing.tumbling_and_sliding import WindowKind

Trade = namedtuple("Trade", "ticker price volume ts")
START = datetime(2026, 1, 1)


@pytest.mark.parametrize("module", [deduplicate, write_in_batches, anomalies])
def test_an_operator_is_under_60_lines(module: ModuleType) -> None:
    lines = Path(inspect.getfile(module)).read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) < 60


def test_a_call_that_is_sent_twice_is_given_once() -> None:
    clock = FakeClock()
    window = sliding(time("10 minutes"), count(1))
    run = OperatorRun(Deduplicate("caller", "started"), window, clock=clock)
    call = {"caller": "a", "started": 1, "cell": 7}
    run.insert(call)
    clock.advance(minutes(10))
    run.insert({**call, "cell": 8})  # exactly as old as the window is long: still there
    assert run.rows() == [call]
    clock.advance(minutes(10))
    run.insert(call)  # the repetition is remembered
    assert run.rows() == []
    clock.advance(minutes(10) + seconds(1))
    run.insert(call)
    assert run.rows() == [call]


def test_memory_of_duplicates_by_key_is_given_up_by_age() -> None:
    clock = FakeClock()
    window = sliding(time("1 minute"), count(1)).partitioned_by("id").limited_to(partition_age("2 minutes"))
    run = OperatorRun(Deduplicate("id"), window, clock=clock)
    for number in range(100):
        run.insert({"id": number})
        clock.advance(seconds(10))
    assert len(run.rows()) == 100
    assert len(run.container().partitions) == 13


def test_batches_are_full_or_in_time() -> None:
    clock, written = FakeClock(), []
    run = OperatorRun(Batches(written.append, most=1000), tumbling(time("5 seconds")), clock=clock)
    run.extend(range(2500))
    assert [len(batch) for batch in written] == [1000, 1000]
    clock.advance(seconds(5))
    run.tick()
    assert [len(batch) for batch in written] == [1000, 1000, 500]
    clock.advance(seconds(20))
    run.tick()
    assert [t for batch in written for t in batch] == list(range(2500))
    assert run.rows() == [(1000, True), (1000, True), (500, False)]


def test_batches_keep_no_tuple_that_is_written() -> None:
    run = OperatorRun(Batches(lambda batch: None, most=10), tumbling(time("5 seconds")), clock=ByTicks())
    run.extend(range(1_000_005))
    window = run.container().window()
    assert (len(window), len(window.summary.tuples)) == (1_000_005, 5)


def test_a_reading_that_is_far_off_is_given() -> None:
    rng = random.Random(4)
    run = OperatorRun(Anomalies("x"), sliding(delta("ts", "1 hour"), count(1)).partitioned_by("sensor"))
    for number in range(400):
        for sensor, mean in (("a", 10.0), ("b", 1000.0)):
            run.insert({"sensor": sensor, "x": mean + rng.uniform(-1, 1), "ts": START + timedelta(minutes=number)})
    assert run.rows() == []
    run.insert({"sensor": "a", "x": 15.0, "ts": START + timedelta(minutes=400)})
    run.insert({"sensor": "b", "x": 1001.0, "ts": START + timedelta(minutes=400)})
    (found,) = run.rows()
    assert (found.sensor, found.value) == ("a", 15.0)
    assert found.mean == pytest.approx(10.0, abs=0.5)
    assert found.z > 6


def test_a_sensor_that_never_moved() -> None:
    run = OperatorRun(Anomalies("x", least=3), sliding(count(10), count(1)).partitioned_by("sensor"))
    run.extend([{"sensor": "a", "x": x} for x in (1.0, 1.0, 1.0, 1.0, 1.5)])
    assert [row.z for row in run.rows()] == [float("inf")]


def trades(number: int) -> list[Trade]:
    rng = random.Random(1)
    return [
        Trade(rng.choice(("A", "B")), rng.randint(1, 9) * 1.0, rng.randint(1, 5), START + timedelta(seconds=n))
        for n in range(number)
    ]


def vwap(held: list[Trade]) -> float:
    return sum(t.price * t.volume for t in held) / sum(t.volume for t in held)


WINDOWS: dict[str, WindowKind] = {
    "count": sliding(count(4), count(2)),
    "time": sliding(time("1 minute"), count(2)),
    "delta": sliding(delta("ts", "10 seconds"), delta("ts", "4 seconds")),
    "tumbling": tumbling(count(3)),
}


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("stop", [0, 1, 17, 40])
def test_the_same_operator_in_every_window_across_a_restart(name: str, stop: int) -> None:
    """Killed and restarted, the rows are the same; the window changes, the operator does not."""
    kind, items = WINDOWS[name].partitioned_by("ticker"), trades(40)
    through = OperatorRun(Vwap(), kind, clock=FakeClock())
    through.extend(items)
    first = OperatorRun(Vwap(), kind, clock=FakeClock())
    first.extend(items[:stop])
    second = OperatorRun(Vwap(), kind, clock=FakeClock())
    second.restore(first.snapshot())
    second.extend(items[stop:])
    rows = through.rows()
    assert rows == second.rows()
    assert len(rows) > 5


def test_the_price_is_that_of_the_last_trades() -> None:
    items: list[Any] = trades(20)
    run = OperatorRun(Vwap(), sliding(count(4), count(2)).partitioned_by("ticker"))
    run.extend(items)
    of = {ticker: [t for t in items if t.ticker == ticker] for ticker in "AB"}
    expected = {ticker: [vwap(held[max(0, end - 4) : end]) for end in range(2, len(held) + 1, 2)] for ticker, held in of.items()}
    rows = run.rows()
    assert {ticker: [row.vwap for row in rows if row.ticker == ticker] for ticker in "AB"} == expected
