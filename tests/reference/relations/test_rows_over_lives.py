"""Two definitions of the stream form agree where both apply: pairs that are new at an instant, and rows over lives."""

from __future__ import annotations

import random

import pytest

from tests.kernels.relations.test_random_queries import STREAMS, WINDOWS, arrivals
from transom.language import bind_script
from transom.plan.relations.window_join import WindowJoin
from transom.reference.history import End
from transom.testing.compare import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations


@pytest.mark.parametrize("kind", ["", "LEFT", "RIGHT", "FULL", "LEFT SEMI", "LEFT ANTI"])
@pytest.mark.parametrize("timestamp", ["MIN", "MAX", "NOW"])
def test_of_two_inputs_both_give_the_same_rows(kind: str, timestamp: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"{kind} {timestamp}")
    windows = [one for one in WINDOWS if "CASE" not in one]  # with holes, pairs of two inputs alone are defined
    for _ in range(6):
        shown = "x" if kind in ("LEFT SEMI", "LEFT ANTI") else "x, y"
        one, other = rng.choice(windows), rng.choice(windows)
        text = f"SELECT {shown}, event_ts, window_end FROM a {one} {kind} JOIN b {other} ON a.k = b.k TIMESTAMP {timestamp};"
        plan = bind_script(STREAMS + text).queries[-1]
        items = [*arrivals(rng), ("a", End()), ("b", End())]
        known = ReferenceRelations().start(plan, {}).feed(items)
        with monkeypatch.context() as patched:
            patched.setattr(WindowJoin, "decides_later", property(lambda self: True))
            found = ReferenceRelations().start(plan, {}).feed(items)
        assert_same_rows(found, known)
