"""A container that is saved and restored, at any place, does what the one that ran through does."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from tests.windowing.configurations import everything, history
from tests.windowing.recording import drive, recorder
from transom.errors import CheckpointMismatch, NotPicklable
from transom.semantics.time import microseconds
from transom.windowing import ByTicks, OperatorRun, count, delta, sliding, time, tumbling
from transom.windowing.toolkit import OuterJoin

CASES = everything()


@pytest.mark.parametrize("name", CASES)
def test_a_snapshot_at_every_place_changes_nothing(name: str) -> None:
    items = history(3, 40)
    through = recorder()
    drive(CASES[name].container(through, clock=ByTicks()), items)
    handler = recorder()
    saved = None
    for item in items:
        container = CASES[name].container(handler, clock=ByTicks())
        if saved is not None:
            container.restore(pickle.loads(saved))
        drive(container, [item])
        saved = pickle.dumps(container.snapshot())
    assert [entry[:3] for entry in map(str, handler.log)] == [entry[:3] for entry in map(str, through.log)]
    assert str(handler.log) == str(through.log)


@pytest.mark.parametrize("name", [name for name, kind in CASES.items() if kind.keys])
def test_writing_only_what_was_touched_is_enough(name: str) -> None:
    items = history(11, 60)
    through, handler = recorder(), recorder()
    drive(CASES[name].container(through, clock=ByTicks()), items)
    store: dict[Any, bytes] = {}
    header = None
    for start in range(0, len(items), 5):
        container = CASES[name].container(handler, clock=ByTicks(), tracks=True)
        if header is not None:
            container.restore(type(header)(header.of, header.header, store))
        drive(container, items[start : start + 5])
        touched = set(container.touched)
        header = container.snapshot(only=touched)
        for key in touched - set(header.partitions):
            store.pop(key, None)
        store.update(header.partitions)
    assert str(handler.log) == str(through.log)


def test_nan_is_one_partition_across_a_restart() -> None:
    kind = tumbling(count(4)).partitioned_by("k")
    flushed: list[int] = []
    window, resumed = (kind.container(lambda window, partition: flushed.append(len(window))) for _ in range(2))
    window.extend([{"k": float("nan")}, {"k": float("nan")}])
    assert len(window.partitions) == 1
    resumed.restore(pickle.loads(pickle.dumps(window.snapshot())))
    resumed.extend([{"k": float("nan")}, {"k": float("nan")}])
    assert flushed == [4]


@pytest.mark.parametrize("evict", [count(3), delta("a", 25), time(microseconds(25))], ids=str)
def test_an_outer_join_that_is_restarted_at_every_place(evict: Any) -> None:
    side = sliding(evict, count(1)).partitioned_by("k")

    def started() -> OperatorRun:
        def pair(left: Any, right: Any) -> tuple[int, int]:
            return left["id"], right["id"]

        join = OuterJoin("a BIGINT, b BIGINT", lambda left, right: (left["id"] + right["id"]) % 5 == 0, pair)
        return OperatorRun(join, {"left": side, "right": side}, clock=ByTicks(), tracks=True)

    through, run = started(), started()
    for number, (_, now, t) in enumerate(item for item in history(5, 160) if item[0] == "tuple"):
        for one in (through, run):
            one.tick(now)
            one.insert(t, ("left", "right")[number % 2])
        saved = pickle.dumps(run.snapshot())
        run = started()
        run.restore(pickle.loads(saved))
    for port in ("matched", "left", "right"):
        given = through.take(port)
        assert given == run.take(port)
        assert given


def test_a_snapshot_of_another_window_is_refused() -> None:
    saved = tumbling(count(2)).container(recorder()).snapshot()
    with pytest.raises(CheckpointMismatch, match="another window"):
        tumbling(count(3)).container(recorder()).restore(saved)


def test_tuples_that_cannot_be_pickled_are_named() -> None:
    window = sliding(count(2), count(1)).container(recorder())
    window.insert(lambda: None)
    with pytest.raises(NotPicklable, match="state of Recorder"):
        window.snapshot()
