"""Containers do what the tables of order say: compared with the slow model on random streams, in every configuration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.windowing.configurations import PARTITIONS, everything, history, kinds
from tests.windowing.model import Model
from tests.windowing.recording import ALL, drive, recorded, recorder
from transom.errors import BadOperator
from transom.windowing import ByTicks, count, sliding, time

CASES = everything()


def choose_largest(parts: list[tuple[Any, int]]) -> Any:
    return max(parts, key=lambda part: (part[1], str(part[0])))[0]


def modelled(kind: Any, items: list[Any]) -> Model:
    model = Model(kind, choose_largest)
    model.run(items)
    return model


def test_the_tables_have_143_configurations() -> None:
    assert (len(kinds()), len(PARTITIONS), len(CASES)) == (13, 11, 143)


@pytest.mark.parametrize("name", CASES)
def test_all_events_are_those_of_the_model(name: str) -> None:
    for seed in range(8):
        items = history(seed)
        model = modelled(CASES[name], items)
        handler = recorder()
        container = CASES[name].container(handler, clock=ByTicks())
        drive(container, items)
        assert handler.log == model.log
        assert (container.disordered, container.outside) == (model.back, model.outside)


@pytest.mark.parametrize("name", CASES)
def test_other_sizes_and_full_windows_only(name: str) -> None:
    for n, m in ((1, 1), (0, 1), (4, 3), (2, 0)):
        kind = everything(n, m)[name]
        if not kind.tumbles and n == 4:
            kind = replace(kind, partial=False)
        for seed in range(3):
            items = history(100 + seed)
            assert recorded(kind, items) == modelled(kind, items).log


@pytest.mark.parametrize("event", ALL)
def test_one_subscription_sees_the_same_as_all(event: str) -> None:
    for name, kind in CASES.items():
        items = history(len(name))
        expected = [entry for entry in modelled(kind, items).log if entry[0] == event]
        try:
            found = recorded(kind, items, (event,))
        except BadOperator:
            assert not expected, f"{event} does not occur in {kind}"
            continue
        if event == "on_trigger" and kind.tumbles:
            continue
        assert found == expected, name


@pytest.mark.parametrize("name", CASES)
def test_many_tuples_at_once_are_the_same_as_one_by_one(name: str) -> None:
    items = [item for item in history(7, 80) if item[0] == "tuple"]
    one, many = recorder(), recorder()
    single, several = (CASES[name].container(handler, clock=ByTicks()) for handler in (one, many))
    for start in range(0, len(items), 9):
        batch = items[start : start + 9]
        for container in (single, several):
            container.tick(batch[0][1])
        for _, _, t in batch:
            single.insert(t)
        several.extend(t for _, _, t in batch)
    assert one.log == many.log
    assert one.log


def test_windows_that_hold_nothing_run_with_any_subscription() -> None:
    for kind in (sliding(count(0), count(2)), sliding(count(0), time("1 second"))):
        for event in ("before_insertion", "after_insertion", "before_eviction", "after_eviction", "on_partition_eviction"):
            handler = recorder((event, "on_trigger"))
            kind.container(handler, clock=ByTicks()).extend([1, 2])
            assert [t for _, _, t, _ in handler.log] == ([] if event == "on_partition_eviction" else [1, 2])


def test_a_model_that_is_wrong_is_noticed() -> None:
    """The harness can fail: swapping trigger and insert changes the log."""
    kind, items = kinds()["sliding count count"], history(1)

    class Wrong(Model):
        def process(self, part: Any) -> None:
            held, part.held = part.held, part.held[:-1]
            super().process(part)
            part.held = held

    wrong = Wrong(kind)
    wrong.run(items)
    assert recorded(kind, items) != wrong.log
