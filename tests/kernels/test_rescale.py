"""Random queries that go on with another number of shards, again and again: the answer, late tuples and counts stay the same.

`TRANSOM_RESCALE=2000` runs more cases than the default.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pyarrow as pa
import pytest

from tests.kernels.random_cases import Case, case
from tests.kernels.random_windows import KINDS
from tests.upgrades.stored import Half, names
from transom.errors import CheckpointDamaged, NotSupported, TransomError
from transom.kernels import bucket
from transom.kernels.state.rescaling.rescale_shards import merge, rescaled, split
from transom.kernels.state.store import pack
from transom.reference import evaluate
from transom.testing.compare import assert_same_rows
from transom.testing.engine import ReferenceEngine

CASES = int(os.environ.get("TRANSOM_RESCALE", "200"))


def check(one: Case) -> bool:
    """Whether there was something to compare: N shards go on as M, after each micro-batch."""
    try:
        outcome = evaluate(one.query, one.stream, one.items)
    except TransomError:
        return False
    rng = random.Random(one.number)
    execution, start = one.engine().start(one.query, one.stream), 0
    for batch in one.batches:
        end = start + len(batch)
        want = [result.row for result in outcome.results if start <= result.left_at < end]
        assert_same_rows(execution.feed(batch), want, rel_tol=1e-9)
        start = end
        execution.rescale(rng.choice([1, 2, 3, 5, 8]))  # type: ignore[attr-defined]
    reference = ReferenceEngine().start(one.query, one.stream)
    reference.feed(one.items)
    assert_same_rows(execution.late(), reference.late())
    assert execution.counts() == reference.counts()
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_answers_stay_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket, "adds_up", lambda spec, rows, a: len(a) % 3 > 0)
    ran = 0
    numbers = [n for n in range(5000, 5000 + CASES) if KINDS[n % len(KINDS)] == kind]
    for number in numbers:
        try:
            one = case(number)
        except TransomError:
            continue
        try:
            ran += check(replace(one, apart=number % 2 == 1))
        except Exception as error:
            error.add_note(f"case {number}")
            raise
    assert ran >= 0.6 * len(numbers)


def test_shards_that_have_come_to_different_places_are_not_merged() -> None:
    one, other = (_state(frontier) for frontier in (5, 6))
    with pytest.raises(CheckpointDamaged, match="different places"):
        merge([one, other])


def test_a_shard_without_a_head_is_damaged() -> None:
    state = _state(5)
    del state["head"]
    with pytest.raises(CheckpointDamaged, match="no head"):
        split(state, 2)


def test_what_is_not_spread_stays_in_one_shard() -> None:
    state = _state(5, shard_by=[])
    assert [set(one) for one in rescaled([state], 8, plan="p-1-8")] == [{"head", "buffer"}]


def _state(frontier: int, shard_by: tuple[str, ...] | list[str] = ("k:k",)) -> dict[str, bytes]:
    head = {
        "progress": {"frontier": frontier},
        "arrived": 3,
        "ages": [],
        "counts": {"used": 3},
        "kind": {},
        "operator": {"kind": "SessionWindow", "shard_by": list(shard_by), "factor": 1, "time": True, "open": 0},
    }
    return {
        "head": pack(pa.table({}), "p-1-2", head),
        "buffer": pack(pa.table({"k:k": ["a", "b", "c"], "a": [1, 2, 3]}), "p-1-2"),
    }


@pytest.mark.parametrize("name", names())
def test_transcripts_go_on(name: str) -> None:
    """Users' aggregates, active expiration, silence, joins: whatever the transcripts have, rescaled half way."""
    try:
        whole, other = Half(name), Half(name)
    except NotSupported as error:
        assert name.startswith("relations/")
        pytest.skip(str(error))
    whole.execution.feed(whole.first)
    other.execution.feed(other.first)
    other.execution.rescale(3)
    assert_same_rows(other.execution.feed(other.second), whole.execution.feed(whole.second), rel_tol=1e-12)
    assert other.execution.counts() == whole.execution.counts()
