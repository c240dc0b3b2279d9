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
from transom.reference import Arrival, End, Item, Late, Over, Promise, Query, ReferenceStream, evaluate
from transom.semantics import Filtered, Landmark, Partitioned, Window
from transom.semantics.length import measure
from transom.semantics.tuples import number_arrivals
from transom.testing import ReferenceEngine, assert_same_rows

SELECT = {"w": "wid", "n": "count(*)", "xs": "collect_list(x)", "from": "window_start", "to": "window_end", "at": "event_ts"}
CARRIED = ["sliding", "tumbling", "landmark", "landmark_from", "landmark_until", "landmark_every", "band", "now", "varying"]
IDS_NOT_FROM_TUPLES = [kind for kind in CARRIED if kind != "now"]
CHANGES_AS_A_WHOLE = ["landmark", "landmark_from", "landmark_until"]
"""With GROUP BY the extent is compared with the one before as a whole, with PATTR each partition by itself."""


def stream(d: Domain, attribute: str = "a") -> ReferenceStream:
    columns = {"a": d.type, "n": "bigint", "p": "string", "x": "bigint"}
    return ReferenceStream(columns=columns, order_by="a", punctuation=("p", attribute))


def passes(window: Window, arrival: Arrival) -> bool:
    """Whether the WHERE of a bracket, if there is one, keeps a tuple."""
    if isinstance(window, Partitioned):
        return passes(window.window, arrival)
    return not isinstance(window, Filtered) or window.picks(number_arrivals([arrival.values])[0])


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
    late: list[Any] = []
    for start, end in pairwise([0, *cut, len(arrived)]):
        left += execution.feed(arrived[start:end])
        assert_same_rows(execution.late()[: len(late)], late)
        late = execution.late()
        so_far = sum(isinstance(item, Arrival) for item in arrived[:end])
        assert len(late) == sum(one.tuple.arrival <= so_far for one in whole.late)
    assert_same_rows(left, whole.rows)
    assert execution.counts() == whole.counts


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_in_is_used_and_dropped_and_outside(kind: str, data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS[kind](d).flatmap(refined))
    query = data.draw(queries(window))
    arrived = data.draw(items(d, attribute_of(window), max_size=14))
    counts = evaluate(query, stream(d, attribute_of(window)), arrived).counts
    assert counts.arrived == sum(isinstance(item, Arrival) and passes(window, item) for item in arrived)
    assert counts.arrived == counts.used + counts.dropped + counts.outside
    assert counts.dropped <= counts.late


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_with_nothing_late_the_rows_are_those_of_the_extents(kind: str, data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS[kind](d).flatmap(refined))
    rows = data.draw(tuple_rows(d))
    arrived = number_arrivals(rows)
    outcome = evaluate(
        Query(window=window, select={"w": "wid", "n": "count(*)"}), stream(d, attribute_of(window)), [*map(Arrival, rows), End()]
    )
    partitioned = isinstance(window, Partitioned) or (isinstance(window, Filtered) and isinstance(window.window, Partitioned))
    complete = [w for w in window.windows(arrived) if window.complete(w, arrived, 10**9)]
    sizes = [{"w": w[0] if partitioned else w, "n": len(window.extent(w, arrived))} for w in complete]
    if not window.reports_changes:
        assert_same_rows(outcome.rows, [size for size in sizes if size["n"]])
    assert outcome.counts.late == outcome.counts.dropped == 0


@pytest.mark.parametrize("kind", [kind for kind in CARRIED if kind not in CHANGES_AS_A_WHOLE])
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


@pytest.mark.parametrize("kind", CHANGES_AS_A_WHOLE)
@given(data=st.data())
def test_group_by_reports_each_partition_that_pattr_reports(kind: str, data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS[kind](d))
    arrived = [*map(Arrival, data.draw(tuple_rows(d))), End()]
    select = {"w": "wid", "n": "count(*)", "p": "p"}
    whole = evaluate(Query(window=window, group_by=("p",), select=select, late=Late.GENEROUS), stream(d), arrived).rows
    apart = evaluate(Query(window=Partitioned(window, ("p",)), select=select, late=Late.GENEROUS), stream(d), arrived).rows
    assert [row for row in apart if row not in whole] == []
    changed = {row["w"] for row in apart}
    assert {row["w"] for row in whole} == changed


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


@pytest.mark.parametrize("late", Late)
@given(data=st.data())
def test_fates_and_late_tuples_are_those_of_the_definitions(late: Late, data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(KINDS["sliding"](d))
    arrived = data.draw(items(d))
    told = evaluate(Query(window=window, select=SELECT, late=late), stream(d), arrived)
    missed, fates, promises = [], [], {"u": -(10**9), "v": -(10**9), None: -(10**9)}
    for item in arrived:
        if isinstance(item, Promise):
            group = item.values["p"]
            promises[group] = max(promises[group], item.values["a"])
        if isinstance(item, Arrival):
            a, everyone = item.values["a"], promises[None]
            about_it = max(everyone, promises[item.values["p"]])
            ids = [] if a is None else window.ids(a)
            is_late = a is not None and a < about_it
            gone = [w for w in ids if window.instant(w) <= everyone or (is_late and late is Late.CONSISTENT)]
            fates.append("outside" if not ids else "dropped" if len(gone) == len(ids) else "used")
            if gone:
                missed.append((item.values, about_it if is_late and late is Late.CONSISTENT else everyone))
    assert [(one.tuple.values, one.frontier) for one in told.late] == missed
    counts = told.counts
    assert [counts.outside, counts.dropped, counts.used] == [fates.count(fate) for fate in ("outside", "dropped", "used")]


FRAMES = st.one_of(
    st.integers(0, 3).map(lambda n: Over(aggregate="sum(x)", preceding=row_count(n), partition_by=("p",))),
    st.integers(0, 9).map(lambda r: Over(aggregate="sum(x)", preceding=r, partition_by=("p",))),
    st.booleans().map(lambda peers: Over(aggregate="sum(x)", preceding=None, peers=peers)),
    st.integers(1, 3).map(lambda m: Over(aggregate="sum(x)", preceding=row_count(2), slide=row_count(m))),
    st.integers(1, 9).map(lambda s: Over(aggregate="sum(x)", preceding=4, slide=s)),
)


@pytest.mark.parametrize("domain", ["decimals", "doubles"])
@given(data=st.data())
def test_a_slot_has_one_yield_tuple(domain: str, data: st.DataObject) -> None:
    d = DOMAINS[domain]
    slide, arrivals = data.draw(d.lengths), data.draw(tuple_rows(d))
    query = Query(select={"a": "a", "total": Over(aggregate="count(*)", preceding=slide, slide=slide)})
    rows = evaluate(query, stream(d), [*map(Arrival, arrivals), End()]).rows
    slots = Landmark(slide=slide, wattr="a")
    yielded = [slots.slot(measure(row["a"])) for row in rows]
    assert len(yielded) == len(set(yielded))
    last = slots.slot(max((measure(row["a"]) for row in arrivals if row["a"] is not None), default=0))
    assert set(yielded) == {slots.slot(measure(row["a"])) for row in arrivals if row["a"] is not None} - {last}


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
