"""Relational operators over streams with disorder, micro-batch by micro-batch, against states by their definition."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from transom import seconds
from transom.kernels.aggregates import Call
from transom.kernels.bucket import Bucket
from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.operators.as_of_operator import AsOfOperator, AsOfRecord
from transom.kernels.relations.operators.group_operator import Computed, GroupOperator, GroupRecord
from transom.kernels.relations.operators.join_operator import JoinOperator, JoinRecord
from transom.kernels.relations.operators.multiplicity_operator import MultiplicityOperator, MultiplicityRecord
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec
from transom.kernels.state.store import Memory
from transom.semantics import EveryInstant, Now, Sliding, Window

SECOND = 1_000_000
AXIS, TIME = Axis(), pa.timestamp("us", "UTC")
SLACK = 3 * SECOND


def input_of(window: Window | None, name: str, keys: tuple[str, ...] = ("k",)) -> Input:
    spec = Spec(axis=AXIS, axis_type=TIME, generating=Generating(slack=SLACK), keys=keys, shard_by=keys)
    return Input(spec, pa.schema([("k:k", pa.int64()), (f"t:{name}", pa.int64())]), window)


@dataclass
class Stream:
    """Random tuples (k, v, ts) in disorder."""

    tuples: list[tuple[int, int, int]]

    @classmethod
    def random(cls, random: np.random.Generator, count: int, values: int = 1000) -> Stream:
        ts = np.sort(random.integers(0, 60, count)) - random.integers(0, 5, count)
        return cls([(int(random.integers(0, 3)), n % values, int(a) * SECOND) for n, a in enumerate(ts)])

    def on_time(self) -> list[tuple[int, int, int]]:
        found, high = [], -(2**62)
        for one in self.tuples:
            if one[2] >= high - SLACK:
                found.append(one)
            high = max(high, one[2])
        return found


def fed(operators: Any, inputs: tuple[Input, ...], streams: list[Stream], seed: int, shards: int = 2) -> list[dict[str, Any]]:
    """All rows that leave, with the state stored and read again by each micro-batch."""
    random = np.random.default_rng(seed)
    state = [Memory() for _ in range(shards)]
    rest = [list(stream.tuples) for stream in streams]
    made: list[dict[str, Any]] = []
    number, ended = 0, False
    while not ended:
        ended = not any(rest)
        sent: list[list[Slice]] = [[] for _ in state]
        for side, (about, tuples) in enumerate(zip(inputs, rest, strict=True)):
            many = int(random.integers(0, 9))
            own, rest[side] = tuples[:many], tuples[many:]
            number += 1
            columns: dict[str, Any] = {
                "__value": pa.array([one[2] for one in own], TIME),
                "k:k": pa.array([one[0] for one in own], pa.int64()),
                about.schema.names[1]: pa.array([one[1] for one in own], pa.int64()),
                "__end": pa.array([False] * len(own), pa.bool_()),
            }
            table = pa.table(columns)
            if ended:
                nothing = {name: pa.array([None], table.schema.field(name).type) for name in table.column_names}
                table = pa.table({**nothing, "__end": pa.array([True])})
            for shard, piece in Bucket(about.spec, shards).slices(table, ("", 0, number)):
                sent[shard].append(replace(piece, input=side))
        for blocks, slices in zip(state, sent, strict=True):
            operator = operators()
            operator.load(blocks)
            out = operator.step(slices, blocks)
            operator.save(blocks)
            if out.rows is not None:
                made += out.rows.to_pylist()
    return made


def there(window: Window, tuples: list[tuple[int, int, int]], moment: float) -> list[tuple[int, int, int]]:
    """The state at a moment, in seconds; half a second behind an instant is right after it."""
    at = int(moment * SECOND)
    if isinstance(window, Now):
        return [one for one in tuples if one[2] == at]
    if isinstance(window, EveryInstant):
        return [one for one in tuples if at - window.range.micros < one[2] <= at]
    assert isinstance(window, Sliding)
    end = at // window.slide.micros * window.slide.micros
    return [one for one in tuples if end - window.range.micros <= one[2] < end]


MOMENTS = [n / 2 for n in range(-20, 200)]
EVERY, SLIDING, NOW = (
    EveryInstant(range=seconds(6), wattr="ts"),
    Sliding(range=seconds(6), slide=seconds(2), wattr="ts"),
    Now(wattr="ts"),
)


@pytest.mark.parametrize("windows", [(EVERY, EVERY), (SLIDING, SLIDING), (NOW, EVERY), (SLIDING, NOW), (EVERY, SLIDING)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_each_pair_appears_once(windows: tuple[Window, Window], seed: int) -> None:
    random = np.random.default_rng(seed)
    streams = [Stream.random(random, 40), Stream.random(random, 40)]
    inputs = (input_of(windows[0], "a"), input_of(windows[1], "b"))
    record = JoinRecord(inputs, "inner", ("k",), gives_changes=False)
    made = fed(lambda: JoinOperator(record), inputs, streams, seed)
    seen: dict[tuple[int, int], float] = {}
    for moment in MOMENTS:
        states = [there(window, stream.on_time(), moment) for window, stream in zip(windows, streams, strict=True)]
        for one in states[0]:
            for other in states[1]:
                if one[0] == other[0]:
                    seen.setdefault((one[1], other[1]), moment)
    assert Counter((row["t:a"], row["t:b"], row["event_ts"].timestamp()) for row in made) == Counter(
        (a, b, float(int(moment // 1))) for (a, b), moment in seen.items()
    )


@pytest.mark.parametrize("window", [EVERY, SLIDING, NOW], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_groups_change_as_their_states_do(window: Window, seed: int) -> None:
    stream = Stream.random(np.random.default_rng(seed), 40)
    about = input_of(window, "v")
    about = replace(about, schema=pa.schema([("k:k", pa.int64()), ("x0", pa.int64())]))
    record = GroupRecord((about,), ("k",), (Computed(Call("sum"), ("x0",)), Computed(Call("max"), ("x0",))))
    made = fed(lambda: GroupOperator(record), (about,), [stream], seed)
    for moment in MOMENTS:
        state: Counter[tuple[int, int, int]] = Counter()
        for row in made:
            if row["event_ts"].timestamp() + row["__after"] / 2 <= moment:
                state[row["k:k"], row["y0"], row["y1"]] += row["__change"]
        rows = there(window, stream.on_time(), moment)
        wanted = Counter(
            (k, sum(one[1] for one in rows if one[0] == k), max(one[1] for one in rows if one[0] == k))
            for k in {one[0] for one in rows}
        )
        assert +state == wanted, moment
    assert min(state.values(), default=0) >= 0


@pytest.mark.parametrize("gives", ["appeared", "disappeared", "changes"])
@pytest.mark.parametrize("operation", ["except all", "intersect", "union all", "except"])
@pytest.mark.parametrize("seed", range(2))
def test_set_operations_of_different_windows(operation: str, gives: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    streams = [Stream.random(random, 40, values=4), Stream.random(random, 40, values=4)]
    windows = (EVERY, SLIDING)
    inputs = tuple(
        replace(input_of(window, "v"), spec=replace(input_of(window, "v").spec, keys=("k",), shard_by=("k",)))
        for window in windows
    )
    record = MultiplicityRecord(inputs, operation, gives, (("v",),) * len(inputs))
    # rows are equal by their values, so there is one shard for all of them
    made = fed(lambda: MultiplicityOperator(record), inputs, streams, seed, shards=1)
    combine: Any = {
        "except all": lambda a, b: a - b,
        "intersect": lambda a, b: Counter(set(a) & set(b)),
        "union all": lambda a, b: a + b,
        "except": lambda a, b: Counter(set(a) - set(b)),
    }[operation]
    previous: Counter[int] = Counter()
    wanted: Counter[tuple[int, float, int]] = Counter()
    for moment in MOMENTS:
        one, other = (Counter(t[1] for t in there(w, s.on_time(), moment)) for w, s in zip(windows, streams, strict=True))
        state = combine(one, other)
        for v, count in (state - previous).items():
            wanted[v, moment, 1] += count
        for v, count in (previous - state).items():
            wanted[v, moment, -1] += count
        previous = state
    found = Counter(
        (row["t:v"], row["event_ts"].timestamp(), row.get("__change", 1 if gives == "appeared" else -1)) for row in made
    )
    sign = {"appeared": 1, "disappeared": -1}.get(gives)
    assert found == Counter({one: count for one, count in wanted.items() if sign in (None, one[2])})


@pytest.mark.parametrize("outer", [False, True])
@pytest.mark.parametrize("within", [None, 4])
@pytest.mark.parametrize("seed", range(3))
def test_the_last_row_as_of_each(seed: int, within: int | None, outer: bool) -> None:
    random = np.random.default_rng(seed)
    streams = [Stream.random(random, 40), Stream.random(random, 40)]
    inputs = (input_of(NOW, "a"), input_of(NOW, "b"))
    record = AsOfRecord(inputs, ("k",), within=None if within is None else within * SECOND, outer=outer)
    made = fed(lambda: AsOfOperator(record), inputs, streams, seed)
    wanted: Counter[tuple[int, int | None]] = Counter()
    for k, v, ts in streams[0].on_time():
        before = [
            (other[2], n, other[1])
            for n, other in enumerate(streams[1].on_time())
            if other[0] == k and other[2] <= ts and (within is None or other[2] >= ts - within * SECOND)
        ]
        if before or outer:
            wanted[v, max(before)[2] if before else None] += 1
    assert Counter((row["t:a"], row["t:b"]) for row in made) == wanted
