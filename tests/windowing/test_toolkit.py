"""Aggregate, Join and Sort in every configuration, generated from the tables; results are computed from the model's events."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from tests.windowing.configurations import PARTITIONS, everything, history, kinds, partitioned
from tests.windowing.model import Model
from tests.windowing.test_containers import choose_largest
from transom.errors import WindowNotTaken
from transom.semantics.time import microseconds
from transom.windowing import PUNCTUATION, ByTicks, OperatorRun, count, delta, sliding, time, tumbling
from transom.windowing.toolkit import (
    Aggregate,
    Average,
    BatchSort,
    Count,
    Join,
    Max,
    Min,
    OuterJoin,
    Percentile,
    ProgressiveSort,
    Sum,
)
from transom.windowing.tumbling_and_sliding import WindowKind


def ran(operator: Any, kind: WindowKind, items: list[Any]) -> list[Any]:
    run = OperatorRun(operator, kind, clock=ByTicks())
    for item, *what in items:
        if item == "tuple":
            run.tick(what[0])
            run.insert(what[1])
        elif item == "tick":
            run.tick(what[0])
        else:
            run.punctuate()
    return run.take()


# Aggregate: 13 kinds, each in 11 ways to partition

AGGREGATES = everything()


def test_aggregate_has_143_configurations() -> None:
    assert len(AGGREGATES) == 143  # the paper: 52


@pytest.mark.parametrize("name", AGGREGATES)
def test_aggregate(name: str) -> None:
    kind = AGGREGATES[name]
    for seed in range(3):
        items = history(20 + seed)
        operator = Aggregate(
            "k STRING, n BIGINT, total BIGINT, low BIGINT, high BIGINT, mean DOUBLE, half BIGINT",
            n=Count("id"),
            total=Sum("id"),
            low=Min("id"),
            high=Max("id"),
            mean=Average("id"),
            half=Percentile("id", 0.5),
        )
        expected: list[Any] = []
        for event, _, _, held in Model(kind, choose_largest).run(items):
            if event in ("before_flush", "on_trigger"):
                for key in dict.fromkeys(t["k"] for t in held):
                    ids = sorted(t["id"] for t in held if t["k"] == key)
                    mean = pytest.approx(sum(ids) / len(ids))
                    expected.append((key, len(ids), sum(ids), ids[0], ids[-1], mean, ids[(len(ids) - 1) // 2]))
                expected.append(PUNCTUATION)
        assert ran(operator, kind, items) == expected


# Join: two evictions of four each, but not nothing on both sides; four kinds of outer; eleven ways to partition

HELD = {
    "nothing": lambda: count(0),
    "count": lambda: count(3),
    "delta": lambda: delta("a", 4),
    "time": lambda: time(microseconds(5)),
}
SIDES = [pair for pair in product(HELD, HELD) if pair != ("nothing", "nothing")]
OUTER: dict[str, tuple[str, ...]] = {"inner": (), "left": ("left",), "right": ("right",), "full": ("left", "right")}
JOINS = list(product(OUTER, PARTITIONS, SIDES))


def test_join_has_660_configurations() -> None:
    assert len(JOINS) == 660  # the paper: 90


def matches(left: Any, right: Any) -> bool:
    return bool((left["id"] + right["id"]) % 3)


def two_sided(seed: int) -> list[Any]:
    rng = random.Random(seed)
    return [(rng.choice(("left", "right")), item) for item in history(seed, 50) if item[0] == "tuple"]


def joined(windows: dict[str, WindowKind], items: list[Any]) -> dict[str, list[Any]]:
    """What a join gives, by the model: a loop over the other side, and a set of those that have met."""
    models = {side: Model(kind, choose_largest) for side, kind in windows.items()}
    given: dict[str, list[Any]] = {"matched": [], "left": [], "right": []}
    met: set[int] = set()
    read = {"left": 0, "right": 0}
    for side, (_, now, t) in items:
        for model in models.values():
            model.clock(now)
        leave(models, read, met, given)
        other = models["right" if side == "left" else "left"]
        key = t["k"] if windows[side].keys else None
        before = len(models[side].log)
        models[side].take(t)
        came = [entry for entry in models[side].log[before:] if entry[0] == "after_insertion"]
        if came:
            for held in [held.tuple for held in other.parts[key].held] if key in other.parts else []:
                left, right = (t, held) if side == "left" else (held, t)
                if matches(left, right):
                    met |= {left["id"], right["id"]}
                    given["matched"].append((left["id"], right["id"]))
            given["matched"].append(PUNCTUATION)
        leave(models, read, met, given)
    return given


def leave(models: dict[str, Model], read: dict[str, int], met: set[int], given: dict[str, list[Any]]) -> None:
    for side, model in models.items():
        for event, _, t, held in model.log[read[side] :]:
            gone = [t] if event == "before_eviction" else held if event == "on_partition_eviction" else []
            given[side] += [one for one in gone if one["id"] not in met]
        read[side] = len(model.log)


@pytest.mark.parametrize("outer", OUTER)
@pytest.mark.parametrize("way", PARTITIONS)
def test_join(outer: str, way: str) -> None:
    ran_through = 0
    for left, right in SIDES:
        windows = {side: partitioned(sliding(HELD[held](), count(1)), way) for side, held in (("left", left), ("right", right))}
        for seed in range(3):
            items = two_sided(seed)
            arguments: Any = ("a BIGINT, b BIGINT", matches, lambda left, right: (left["id"], right["id"]))
            operator = OuterJoin(*arguments, sides=OUTER[outer]) if OUTER[outer] else Join(*arguments)
            run = OperatorRun(operator, windows, clock=ByTicks())
            for side, (_, now, t) in items:
                run.tick(now)
                run.insert(t, side)
            expected = joined(windows, items)
            assert run.take("matched") == expected["matched"]
            for side in OUTER[outer]:
                assert run.take(side) == expected[side]
                ran_through += len(expected[side])
    assert ran_through or outer == "inner"


# Sort: batch over 4 tumbling kinds, progressive over 3 sliding ones; 11 ways to partition

SORTS = {
    f"{name}, {way}": partitioned(kind, way)
    for name, kind in [
        *((name, kind) for name, kind in kinds().items() if kind.tumbles),
        *((f"sliding {held} count(1)", sliding(HELD[held](), count(1))) for held in HELD if held != "nothing"),
    ]
    for way in PARTITIONS
}


def test_sort_has_77_configurations() -> None:
    assert len(SORTS) == 77  # the paper: 44


def by_b(t: Any) -> Any:
    return t["b"] if isinstance(t["b"], int) else 0


@pytest.mark.parametrize("name", SORTS)
def test_sort(name: str) -> None:
    kind = SORTS[name]
    for seed in range(3):
        items = history(40 + seed)
        expected: list[Any] = []
        holding: dict[Any, list[Any]] = {}
        for event, partition, t, held in Model(kind, choose_largest).run(items):
            if event == "before_flush":
                expected += [*sorted(held, key=by_b), PUNCTUATION]
            elif event == "after_insertion":
                holding.setdefault(partition, []).append(t)
            elif event == "before_eviction":
                first = min(holding[partition], key=by_b)
                holding[partition].remove(first)
                expected += [first, PUNCTUATION]
            elif event == "on_partition_eviction":
                holding.pop(partition)
        operator = BatchSort(by_b) if kind.tumbles else ProgressiveSort(by_b)
        assert str(ran(operator, kind, items)) == str(expected)


# What the ports refuse


def test_windows_that_are_not_taken() -> None:
    pair: Any = ("a BIGINT", matches, lambda left, right: (1,))
    with pytest.raises(WindowNotTaken, match="trigger count\\(2\\)"):
        OperatorRun(Join(*pair), {"left": sliding(count(1), count(2)), "right": sliding(count(1), count(1))})
    one = sliding(count(1), count(1))
    with pytest.raises(WindowNotTaken, match="partitioned alike"):
        OperatorRun(Join(*pair), {"left": one.partitioned_by("k"), "right": one})
    with pytest.raises(WindowNotTaken, match="a sliding window"):
        OperatorRun(BatchSort(by_b), sliding(count(1), count(1)))
    with pytest.raises(WindowNotTaken, match="a tumbling window"):
        OperatorRun(ProgressiveSort(by_b), tumbling(count(1)))
    with pytest.raises(WindowNotTaken, match="needs tuples"):
        OperatorRun(Aggregate("n BIGINT", n=Count("id")), sliding(count(0), count(1)))
