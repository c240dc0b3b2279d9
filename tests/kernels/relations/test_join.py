"""The join of two relations, micro-batch by micro-batch, against states that are looked at moment by moment."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from transom.kernels.relations.inputs.live import Live
from transom.kernels.relations.moments import NEVER
from transom.kernels.relations.pairs import Meeting, PairRows, Read, changes_of, read, stream_of
from transom.kernels.state.store import Memory

SCHEMA = pa.schema([("k", pa.int64()), ("v", pa.int64())])
LAST = 60
KINDS = ("inner", "left", "right", "full", "semi", "anti")


def random_rows(random: np.random.Generator, rows: int, *, fixed: bool) -> list[tuple[Any, int, int, int]]:
    made = []
    for v in range(rows):
        since = int(random.integers(0, LAST - 1))
        length = 9 if fixed else int(random.integers(1, 25))
        until = NEVER if not fixed and random.random() < 0.1 else since + length
        made.append((None if random.random() < 0.1 else int(random.integers(0, 3)), v, since, until))
    return made


def in_steps(sides: list[list[Any]], cuts: list[int], form: Any, kind: str) -> list[tuple[Any, ...]]:
    """The rows of the result, with the state stored and read again in every step."""
    memory, notes = Memory(), [{"names": [], "next": 0}, {"names": [], "next": 0}]
    found = []
    for low, high in pairwise(cuts):
        lives = [Live("l", "x"), Live("r", "x")]
        reads: list[Read] = []
        for live, note, rows in zip(lives, notes, sides, strict=True):
            live.load(memory, note)
            new = [row for row in rows if low <= row[2] < high]
            table = pa.table({"k": pa.array([r[0] for r in new], pa.int64()), "v": pa.array([r[1] for r in new], pa.int64())})
            live.add(table, np.array([r[2] for r in new], np.int64), np.array([r[3] for r in new], np.int64))
            reads.append(read(live, low, high, SCHEMA))
        made: PairRows = form(kind, reads[0], reads[1], Meeting(("k",)))
        values = [one.table["v"].to_pylist() for one in reads]
        for left, right, moment, change in zip(*made, strict=True):
            found.append((None if left < 0 else values[0][left], None if right < 0 else values[1][right], moment, change))
        for n, (live, one) in enumerate(zip(lives, reads, strict=True)):
            live.forget(high, one.counts)
            notes[n] = live.save(memory)
    return found


def pairs_at(sides: list[list[Any]], moment: int) -> list[tuple[int, int]]:
    there = [[row for row in rows if row[2] <= moment < row[3]] for rows in sides]
    return [(one[1], other[1]) for one in there[0] for other in there[1] if one[0] is not None and one[0] == other[0]]


def state_at(kind: str, sides: list[list[Any]], moment: int) -> Counter[tuple[Any, Any]]:
    """The join of the rows that are there at a moment, as SQL defines it."""
    there = [[row[1] for row in rows if row[2] <= moment < row[3]] for rows in sides]
    met = pairs_at(sides, moment)
    lefts, rights = {one for one, _ in met}, {other for _, other in met}
    made: list[tuple[Any, Any]] = [] if kind in ("semi", "anti") else list(met)
    if kind == "semi":
        made += [(one, None) for one in there[0] if one in lefts]
    if kind in ("left", "full", "anti"):
        made += [(one, None) for one in there[0] if one not in lefts]
    if kind in ("right", "full"):
        made += [(None, other) for other in there[1] if other not in rights]
    return Counter(made)


def stream_by_moments(kind: str, sides: list[list[Any]]) -> Counter[tuple[Any, Any, int]]:
    seen: set[tuple[int, int]] = set()
    made: Counter[tuple[Any, Any, int]] = Counter()
    matched: tuple[set[int], set[int]] = (set(), set())
    for moment in range(LAST):
        for one, other in pairs_at(sides, moment):
            if (one, other) not in seen:
                seen.add((one, other))
                if kind not in ("semi", "anti"):
                    made[one, other, moment] += 1
                if kind == "semi" and one not in matched[0]:
                    made[one, None, moment] += 1
                matched[0].add(one)
                matched[1].add(other)
        for n, wanted in enumerate([("left", "full", "anti"), ("right", "full")]):
            for row in sides[n]:
                if kind in wanted and row[3] == moment and row[1] not in matched[n]:
                    made[(row[1], None, moment) if n == 0 else (None, row[1], moment)] += 1
    return made


@pytest.mark.parametrize("fixed", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_changes_add_up_to_the_join_of_the_states(kind: str, seed: int, fixed: bool) -> None:
    random = np.random.default_rng(seed)
    sides = [random_rows(random, 25, fixed=fixed), random_rows(random, 25, fixed=fixed)]
    cuts = [0, *sorted(random.choice(np.arange(1, LAST), 5, replace=False).tolist()), LAST]
    found = in_steps(sides, cuts, changes_of, kind)
    for moment in range(LAST):
        state: Counter[tuple[Any, Any]] = Counter()
        for left, right, at, change in found:
            if at <= moment:
                state[left, right] += change
        assert +state == state_at(kind, sides, moment)
        assert min(state.values(), default=0) >= 0


@pytest.mark.parametrize("fixed", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_the_stream_has_each_pair_once(kind: str, seed: int, fixed: bool) -> None:
    random = np.random.default_rng(seed)
    sides = [random_rows(random, 25, fixed=fixed), random_rows(random, 25, fixed=fixed)]
    cuts = [0, *sorted(random.choice(np.arange(1, LAST), 5, replace=False).tolist()), LAST]
    found = in_steps(sides, cuts, stream_of, kind)
    assert Counter(row[:3] for row in found) == stream_by_moments(kind, sides)


def test_nothing_is_kept_of_rows_that_have_left() -> None:
    live, memory = Live("l", "x"), Memory()
    rows = 10_000
    live.add(pa.table({"k": pa.array(np.arange(rows))}), np.zeros(rows, np.int64), np.full(rows, 10))
    live.save(memory)
    assert memory.blocks
    live.forget(10, np.zeros(rows, np.int64))
    live.save(memory)
    assert live.rows == rows
    live.forget(11, np.zeros(rows, np.int64))
    live.save(memory)
    assert not memory.blocks
