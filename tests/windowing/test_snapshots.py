"""A container that is saved and restored, at any place, does what the one that ran through does."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from tests.windowing.configurations import everything, history
from tests.windowing.recording import drive, recorder
from transom.errors import CheckpointMismatch, NotPicklable
from transom.windowing import ByTicks, count, sliding, tumbling

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


def test_a_snapshot_of_another_window_is_refused() -> None:
    saved = tumbling(count(2)).container(recorder()).snapshot()
    with pytest.raises(CheckpointMismatch, match="another window"):
        tumbling(count(3)).container(recorder()).restore(saved)


def test_tuples_that_cannot_be_pickled_are_named() -> None:
    window = sliding(count(2), count(1)).container(recorder())
    window.insert(lambda: None)
    with pytest.raises(NotPicklable, match="state of Recorder"):
        window.snapshot()
