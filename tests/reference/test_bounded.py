"""A bounded DataFrame without a disorder clause is answered as a stream that came in order, whatever order it comes in."""

from __future__ import annotations

import random
from typing import Any

import pytest

import transom as tr
from tests.engines.kernels import KernelEngine
from transom.disorder import AtEnd
from transom.reference import Arrival, End, Item, Late, Over, Query, ReferenceStream, evaluate
from transom.semantics import (
    Band,
    EveryInstant,
    Landmark,
    LandmarkEvery,
    LandmarkUntil,
    Now,
    Partitioned,
    Rank,
    RowWindow,
    Session,
    SlideByTuple,
    Sliding,
    Window,
    rows,
)
from transom.testing import answer, assert_same_rows

WINDOWS: list[Window] = [
    Sliding(range=7, slide=3, wattr="n"),
    Sliding(range=7, slide=3, wattr="n", lag=4),
    EveryInstant(range=5, wattr="n"),
    Landmark(slide=4, wattr="n", since=2),
    LandmarkEvery(every=12, slide=4, wattr="n"),
    LandmarkUntil(slide=4, wattr="n", until=21),
    Band(lower=3, upper=17, slide=5, wattr="n"),
    Now(wattr="n"),
    Session(gap=2, wattr="n"),
    Partitioned(Session(gap=4, wattr="n"), ("k",)),
    SlideByTuple(range=6, rattr="n"),
    RowWindow(range=rows(4), slide=rows(2), wattr=Rank("n")),
]


class Batch:
    """As much of a DataFrame as a stream looks at."""

    isStreaming = False  # noqa: N815
    dtypes = (("n", "int"), ("x", "int"))


COUNT = {"n": tr.count(), "total": tr.sum("x")}
DISORDERED = [(25, 1), (3, 2), (12, 3), (1, 4)]


def totals(stream: Any, tuples: Any = DISORDERED) -> tuple[list[Any], Any]:
    found = answer(stream.window(tumble=10).agg("window_end", **COUNT), tuples, end=True)
    return [(row["window_end"], row["n"], row["total"]) for row in found.rows], found.counts


def test_a_bounded_data_frame_is_complete() -> None:
    rows, counts = totals(tr.stream(Batch(), order_by="n"))
    assert rows == [(10, 2, 6), (20, 1, 3), (30, 1, 1)]
    assert (counts.late, counts.dropped, counts.used) == (0, 0, 4)


@pytest.mark.parametrize("late", [None, "consistent"])
def test_what_becomes_of_late_tuples_is_no_tolerance(late: str | None) -> None:
    assert totals(tr.stream(Batch(), order_by="n", late=late))[0] == [(10, 2, 6), (20, 1, 3), (30, 1, 1)]


@pytest.mark.parametrize("clause", [{"ordered": True}, {"slack": 0}, {"per_source": ["x"]}], ids=str)
def test_with_a_clause_it_is_read_as_a_stream(clause: dict[str, Any]) -> None:
    assert totals(tr.stream(Batch(), order_by="n", **clause)) == totals(tr.stream(dict(Batch.dtypes), order_by="n", **clause))


def test_with_a_clause_in_the_bracket_too() -> None:
    query = tr.sql("SELECT count(*) AS n FROM s [TUMBLE 10 SLACK 0]", s=tr.stream(Batch(), order_by="n"))
    found = answer(query, DISORDERED, end=True)
    assert (found.counts.late, [row["n"] for row in found.rows]) == (3, [1])


def test_a_stream_that_says_nothing_has_no_slack() -> None:
    rows, counts = totals(tr.stream(dict(Batch.dtypes), order_by="n"))
    assert (rows, counts.late) == ([(30, 1, 1)], 3)


def test_the_order_that_rows_come_in_does_not_matter() -> None:
    r = random.Random(7)
    select = {"end": "window_end", "k": "k", "n": "count(*)", "total": "sum(x)", "top": "max(n)"}
    for window in WINDOWS:
        for late in Late:
            places = r.sample(range(40), 25) if isinstance(window, RowWindow) else [r.randint(0, 40) for _ in range(25)]
            tuples = [Arrival({"n": n, "k": r.choice(["u", "v", None]), "x": r.randint(-9, 9)}) for n in sorted(places)]
            query = Query(window=window, group_by=("k",), select=select, late=late)
            check(query, tuples, r)


def test_nor_for_frames() -> None:
    r = random.Random(3)
    for slide, length in ((None, 6), (5, 6), (5, 12), (5, None)):
        frame = Over(aggregate="sum(x)", preceding=length, partition_by=("k",), slide=slide, peers=length is None)
        tuples = [Arrival({"n": n, "k": r.choice(["u", "v"]), "x": r.randint(-9, 9)}) for n in sorted(r.sample(range(60), 25))]
        check(Query(select={"n": "n", "k": "k", "total": frame}), tuples, r)


def check(query: Query, tuples: list[Item], r: random.Random) -> None:
    columns = {"n": "bigint", "k": "string", "x": "bigint"}
    in_order = evaluate(query, ReferenceStream(columns=columns, order_by="n"), [*tuples, End()])
    bounded = ReferenceStream(columns=columns, order_by="n", generator=AtEnd())
    shuffled = [*r.sample(tuples, len(tuples)), End()]
    found = evaluate(query, bounded, shuffled)
    assert in_order.rows
    assert_same_rows(found.rows, in_order.rows)
    assert found.counts == in_order.counts
    kernels = KernelEngine(shards=2, slices=3, seed=r.randint(0, 99)).start(query, bounded)
    assert_same_rows(kernels.feed(shuffled), in_order.rows)
    assert kernels.counts() == in_order.counts
