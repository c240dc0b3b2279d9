"""Random queries over relations that go on with another number of shards after each micro-batch: the rows stay the same.

`TRANSOM_RESCALE_RELATIONS=20` runs more cases of each query than the default.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.engines.relation_kernels import KernelRelations
from tests.kernels.relations.test_random_queries import MADE, OVER_MADE, QUERIES, STREAMS, WINDOWS, arrivals, windows_of
from tests.upgrades.stored import HERE, Half, read
from transom.errors import CheckpointDamaged, CheckpointMismatch, NotSupported
from transom.kernels.state.rescaling.rescale_shards import rescaled
from transom.kernels.state.store import opened, pack
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.relations.open_join_stage import OpenJoinStage
from transom.reference.history import End
from transom.testing.compare import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

CASES = int(os.environ.get("TRANSOM_RESCALE_RELATIONS", "1"))
SHARDS = (1, 2, 3, 5, 8)


def check(asked: str, rng: random.Random, seed: int) -> None:
    """N shards go on as M after each micro-batch: what the undisturbed run gives, and the definition."""
    plan = bind_script(asked).queries[-1]
    items = arrivals(rng)
    cuts = sorted(rng.randint(0, len(items)) for _ in range(4))
    batches = [items[start:end] for start, end in zip([0, *cuts], [*cuts, len(items)], strict=True)]
    batches.append([("a", End()), ("b", End())])
    calm = KernelRelations(shards=2, seed=seed).start(plan, {})
    other = KernelRelations(shards=rng.choice(SHARDS), seed=seed).start(plan, {})
    found = []
    for batch in batches:
        rows = other.feed(batch)
        assert_same_rows(rows, calm.feed(batch))
        found += rows
        other.rescale(rng.choice(SHARDS))  # type: ignore[attr-defined]
    assert_same_rows(found, ReferenceRelations().start(plan, {}).feed([*items, *batches[-1]]))


@pytest.mark.parametrize("seed", range(CASES))
@pytest.mark.parametrize("query", QUERIES)
def test_answers_stay_the_same(query: str, seed: int) -> None:
    rng = random.Random(f"rescaled {query} {seed}")
    windows = windows_of(query)
    asked = f"{STREAMS}{query.format(w=rng.choice(windows), v=rng.choice(windows))};"
    try:
        check(asked, rng, seed)
    except NotSupported as refused:  # its rows refer to each other by number, where they are spread
        assert "others follow" in str(refused)  # noqa: PT017
        assert any(isinstance(stage, OpenJoinStage) for stage in every_stage(planned(bind_script(asked).queries[-1]).stages))


def test_a_join_that_decides_later_is_refused() -> None:
    query = (
        "SELECT p.x, r.x AS z FROM a [RANGE 6] AS p LEFT JOIN b [RANGE 6] AS q ON p.k = q.k JOIN a [RANGE 6] AS r ON r.k = p.k"
    )
    with pytest.raises(NotSupported, match="others follow"):
        check(f"{STREAMS}{query};", random.Random(1), 1)


def every_stage(stages: Sequence[Any]) -> Iterator[Any]:
    """The stages of a plan, with those below."""
    for stage in stages:
        yield stage
        for one in getattr(stage, "inputs", ()):
            yield from every_stage(one.stages)


@pytest.mark.parametrize("seed", range(CASES))
@pytest.mark.parametrize("query", OVER_MADE)
def test_chains_of_operators_go_on(query: str, seed: int) -> None:
    """Each operator of a chain has keys of its own."""
    rng = random.Random(f"rescaled {query} {seed}")
    windows = [one for one in WINDOWS if "ROW" not in one and "BAND" not in one and "UNTIL" not in one]
    check(f"{STREAMS}{MADE}{query.format(w=rng.choice(windows), v=rng.choice(windows))};", rng, seed)


STORED = {name: blocks for name, blocks in read(HERE / "format_12.tar.xz").items() if name.startswith("relations/")}


@pytest.mark.parametrize("name", STORED)
def test_a_stored_checkpoint_is_rescaled_once_a_micro_batch_has_ended(name: str) -> None:
    """Before that it does not say what keys are called in its blocks."""
    whole, resumed = Half(name), Half(name)
    whole.execution.feed(whole.first)
    resumed.blocks = STORED[name]
    for side, other in zip(whole.running.sides, resumed.running.sides, strict=True):
        other.row_num = side.row_num
    if not whole.running.stage.shards_by:
        pytest.skip("it works in one shard")
    with pytest.raises(CheckpointMismatch, match="earlier format") as caught:
        resumed.execution.rescale(3)
    assert "micro-batch" in str(caught.value)
    one, rest = whole.second[:1], whole.second[1:]
    assert_same_rows(resumed.execution.feed(one), whole.execution.feed(one))
    resumed.execution.rescale(3)
    assert_same_rows(resumed.execution.feed(rest), whole.execution.feed(rest))


def kept() -> dict[str, bytes]:
    """The state of one shard of a join."""
    plan = bind_script(f"{STREAMS}SELECT x, y FROM a [RANGE 2 ROWS PATTR k] LEFT JOIN b [RANGE 9] ON a.k = b.k;").queries[-1]
    running = KernelRelations(shards=1).start(plan, {})
    running.feed(arrivals(random.Random(1)))
    (memory,) = running.top.state  # type: ignore[attr-defined]
    return dict(memory.blocks)


def test_blocks_that_do_not_fit_together_are_damaged() -> None:
    """A block is missing, has rows of its own, or does not say whose they are; shards have come to different places."""
    state = kept()
    assert {"i0-numbers", "i0-there"} <= set(state)
    numbers, about = opened(state["i0-numbers"])
    with pytest.raises(CheckpointDamaged, match="fit together"):
        rescaled([{**state, "i0-numbers": pack(numbers.slice(1), about["plan"])}], 2)
    with pytest.raises(CheckpointDamaged, match="which keys"):
        rescaled([{**state, "i0-numbers": pack(numbers.select(["count"]), about["plan"])}], 2)
    with pytest.raises(CheckpointDamaged, match="is missing"):
        rescaled([{name: block for name, block in state.items() if name != "i0-numbers"}], 2)
    head, about = opened(state["head"])
    later = pack(head, about["plan"], {**about["note"], "low": about["note"]["low"] + 2})
    with pytest.raises(CheckpointDamaged, match="different places"):
        rescaled([state, {**state, "head": later}], 1)
