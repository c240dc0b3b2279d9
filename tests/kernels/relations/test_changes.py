"""Multiplicities as steps: states, what appears and disappears, and set operations, against bags looked at moment by moment."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from transom.kernels.relations.changes import (
    MULTIPLICITIES,
    appeared,
    disappeared,
    distinct_rows,
    net,
    repeated,
    states,
    steps_of,
    stretches_of,
)

LAST = 20
BY_BAGS = {
    "all": lambda a, b: a,
    "distinct": lambda a, b: Counter(set(a)),
    "union": lambda a, b: Counter(set(a) | set(b)),
    "union all": lambda a, b: a + b,
    "intersect": lambda a, b: Counter(set(a) & set(b)),
    "intersect all": lambda a, b: a & b,
    "except": lambda a, b: Counter(set(a) - set(b)),
    "except all": lambda a, b: a - b,
}


def changes(random: np.random.Generator) -> list[tuple[int, int, int]]:
    made = []
    for _ in range(30):
        row, since, length = random.integers(0, 4), random.integers(0, LAST), random.integers(1, 8)
        made += [(int(row), int(since), 1), (int(row), int(since + length), -1)]
    return made


def bag(made: list[tuple[int, int, int]], moment: int) -> Counter[int]:
    found: Counter[int] = Counter()
    for row, at, change in made:
        if at <= moment:
            found[row] += change
    return +found


@pytest.mark.parametrize("operation", MULTIPLICITIES)
@pytest.mark.parametrize("seed", range(5))
def test_multiplicities_are_those_of_bags(operation: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    inputs = [changes(random), changes(random)]
    combined = MULTIPLICITIES[operation]
    by_bags = BY_BAGS[operation]
    used = 1 if operation in ("all", "distinct") else 2
    held = [np.zeros(4, np.int64) for _ in range(used)]
    cuts = [0, 7, 8, 15, LAST + 10]
    seen: Counter[tuple[str, int, int]] = Counter()
    for low, high in pairwise(cuts):
        own = [(*one, n) for n, made in enumerate(inputs[:used]) for one in made if low <= one[1] < high]
        row, moment, change, side = (np.array([one[place] for one in own], np.int64) for place in range(4))
        parts = [np.where(side == n, change, 0) for n in range(used)]
        owner, at, before, now = net(row, moment, parts, held)
        steps = steps_of(owner, at, combined(before), combined(now))
        result = combined(held)
        for name, rows in (
            ("appeared", appeared(steps)),
            ("disappeared", disappeared(steps)),
            ("there", states(stretches_of(steps, result), np.arange(low, high))),
        ):
            for one, when in zip(*repeated(*rows), strict=True):
                seen[name, int(one), int(when)] += 1
        for counts, after in zip(held, now, strict=True):
            counts[owner] = after  # rows ascend in time, so the last is what stays
    wanted: Counter[tuple[str, int, int]] = Counter()
    previous: Counter[int] = Counter()
    for moment in range(cuts[-1]):
        state = by_bags(bag(inputs[0], moment), bag(inputs[1], moment))
        for name, rows in (("appeared", state - previous), ("disappeared", previous - state), ("there", state)):
            for row, count in rows.items():
                wanted[name, row, moment] += count
        previous = state
    assert seen == wanted


def test_null_and_nan_are_equal_to_themselves() -> None:
    one = pa.table({"a": pa.array([None, float("nan"), 1.0]), "b": pa.array(["x", "x", None])})
    other = pa.table({"a": pa.array([1.0, None]), "b": pa.array([None, "x"])})
    rows, (first, second) = distinct_rows([one, other], ["a", "b"])
    assert rows.num_rows == 3
    assert [first[2], first[0]] == second.tolist()


def test_no_columns_are_one_row() -> None:
    rows, (first, _) = distinct_rows([pa.table({"a": [1, 2]}), pa.table({"a": [3]})], [])
    assert (rows.num_rows, first.tolist()) == (1, [0, 0])
