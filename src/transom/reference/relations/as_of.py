"""As-of joins, by their definition: of each tuple, the last of each other stream that is not after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from transom.column_names import EVENT_TS
from transom.plan.relations.as_of_join import AsOfJoin, AsOfStep
from transom.reference.outcome import Fate, Result
from transom.reference.relations.heard import Heard
from transom.reference.rows import columns_of_tuple
from transom.semantics.keys import same_key
from transom.semantics.length import Number, measure
from transom.semantics.tuples import Tuple

Row = tuple[Tuple | None, ...]
"""A tuple, and of each stream that is looked up its match, or nothing."""


def matched(join: AsOfJoin, inputs: Sequence[Heard]) -> Iterator[Result]:
    """The results, in the order of timestamps. Each leaves when all streams have passed its tuple."""
    left = inputs[0]
    mine = [t for t in left.tuples if left.fate_on_time(t) is Fate.USED]
    for t in sorted(mine, key=lambda t: (left.on_axis(t), t.arrival)):
        a = left.on_axis(t)
        assert a is not None
        at = [next((n for n, x in enumerate(one.frontier) if x > a), None) for one in inputs]
        passed = [n for n in at if n is not None]
        row: Row | None = (t,)
        for step, right in zip(join.steps, inputs[1:], strict=True):
            match = None if row is None else _match(step, row, a, right)
            row = None if row is None or (match is None and step.kind != "LEFT") else (*row, match)
        if len(passed) == len(inputs) and row is not None:
            yield Result(_columns(join, row, left), max(passed))


def _match(step: AsOfStep, row: Row, a: Number, right: Heard) -> Tuple | None:
    found = []
    for u in right.tuples:
        b = right.on_axis(u)
        if right.fate_on_time(u) is not Fate.USED or b is None:
            continue
        fits = b < a if step.strict else b <= a
        young = step.within is None or b >= a - measure(step.within)
        if fits and young and _agree(step, row, u):
            found.append((b, u.arrival, u))
    return max(found, default=(None, None, None), key=lambda each: each[:2])[2] if found else None


def _agree(step: AsOfStep, row: Row, u: Tuple) -> bool:
    """NULL equals nothing."""
    pairs = [(_of(row[side], one), _of(u, other)) for side, one, other in step.on]
    return all(one is not None and other is not None and same_key(one, other) for one, other in pairs)


def _of(t: Tuple | None, name: str) -> Any:
    if t is None:
        return None
    return next(value for known, value in columns_of_tuple(t).items() if known.lower() == name.lower())


def _columns(join: AsOfJoin, row: Row, left: Heard) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for (side, there), here in join.owners.items():
        held = row[side]
        known = {} if held is None else {name.lower(): value for name, value in columns_of_tuple(held).items()}
        found[here] = known.get(there)
    for name in join.using:
        found[name] = _of(row[0], name)
    assert row[0] is not None
    found[EVENT_TS] = row[0][left.order]
    return found
