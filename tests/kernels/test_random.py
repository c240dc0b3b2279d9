"""Random queries on random disordered streams: the kernels say what the reference says, in the same micro-batch.

Case n alone: `check(case(n))`. `TRANSOM_CASES=20000` runs more than the default.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from tests.kernels.random_cases import Case, case
from tests.kernels.random_windows import KINDS
from transom.errors import TransomError
from transom.kernels import bucket
from transom.reference import Outcome, Row, evaluate
from transom.testing.compare import assert_same_rows
from transom.testing.engine import ReferenceEngine

CASES = int(os.environ.get("TRANSOM_CASES", "96"))
FIRST = int(os.environ.get("TRANSOM_FIRST_CASE", "0"))


@pytest.fixture(autouse=True)
def _adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of a few tuples would hardly ever be added up: here, two of three are."""
    monkeypatch.setattr(bucket, "adds_up", lambda spec, rows, a: len(a) % 3 > 0)


def assert_same(got: Sequence[Row], want: Sequence[Row]) -> None:
    """The same rows; sums of doubles may differ in the last digits."""
    assert_same_rows(got, want, rel_tol=1e-9)
    assert_same_rows(map(_exact, got), map(_exact, want))


def _exact(row: Row) -> Row:
    return {name: value for name, value in row.items() if not name.startswith("about_")}


def expected(one: Case) -> Outcome | None:
    """What the reference says; None if it refuses the query."""
    try:
        return evaluate(one.query, one.stream, one.items)
    except TransomError:
        return None


def check(one: Case) -> bool:
    """Whether there was something to compare."""
    outcome = expected(one)
    if outcome is None:
        return False
    execution, start = one.engine().start(one.query, one.stream), 0
    for n, batch in enumerate(one.batches):
        end = start + len(batch)
        got = execution.feed(batch)
        assert_same(got, [result.row for result in outcome.results if start <= result.left_at < end])
        start = end
        if n == one.number % len(one.batches):
            so_far = ReferenceEngine().start(one.query, one.stream)
            so_far.feed(one.items[:end])
            assert_same_rows(execution.late(), so_far.late())
            assert execution.counts() == so_far.counts()
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_kernels_say_what_the_reference_says(kind: str) -> None:
    ran = wrong = 0
    numbers = [n for n in range(FIRST, FIRST + CASES) if KINDS[n % len(KINDS)] == kind]
    for number in numbers:
        try:
            ran += _checked(number)
        except Exception as error:
            wrong += 1
            error.add_note(f"case {number}")
            raise
    assert ran >= 0.8 * len(numbers)


def _checked(number: int) -> bool:
    try:
        one = case(number)
    except TransomError:
        return False
    return check(one)
