"""Groups at changes, as-of matches and the states of windows of rows, each against the plain definition."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from transom.kernels.relations.as_of import last_before, still_needed
from transom.kernels.relations.groups import extents_of, looks_at_changes
from transom.kernels.relations.inputs.last_rows import moves


@pytest.mark.parametrize("seed", range(10))
def test_groups_are_looked_at_when_they_change(seed: int) -> None:
    random = np.random.default_rng(seed)
    group, since = random.integers(0, 4, 40), random.integers(0, 30, 40)
    until = since + random.integers(1, 12, 40)
    low, high = 10, 20
    found = extents_of(looks_at_changes(group, since, until, low, high))
    seen = {
        (int(g), int(m)): sorted(found.rows[s:e].tolist())
        for g, m, s, e in zip(found.group, found.moment, found.start, found.end, strict=True)
    }
    wanted = {}
    for g in range(4):
        own = np.flatnonzero(group == g)
        for moment in range(low, high):
            if moment in since[own] or moment in until[own]:
                wanted[g, moment] = [int(row) for row in own if since[row] <= moment < until[row]]
    assert seen == wanted


@pytest.mark.parametrize("strictly", [False, True])
@pytest.mark.parametrize("within", [None, 5])
@pytest.mark.parametrize("seed", range(5))
def test_the_last_row_that_is_not_after(seed: int, within: int | None, strictly: bool) -> None:
    random = np.random.default_rng(seed)
    left = [(None if random.random() < 0.1 else int(random.integers(0, 3)), int(random.integers(0, 40))) for _ in range(40)]
    right = [(None if random.random() < 0.1 else int(random.integers(0, 3)), int(random.integers(0, 40))) for _ in range(40)]
    tables = [pa.table({"k": pa.array([k for k, _ in side], pa.int64())}) for side in (left, right)]
    when, stamped = np.array([a for _, a in left]), np.array([a for _, a in right])
    found = last_before(tables[0], when, tables[1], stamped, ["k"], strictly=strictly, within=within)
    for (key, a), match in zip(left, found, strict=True):
        candidates = [
            (b, n)
            for n, (other, b) in enumerate(right)
            if key is not None and other == key and (b < a if strictly else b <= a) and (within is None or b >= a - within)
        ]
        assert match == (max(candidates)[1] if candidates else -1)
    needed = still_needed(tables[1], stamped, ["k"], 20, within=within)
    again = last_before(tables[0], when, tables[1].filter(pa.array(needed)), stamped[needed], ["k"], within=within)
    whole = last_before(tables[0], when, tables[1], stamped, ["k"], within=within)
    later = when >= 20
    kept = np.append(np.flatnonzero(needed), -1)
    assert (kept[again[later]] == whole[later]).all()


@pytest.mark.parametrize("seed", range(20))
def test_windows_of_rows_replace_one_another(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, slide = int(random.integers(1, 5)), int(random.integers(1, 4))
    partition = random.integers(0, 2, 30)
    number = np.array([int((partition[:n] == p).sum()) for n, p in enumerate(partition)])
    place = np.arange(30) // 2 + random.integers(0, 4, 30)
    ends = (number + 1) % slide == 0
    windows = [
        (int(p), int(max(n + 1 - rows, 0)), int(n + 1), int(a))
        for p, n, a in zip(partition[ends], number[ends], place[ends], strict=True)
    ]
    held = np.zeros(2, np.int64), np.zeros(2, np.int64)
    state: dict[tuple[int, int], int] = {}
    for low, high in ((0, 6), (6, 12), (12, 40)):
        own = [window for window in windows if low <= window[3] < high]
        columns = [np.array([window[n] for window in own], np.int64) for n in range(4)]
        moved, *held = moves(*columns, *held)  # type: ignore[assignment]
        events = sorted(zip(*moved, strict=True), key=lambda one: one[2])
        for at in range(low, high):
            for p, n, when, change in events:
                if when == at:
                    state[int(p), int(n)] = state.get((int(p), int(n)), 0) + int(change)
            for p in range(2):
                ended = [window for window in windows if window[0] == p and window[3] <= at]
                last = max(enumerate(ended), key=lambda one: (one[1][3], one[0]))[1] if ended else (p, 0, 0, 0)
                assert sorted(n for (q, n), count in state.items() if q == p and count) == list(range(last[1], last[2]))
    assert set(state.values()) <= {0, 1}
