"""PER SOURCE, IDLE AFTER and AHEAD: the kernels say what the reference says, however a micro-batch is cut and spread."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from tests.engines.kernels import KernelEngine
from transom import seconds
from transom.disorder import Buffered, DropRatio, Generator, Heartbeat, Ordered, Slack
from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.progress.substreams import SubstreamProgress, Substreams
from transom.reference import Arrival, End, Item, Late, Query, ReferenceStream
from transom.rules import RULES
from transom.semantics import Sliding, tumbling
from transom.semantics.time import EPOCH
from transom.testing.compare import assert_same_rows
from transom.testing.engine import Execution, ReferenceEngine

GENERATORS: dict[str, Generator] = {
    "ORDERED": Ordered(),
    "SLACK": Slack(seconds(3)),
    "HEARTBEAT": Heartbeat(),
    "DRATIO": DropRatio(0.4),
    "NORMAL": DropRatio(0.4, normal=True),
    "BFSIZE": Buffered(Slack(seconds(8)), 4),
}
COLUMNS = {"src": "string", "k": "bigint", "ts": "timestamp", "x": "bigint"}
SELECT = {"k": "k", "end": "window_end", "n": "count(*)", "total": "sum(x)", "least": "min(x)"}


def at(second: float) -> Any:
    return EPOCH + timedelta(seconds=second)


def arrival(source: str | None, ts: float | None, clock: float, k: int = 0) -> Arrival:
    return Arrival({"src": source, "k": k, "ts": None if ts is None else at(ts), "x": 1}, at(clock))


def batches(r: random.Random) -> list[list[Item]]:
    """Four sources, all heard of at first, each with a delay and silences of its own."""
    clock = 0.0
    made: list[list[Item]] = [[arrival(source, -30, 0) for source in ("u", "v", "w", None)]]
    behind = {"u": 0, "v": r.choice([0, 4]), "w": r.choice([2, 15]), None: 1}
    for _ in range(r.randint(4, 12)):
        speaking = r.sample([*behind], r.randint(1, 4))
        batch: list[Item] = []
        for _ in range(r.randint(0, 14)):
            source = r.choice(speaking)
            clock += r.choice([0, 0.5, 1, 3])
            ts = None if r.random() < 0.05 else clock - behind[source] - r.choice([0, 0, 1, 2, 6]) + r.choice([0] * 12 + [50])
            batch.append(arrival(source, ts, clock, r.randint(0, 2)))
        made.append(batch)
    return [*made, [End()]]


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("seed", range(8))
def test_kernels_and_reference_agree(name: str, seed: int) -> None:
    r = random.Random(f"{name} {seed}")
    stream = ReferenceStream(
        columns=COLUMNS,
        order_by="ts",
        generator=GENERATORS[name],
        per_source=r.choice([(), ("src",), ("src",), ("src", "k")]),
        idle_after=r.choice([None, seconds(5), seconds(12)]),
        ahead=r.choice([None, seconds(10)]),
    )
    overlaps = r.random() < 0.6
    window = Sliding(range=seconds(10), slide=seconds(5), wattr="ts") if overlaps else tumbling(seconds(10), "ts")
    prefilter = r.choice([None, None, "k < 2"])
    query = Query(select=SELECT, window=window, group_by=("k",), prefilter=prefilter, late=r.choice(list(Late)))
    rules = RULES if r.random() < 0.5 else ()
    engine = KernelEngine(r.choice([1, 2]), r.choice([1, 3]), rules=rules, seed=seed, apart=seed % 2 == 1)
    compare(engine.start(query, stream), ReferenceEngine().start(query, stream), batches(r))


def compare(kernels: Execution, reference: Execution, given: list[list[Item]]) -> None:
    for batch in given:
        assert_same_rows(kernels.feed(batch), reference.feed(batch))
        assert_same_rows(kernels.late(), reference.late())
        assert kernels.counts() == reference.counts()


COUNT = Query(select={"end": "window_end", "n": "count(*)"}, window=tumbling(seconds(10), "ts"))


@pytest.mark.parametrize("engine", [ReferenceEngine(), KernelEngine(), KernelEngine(2, 2)])
def test_the_slowest_source_counts_until_it_is_silent(engine: Any) -> None:
    stream = ReferenceStream(columns=COLUMNS, order_by="ts", generator=Ordered(), per_source=("src",), idle_after=seconds(30))
    running = engine.start(COUNT, stream)
    assert running.feed([arrival("u", 1, 1), arrival("v", 2, 2)]) == []
    assert running.feed([arrival("u", 25, 25)]) == []
    assert [row["n"] for row in running.feed([arrival("u", 31, 33)])] == [2, 1]
    assert running.late() == []
    running.feed([arrival("v", 5, 34)])
    assert [row["x"] for row in running.late()] == [1]


@pytest.mark.parametrize("engine", [ReferenceEngine(), KernelEngine(), KernelEngine(2, 2)])
def test_the_others_count_as_they_were_when_the_micro_batch_began(engine: Any) -> None:
    stream = ReferenceStream(columns=COLUMNS, order_by="ts", generator=Ordered(), per_source=("src",))
    together, apart = engine.start(COUNT, stream), engine.start(COUNT, stream)
    first, rest = [arrival("u", 1, 1), arrival("v", 2, 2)], [arrival("u", 25, 25), arrival("v", 25, 26), arrival("u", 3, 27)]
    for batch in (first, rest):
        together.feed(batch)
    for item in [*first, *rest]:
        apart.feed([item])
    assert (together.counts().used, together.counts().late) == (5, 0)
    assert (apart.counts().used, apart.counts().late, apart.counts().dropped) == (4, 1, 1)


@pytest.mark.parametrize("engine", [ReferenceEngine(), KernelEngine(), KernelEngine(2, 2)])
def test_a_source_that_is_alone_so_far_is_judged_by_itself(engine: Any) -> None:
    stream = ReferenceStream(columns=COLUMNS, order_by="ts", generator=Ordered(), per_source=("src",))
    running = engine.start(COUNT, stream)
    running.feed([arrival("u", 20, 20), arrival("u", 5, 21), arrival("v", 1, 22)])
    assert (running.counts().used, running.counts().dropped, running.counts().late) == (2, 1, 1)


@pytest.mark.parametrize("engine", [ReferenceEngine(), KernelEngine(), KernelEngine(2, 2)])
def test_one_bad_clock_does_not_make_everything_else_late(engine: Any) -> None:
    stream = ReferenceStream(columns=COLUMNS, order_by="ts", generator=Ordered(), ahead=seconds(60))
    running = engine.start(COUNT, stream)
    running.feed([arrival("u", 1, 1), arrival("u", 3600, 2), arrival("u", 3, 3), arrival("u", 63, 3)])
    assert (running.counts().used, running.counts().outside, running.counts().late) == (3, 1, 0)


def test_the_substream_that_windows_wait_for_is_told() -> None:
    ordered = Substreams(Generating(slack=0, per_source=True), Axis())
    ordered.sources = {"u": SubstreamProgress(10), "v": SubstreamProgress(4), "w": SubstreamProgress(7)}
    told = ordered.about()
    assert told is not None
    assert told["behind"] == "v"
    learning = Substreams(Generating(control=DropRatio(0.01), per_source=True), Axis())
    for name, tuples in (("u", 5000), ("v", 10)):
        learning._controller(name).run(np.arange(tuples))
    told = learning.about()
    assert told is not None
    assert (told["behind"], told["learns"]) == ("v", True)
    alone = Substreams(Generating(control=DropRatio(0.01)), Axis())
    alone._controller("").run(np.arange(10))
    assert "behind" not in (alone.about() or {})
