"""As-of joins, by their definition: of each tuple, the last of the other stream that is not after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from transom.column_names import EVENT_TS
from transom.plan.relations.as_of_join import AsOfJoin
from transom.reference.outcome import Fate, Result
from transom.reference.relations.heard import Heard
from transom.reference.rows import columns_of_tuple
from transom.semantics.keys import same_key
from transom.semantics.length import measure
from transom.semantics.tuples import Tuple


def matched(join: AsOfJoin, left: Heard, right: Heard) -> Iterator[Result]:
    """The results, in the order of timestamps. Each leaves when both streams have passed its tuple."""
    mine = [t for t in left.tuples if left.fate_on_time(t) is Fate.USED]
    for t in sorted(mine, key=lambda t: (left.on_axis(t), t.arrival)):
        a = left.on_axis(t)
        assert a is not None
        at = [next((n for n, x in enumerate(one.frontier) if x > a), None) for one in (left, right)]
        passed = [n for n in at if n is not None]
        match = _match(join, t, left, right)
        if len(passed) == 2 and (match is not None or join.kind == "LEFT"):
            yield Result(_row(join, t, match, left), max(passed))


def _match(join: AsOfJoin, t: Tuple, left: Heard, right: Heard) -> Tuple | None:
    a = left.on_axis(t)
    assert a is not None
    found = []
    for u in right.tuples:
        b = right.on_axis(u)
        if right.fate_on_time(u) is not Fate.USED or b is None:
            continue
        fits = b < a if join.strict else b <= a
        young = join.within is None or b >= a - measure(join.within)
        if fits and young and _agree(join, t, u):
            found.append((b, u.arrival, u))
    return max(found, default=(None, None, None), key=lambda each: each[:2])[2] if found else None


def _agree(join: AsOfJoin, t: Tuple, u: Tuple) -> bool:
    """NULL equals nothing."""
    pairs = [(_of(t, one), _of(u, other)) for one, other in join.on]
    return all(one is not None and other is not None and same_key(one, other) for one, other in pairs)


def _of(t: Tuple, name: str) -> Any:
    return next(value for known, value in columns_of_tuple(t).items() if known.lower() == name.lower())


def _row(join: AsOfJoin, t: Tuple, match: Tuple | None, left: Heard) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for (side, there), here in join.owners.items():
        held = t if side == 0 else match
        known = {} if held is None else {name.lower(): value for name, value in columns_of_tuple(held).items()}
        found[here] = known.get(there)
    for name in join.using:
        found[name] = _of(t, name)
    found[EVENT_TS] = t[left.order]
    return found
