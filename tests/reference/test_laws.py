"""Laws of the evaluator: whatever the query, the disorder and the cut."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DOMAINS, EVEN, KINDS, Domain, refined, tuple_rows
from transom import rows as row_count
from transom.reference import Arrival, End, Item, Late, Over, Promise, Query, Stream, evaluate
from transom.semantics import Filtered, Partitioned, Window
from transom.semantics.tuples import number_arrivals
from transom.testing import ReferenceEngine, assert_same_rows

SELECT = {"w": "wid", "n": "count(*)", "xs": "collect_list(x)", "from": "window_start", "to": "window_end", "at": "event_ts"}
CARRIED = ["sliding", "tumbling", "landmark", "landmark_from", "landmark_until", "landmark_every", "band", "now", "varying"]
IDS_NOT_FROM_TUPLES = [kind for kind in CARRIED if kind != "now"]


def stream(d: Domain, attribute: str = "a") -> Stream:
    columns = {"a": d.type, "n": "bigint", "p": "string", "x": "bigint"}
    return Stream(columns=columns, order_by="a", punctuation=("p", attribute))


def attribute_of(window: Window) -> str:
    return window.attribute or "a"


def items(d: Domain, attribute: str = "a", *, max_size: int = 10) -> st.SearchStrategy[list[Item]]:
    """Tuples and promises in any order: many tuples are late."""
    points = st.integers(1, 12) if attribute == "n" else d.values
    promise = st.builds(Promise, st.fixed_dictionaries({"p": st.sampled_from(["u", "v", None]), attribute: points}))
    arrivals = tuple_rows(d, max_size=max_size).map(lambda rows: [Arrival(row) for row in rows])
    mixed = st.tuples(arrivals, st.lists(promise, max_size=4), st.randoms(use_true_random=False))

    def shuffle(parts: tuple[list[Item], list[Item], random.Random]) -> list[Item]:
        order = [*parts[0], *parts[1]]
        parts[2].shuffle(order)
        return [*order, End()]

    return mixed.map(shuffle)


def queries(window: Window) -> st.SearchStrategy[Query]:
    return st.builds(
        Query,
        window=st.just(window),
        select=st.just(SELECT),
        group_by=st.sampled_from([(), ("p",)]),
        late=st.sampled_from(Late),
    )


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_cutting_changes_neither_the_answer_nor_the_late_set_nor_the_counts(kind: str, data: st.DataObject) -> None:
    d = DOMAINS[data.draw(st.sampled_from(sorted(DOMAINS)))]
    window = data.draw(KINDS[kind](d).flatmap(refined))
    query = data.draw(queries(window))
    arrived = data.draw(items(d, attribute_of(window)))
    whole = evaluate(query, stream(d, attribute_of(window)), arrived)
    execution = ReferenceEngine().start(query, stream(d, attribute_of(window)))
    cut = sorted(data.draw(st.lists(st.integers(0, len(arrived)), max_size=3)))
    left: list[Any] = []
    for start, end in pairwise([0, *cut, len(arrived)]):
        left += execution.feed(arrived[start:end])
    assert_same_rows(left, whole.rows)
    assert execution.counts() == whole.counts
    assert len(execution.late()) == len(whole.late)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_in_is_used_and_dropped_and_outside(kind: str, data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS[kind](d).flatmap(refined))
    query = data.draw(queries(window))
    arrived = data.draw(items(d, attribute_of(window), max_size=14))
    counts = evaluate(query, stream(d, attribute_of(window)), arrived).counts
    assert counts.arrived == sum(isinstance(item, Arrival) for item in arrived)
    assert counts.arrived == counts.used + counts.dropped + counts.outside
    assert counts.dropped <= counts.late


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_with_nothing_late_the_rows_are_those_of_the_extents(kind: str, data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS[kind](d))
    rows = data.draw(tuple_rows(d))
    arrived = number_arrivals(rows)
    outcome = evaluate(
        Query(window=window, select={"w": "wid", "n": "count(*)"}), stream(d, attribute_of(window)), [*map(Arrival, rows), End()]
    )
    extents = {w: window.extent(w, arrived) for w in window.windows(arrived)}
    complete = {w: len(extent) for w, extent in extents.items() if extent and window.complete(w, arrived, 10**9)}
    assert {row["w"]: row["n"] for row in outcome.rows} == complete
    assert len(outcome.rows) == len(complete)
    assert outcome.counts.late == outcome.counts.dropped == 0


@pytest.mark.parametrize("kind", CARRIED)
@given(data=st.data())
def test_pattr_and_group_by_are_the_same_on_a_carried_attribute(kind: str, data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS[kind](d))
    arrived = data.draw(items(d))
    late = data.draw(st.sampled_from(Late))
    select = {**SELECT, "p": "p"}
    grouped = evaluate(Query(window=window, group_by=("p",), select=select, late=late), stream(d), arrived)
    partitioned = evaluate(Query(window=Partitioned(window, ("p",)), select=select, late=late), stream(d), arrived)
    assert_same_rows(grouped.rows, partitioned.rows)
    assert grouped.counts.dropped == partitioned.counts.dropped


@pytest.mark.parametrize("kind", IDS_NOT_FROM_TUPLES)
@given(data=st.data())
def test_filtering_after_equals_filtering_before_where_ids_do_not_come_from_tuples(kind: str, data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS[kind](d))
    arrived = data.draw(items(d))
    after = evaluate(Query(window=Filtered(window, EVEN), select=SELECT), stream(d), arrived)
    before = evaluate(Query(window=window, select=SELECT, prefilter="x % 2 = 0"), stream(d), arrived)
    assert_same_rows(after.rows, before.rows)


@given(data=st.data())
def test_consistent_never_counts_more_than_generous(data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS["sliding"](d))
    arrived = data.draw(items(d))
    select = {"w": "wid", "n": "count(*)"}
    generous = evaluate(Query(window=window, select=select), stream(d), arrived)
    consistent = evaluate(Query(window=window, select=select, late=Late.CONSISTENT), stream(d), arrived)
    most = {row["w"]: row["n"] for row in generous.rows}
    assert all(row["n"] <= most[row["w"]] for row in consistent.rows)
    assert generous.counts.late == consistent.counts.late
    assert generous.counts.dropped <= consistent.counts.dropped


@given(data=st.data())
def test_late_tuples_of_a_query_are_those_that_missed_a_window(data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS["sliding"](d))
    arrived = data.draw(items(d))
    told = evaluate(Query(window=window, select=SELECT), stream(d), arrived)
    expected, frontier = [], -(10**9)
    for item in arrived:
        if isinstance(item, Promise) and item.values["p"] is None:
            frontier = max(frontier, item.values["a"])
        if isinstance(item, Arrival) and item.values["a"] is not None:
            ids = window.ids(item.values["a"])
            if any(window.instant(w) <= frontier for w in ids):
                expected.append((item.values, frontier))
    assert [(late.tuple.values, late.frontier) for late in told.late] == expected


FRAMES = st.one_of(
    st.integers(0, 3).map(lambda n: Over(aggregate="sum(x)", preceding=row_count(n), partition_by=("p",))),
    st.integers(0, 9).map(lambda r: Over(aggregate="sum(x)", preceding=r, partition_by=("p",))),
    st.booleans().map(lambda peers: Over(aggregate="sum(x)", preceding=None, peers=peers)),
    st.integers(1, 3).map(lambda m: Over(aggregate="sum(x)", preceding=row_count(2), slide=row_count(m))),
    st.integers(1, 9).map(lambda s: Over(aggregate="sum(x)", preceding=4, slide=s)),
)


@given(frame=FRAMES, arrived=items(DOMAINS["integers"]), data=st.data())
def test_frames_do_not_depend_on_the_cut(frame: Over, arrived: list[Item], data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    query = Query(select={"a": "a", "x": "x", "total": frame})
    whole = evaluate(query, stream(d), arrived)
    execution = ReferenceEngine().start(query, stream(d))
    middle = data.draw(st.integers(0, len(arrived)))
    assert_same_rows([*execution.feed(arrived[:middle]), *execution.feed(arrived[middle:])], whole.rows)
    assert whole.counts.arrived == whole.counts.used + whole.counts.dropped + whole.counts.outside


@given(rows=tuple_rows(DOMAINS["integers"]))
def test_row_frames_are_the_rows_before_in_order(rows: list[dict[str, Any]]) -> None:
    query = Query(select={"n": "row_num", "total": Over(aggregate="count(*)", preceding=row_count(2), order_by="a")})
    outcome = evaluate(query, stream(DOMAINS["integers"]), [*map(Arrival, rows), End()])
    ordered = sorted((row["a"], n) for n, row in enumerate(rows, start=1) if row["a"] is not None)
    assert [row["n"] for row in outcome.rows] == [n for _, n in ordered]
    assert [row["total"] for row in outcome.rows] == [min(place, 3) for place in range(1, len(ordered) + 1)]
