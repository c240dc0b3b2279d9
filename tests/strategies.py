"""Random values, windows and tuples, in every domain a window can be cut on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from transom import rows
from transom.semantics import (
    Band,
    Duration,
    EveryInstant,
    Filtered,
    Function,
    Landmark,
    LandmarkEvery,
    LandmarkUntil,
    Now,
    Partitioned,
    Position,
    Rank,
    RowWindow,
    Session,
    SlideByTuple,
    Sliding,
    Tuple,
    Varying,
    Window,
    number_arrivals,
)
from transom.semantics.length import measure
from transom.semantics.time import EPOCH

Strategy = st.SearchStrategy[Any]


@dataclass(frozen=True)
class Domain:
    """The type of a windowing attribute, its values, and lengths on it."""

    name: str
    type: str
    values: Strategy
    lengths: Strategy
    times: Callable[[Any, int], Any]


DOMAINS = {
    domain.name: domain
    for domain in [
        Domain("integers", "bigint", st.integers(-40, 40), st.integers(1, 15), lambda length, n: length * n),
        Domain(
            "decimals",
            "decimal",
            st.integers(-40, 40).map(lambda n: Decimal(n) / 10),
            st.integers(1, 15).map(lambda n: Decimal(n) / 10),
            lambda length, n: length * n,
        ),
        Domain(
            "doubles",
            "double",
            st.integers(-40, 40).map(lambda n: n * 0.1) | st.floats(-4, 4),
            st.integers(1, 15).map(lambda n: n * 0.1) | st.floats(0.05, 1.5),
            lambda length, n: length * n,
        ),
        Domain(
            "long decimals",
            "decimal",
            st.integers(-40, 40).map(lambda n: Decimal(f"{n}.{'0' * 32}{abs(n)}1")),
            st.integers(1, 15).map(lambda n: Decimal(f"{n}.{'0' * 33}1")),
            lambda length, _: length,
        ),
        Domain(
            "dates",
            "date",
            st.integers(-40, 40).map(lambda n: date(1970, 1, 1) + timedelta(days=n)),
            st.integers(1, 15).map(lambda n: Duration(86_400_000_000 * n)),
            lambda length, n: Duration(length.micros * n),
        ),
        Domain(
            "timestamps",
            "timestamp",
            st.integers(-40, 40).map(lambda n: EPOCH + timedelta(microseconds=500_000 * n)),
            st.integers(1, 15).map(lambda n: Duration(500_000 * n)),
            lambda length, n: Duration(length.micros * n),
        ),
    ]
}


def sliding(d: Domain) -> Strategy:
    free = st.builds(
        Sliding, range=d.lengths, slide=d.lengths, wattr=st.just("a"), offset=st.none() | d.lengths, lag=st.none() | d.lengths
    )
    cut = st.builds(
        Sliding,
        range=d.lengths,
        slide=d.lengths,
        wattr=st.just("a"),
        origin=d.values,
        lag=st.none() | d.lengths,
        partial=st.booleans(),
    )
    return free | cut


def varying(d: Domain) -> Strategy:
    def build(slide: Any, longest: Any, lengths: list[Any]) -> Varying:
        def omega(end: Any) -> Any:
            return lengths[hash(end) % len(lengths)]

        return Varying(range=Function(f"one of {lengths}", omega), slide=slide, wattr="a", max=longest)

    return st.builds(build, d.lengths, d.lengths, st.lists(d.lengths | st.none(), min_size=1, max_size=4))


def band(d: Domain) -> Strategy:
    def build(bounds: list[Any], slide: Any) -> Band:
        lower, upper = sorted(bounds, key=measure)
        return Band(lower=lower, upper=upper, slide=slide, wattr="a")

    return st.builds(build, st.lists(d.values, min_size=2, max_size=2), d.lengths)


def landmark_every(d: Domain) -> Strategy:
    def build(slide: Any, n: int, offset: Any) -> LandmarkEvery:
        return LandmarkEvery(every=d.times(slide, n), slide=slide, wattr="a", offset=offset)

    return st.builds(build, d.lengths, st.integers(1, 5), st.none() | d.lengths)


COUNTS = st.integers(1, 5).map(rows)

KINDS: dict[str, Callable[[Domain], Strategy]] = {
    "sliding": sliding,
    "tumbling": lambda d: d.lengths.map(lambda r: Sliding(range=r, slide=r, wattr="a")),
    "every_instant": lambda d: st.builds(EveryInstant, range=d.lengths, wattr=st.just("a"), lag=st.none() | d.lengths),
    "rows": lambda _: st.builds(RowWindow, range=COUNTS, slide=COUNTS, partial=st.booleans()),
    "rows_by_rank": lambda _: st.builds(RowWindow, range=COUNTS, slide=COUNTS, wattr=st.just(Rank("a")), partial=st.booleans()),
    "rows_in_the_data": lambda _: st.builds(RowWindow, range=COUNTS, slide=COUNTS, wattr=st.just(Position("n"))),
    "slide_by_tuple": lambda d: st.builds(SlideByTuple, range=d.lengths, rattr=st.just("a")),
    "slide_by_n_arrivals": lambda d: st.builds(SlideByTuple, range=d.lengths, rattr=st.just("a"), slide=COUNTS),
    "slide_by_n_ranks": lambda d: st.builds(
        SlideByTuple, range=d.lengths, rattr=st.just("a"), slide=st.integers(2, 5).map(rows), sattr=st.just(Rank("a"))
    ),
    "landmark": lambda d: st.builds(Landmark, slide=d.lengths, wattr=st.just("a"), offset=st.none() | d.lengths),
    "landmark_from": lambda d: st.builds(Landmark, slide=d.lengths, wattr=st.just("a"), since=d.values),
    "landmark_until": lambda d: st.builds(
        LandmarkUntil, until=d.values, slide=d.lengths, wattr=st.just("a"), offset=st.none() | d.lengths
    ),
    "landmark_every": landmark_every,
    "band": band,
    "now": lambda _: st.just(Now(wattr="a")),
    "varying": varying,
    "session": lambda d: st.builds(Session, gap=d.lengths, wattr=st.just("a")),
}
"""Every type of window.md, 1 to 9 and 11."""

EVEN = Function("x % 2 = 0", lambda t: t["x"] % 2 == 0)


def refined(window: Window) -> Strategy:
    """The window itself, partitioned, filtered, or both."""
    by_p = Partitioned(window, ("p",))
    return st.sampled_from([window, by_p, Filtered(window, EVEN), Filtered(by_p, EVEN)])


def windows(d: Domain, kind: str) -> Strategy:
    return KINDS[kind](d).flatmap(refined)


def tuple_rows(d: Domain, *, max_size: int = 12) -> Strategy:
    row = st.fixed_dictionaries(
        {
            "a": st.one_of(d.values, d.values, d.values, d.values, st.none()),
            "n": st.integers(1, 12),
            "p": st.sampled_from(["u", "v", None]),
            "x": st.integers(0, 9),
        }
    )
    return st.lists(row, max_size=max_size)


def tuples(d: Domain) -> st.SearchStrategy[list[Tuple]]:
    return tuple_rows(d).map(number_arrivals)
