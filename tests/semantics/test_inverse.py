"""The law of seed 000, section 3.4: `wids` is the inverse of `extent`, for every window over every domain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DOMAINS, KINDS, tuples, windows
from transom.semantics import Band, Partitioned, Rank, RowNum, tumbling


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_w_in_wids_of_t_iff_t_in_extent_of_w(kind: str, domain: str, data: st.DataObject) -> None:
    window = data.draw(windows(DOMAINS[domain], kind))
    arrived = data.draw(tuples(DOMAINS[domain]))
    ids = window.windows(arrived)
    wids = {t: window.wids(t, arrived) for t in arrived}
    assert {w for t in arrived for w in wids[t]} <= set(ids)
    for w in ids:
        extent = window.extent(w, arrived)
        assert [t for t in arrived if w in wids[t]] == extent


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("kind", ["sliding", "tumbling", "landmark_every", "band", "varying"])
@given(data=st.data())
def test_every_window_that_is_not_empty_is_among_the_windows(kind: str, domain: str, data: st.DataObject) -> None:
    window = data.draw(KINDS[kind](DOMAINS[domain]))
    arrived = data.draw(tuples(DOMAINS[domain]))
    ids = window.windows(arrived)
    if ids and getattr(window, "partial", True):
        beyond = 0 if isinstance(window, Band) else 4
        around = range(ids[0] - 3, ids[-1] + beyond)
        assert [w for w in around if w not in ids and window.extent(w, arrived)] == []


@pytest.mark.parametrize("domain", DOMAINS)
@given(data=st.data())
def test_tumbling_partitions_the_stream(domain: str, data: st.DataObject) -> None:
    length = data.draw(DOMAINS[domain].lengths)
    arrived = data.draw(tuples(DOMAINS[domain]))
    window = tumbling(length, "a")
    extents = [window.extent(w, arrived) for w in window.windows(arrived)]
    assert sorted((t for extent in extents for t in extent), key=lambda t: t.arrival) == [
        t for t in arrived if t["a"] is not None
    ]


@pytest.mark.parametrize("counted", [RowNum(), Rank("a")], ids=str)
@given(data=st.data())
def test_a_partition_is_a_stream_of_its_own(counted: RowNum | Rank, data: st.DataObject) -> None:
    window = data.draw(KINDS["rows" if isinstance(counted, RowNum) else "rows_by_rank"](DOMAINS["integers"]))
    arrived = data.draw(tuples(DOMAINS["integers"]))
    whole = Partitioned(window, ("p",))
    for p in {t["p"] for t in arrived}:
        alone = [t for t in arrived if t["p"] == p]
        ids = [w for w in whole.windows(arrived) if w[1] == (p,)]
        assert ids == whole.windows(alone)
        assert [whole.extent(w, arrived) for w in ids] == [whole.extent(w, alone) for w in ids]
