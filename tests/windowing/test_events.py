"""What handlers see: the order of events as in tables I and II, windows to read, summaries, the clock."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.windowing.recording import ALL, recorder
from transom import minutes, seconds
from transom.testing import FakeClock
from transom.windowing import ByTicks, count, delta, partition_count, punct, sliding, time, tumbling
from transom.windowing.tumbling_and_sliding import WindowKind

SECOND = 1_000_000


def names(kind: WindowKind, *tuples: Any, ticks: tuple[int, ...] = ()) -> list[list[str]]:
    """The events that each tuple, and then each tick, causes."""
    handler, found = recorder(), []
    window = kind.container(handler, clock=ByTicks())
    for t in tuples:
        handler.log.clear()
        window.insert({"a": t, "b": t})
        found.append([entry[0] for entry in handler.log])
    for now in ticks:
        handler.log.clear()
        window.tick(now)
        found.append([entry[0] for entry in handler.log])
    return found


INSERT, EVICT, FLUSH = (
    ["before_insertion", "after_insertion"],
    ["before_eviction", "after_eviction"],
    ["before_flush", "after_flush"],
)
TRIGGER, FULL = ["on_trigger"], ["on_initial_full"]


def test_the_order_in_tumbling_windows() -> None:
    assert names(tumbling(count(2)), 0, 1) == [INSERT, INSERT + FLUSH]
    assert names(tumbling(delta("a", 1)), 0, 1, 2) == [INSERT, INSERT, FLUSH + INSERT]
    assert names(tumbling(time("1 second")), 0, 1, ticks=(SECOND - 1, SECOND)) == [INSERT, INSERT, [], FLUSH]
    assert names(tumbling(punct()), 0, 1) == [INSERT, INSERT]


@pytest.mark.parametrize(
    ("kind", "third"),
    [
        (sliding(count(2), count(1)), EVICT + INSERT + TRIGGER),
        (sliding(count(2), delta("b", 0)), TRIGGER + EVICT + INSERT),
        (sliding(count(2), time("1 second")), EVICT + INSERT),
        (sliding(delta("a", 1), count(1)), FULL + EVICT + INSERT + TRIGGER),
        (sliding(delta("a", 1), delta("b", 0)), FULL + TRIGGER + EVICT + INSERT),
        (sliding(delta("a", 1), time("1 second")), FULL + EVICT + INSERT),
        (sliding(time("1 second"), count(1)), INSERT + TRIGGER),
        (sliding(time("1 second"), delta("b", 0)), TRIGGER + INSERT),
        (sliding(time("1 second"), time("1 second")), INSERT),
    ],
    ids=str,
)
def test_the_order_in_sliding_windows(kind: WindowKind, third: list[str]) -> None:
    assert names(kind, 0, 1, 2)[2] == third


def test_evictions_come_before_triggers_at_the_same_instant() -> None:
    kind = sliding(time("1 second"), time("2 seconds"))
    assert names(kind, 0, ticks=(2 * SECOND,)) == [INSERT, FULL + EVICT]
    handler = recorder(("on_trigger",))
    window = kind.container(handler, clock=ByTicks())
    for now in (0, SECOND - 1, SECOND):
        window.tick(now)
        window.insert(now)
    window.tick(2 * SECOND)
    assert [held for *_, held in handler.log] == [(SECOND,)]


def test_a_trigger_that_was_missed_is_caught_up() -> None:
    handler = recorder(("on_trigger",))
    window = sliding(count(5), time("1 second")).container(handler, clock=ByTicks())
    window.insert("t")
    window.tick(10 * SECOND + 1)
    assert len(handler.log) == 10


def test_time_goes_on_in_silence_and_by_the_clock_given() -> None:
    clock, flushed = FakeClock(datetime(2026, 1, 1, tzinfo=UTC)), []
    window = tumbling(time("10 seconds")).container(lambda window, partition: flushed.append(list(window)), clock=clock)
    window.insert(1)
    clock.advance(seconds(9.999999))
    window.insert(2)
    assert flushed == []
    clock.advance(seconds(0.000001))
    window.insert(3)  # the flush was due before it
    assert flushed == [[1, 2]]
    clock.advance(minutes(5))
    window.tick()
    assert flushed == [[1, 2], [3]]
    assert window.due is None


def test_draining_flushes_and_triggers_nothing() -> None:
    handler = recorder()
    window = tumbling(count(3)).container(handler)
    window.extend([1, 2])
    assert window.drain() == 2
    assert [entry[0] for entry in handler.log] == INSERT * 2
    resumed = tumbling(count(3)).container(handler)
    resumed.restore(window.snapshot())
    resumed.insert(3)
    assert handler.log[-1][0] == "after_flush"


def test_on_trigger_stands_in_for_before_flush() -> None:
    both = recorder(("on_trigger", "before_flush"))
    tumbling(count(1)).container(both).insert(1)
    assert [entry[0] for entry in both.log] == ["before_flush"]
    one = recorder(("on_trigger",))
    tumbling(count(1)).container(one).insert(1)
    assert [entry[0] for entry in one.log] == ["on_trigger"]


@pytest.mark.parametrize("event", ["before_insertion", "after_insertion", "before_eviction", "after_eviction", "on_initial_full"])
def test_what_is_not_subscribed_to_is_not_in_the_code(event: str) -> None:
    kind = sliding(count(2), count(1))
    assert event not in kind.container(recorder(("on_trigger",))).code
    assert event in kind.container(recorder((event,))).code
    assert "on_trigger" not in kind.container(recorder((event,))).code


Reading = namedtuple("Reading", "sensor x")


@dataclass
class Record:
    sensor: str
    x: int


@pytest.mark.parametrize("made", [Reading, Record, lambda sensor, x: {"sensor": sensor, "x": x}], ids=["tuple", "record", "dict"])
def test_tuples_of_any_make_and_windows_as_tables(made: Any) -> None:
    seen: list[Any] = []
    window = sliding(delta("x", 5), count(2)).partitioned_by("sensor").container(lambda window, partition: seen.append(window))
    window.extend([made("a", 1), made("b", 2), made("a", 4)])
    (shown,) = seen
    assert (len(shown), shown.partition, shown[0], shown.oldest, shown.newest) == (
        2,
        "a",
        made("a", 1),
        made("a", 1),
        made("a", 4),
    )
    assert list(reversed(shown)) == [made("a", 4), made("a", 1)]
    assert shown.to_arrow().to_pydict() == {"sensor": ["a", "a"], "x": [1, 4]}
    assert shown.to_pandas()["x"].tolist() == [1, 4]


def test_state_goes_with_the_partition_and_with_a_flush() -> None:
    class Counts:
        def after_insertion(self, window: Any, partition: Any, t: Any) -> None:
            window.state["n"] = window.state.get("n", 0) + 1
            seen.append(window.state["n"])

    seen: list[int] = []
    tumbling(count(2)).container(Counts()).extend(range(5))
    assert seen == [1, 2, 1, 2, 1]
    seen.clear()
    kind = sliding(count(1), count(1)).partitioned_by("k").limited_to(partition_count(1))
    kind.container(Counts()).extend({"k": k} for k in "aabab")
    assert seen == [1, 2, 1, 1, 1]


class Mean:
    """Listing 7: the average of a million tuples, of which none is kept."""

    events: list[str] = []  # noqa: RUF012

    def open(self, partition: Any) -> None:
        self.events.append(f"open {partition}")
        self.n, self.mean = 0, 0.0

    def insert(self, t: Any) -> None:
        self.mean += (t["value"] - self.mean) / (self.n + 1)
        self.n += 1

    def close(self) -> None:
        self.events.append(f"close {self.n}")


def test_listing_7_summarizes() -> None:
    Mean.events.clear()
    averages: list[Any] = []
    window = tumbling(count(1000)).partitioned_by("partition")
    container = window.container(
        lambda window, partition: averages.append((partition, window.summary.mean, len(window))), summarizer=Mean
    )
    container.extend({"partition": n % 2, "value": n} for n in range(2500))
    assert averages == [(0, pytest.approx(999), 1000), (1, pytest.approx(1000), 1000)]
    assert Mean.events == ["open 0", "open 1", "close 1000", "close 1000", "open 0", "open 1"]
    assert [len(window) for window in container] == [250, 250]
    resumed = window.container(lambda window, partition: averages.append(window.summary.mean), summarizer=Mean)
    resumed.restore(container.snapshot())
    resumed.extend({"partition": n % 2, "value": n} for n in range(2500, 4000))
    assert averages[2:] == [pytest.approx(2999), pytest.approx(3000)]


def test_all_events_are_tested() -> None:
    assert set(ALL) == {*INSERT, *EVICT, *FLUSH, *TRIGGER, *FULL, "on_partition_eviction"}
