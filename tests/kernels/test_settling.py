"""What bucket adds up before a controller has spoken: tuples that it could not part from the others of their pane."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom import rows
from transom.disorder import Buffered, DropRatio, Generator, Heartbeat, Slack
from transom.disorder.controllers import controller_of, is_never_ahead
from transom.errors import BadTuple
from transom.kernels import bucket
from transom.kernels.aggregates import algebra_of
from transom.kernels.aggregates.call import Call
from transom.kernels.bucket import Bucket
from transom.kernels.columns.axis import Axis
from transom.kernels.extents.ids import ids_of
from transom.kernels.generating import Generating
from transom.kernels.panes.settling import settled, settles
from transom.kernels.spec import Computed, WindowedSpec
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.semantics import Band, Landmark, LandmarkEvery, Sliding, Window

GENERATORS: dict[str, Generator] = {
    "ratio": DropRatio(0.1),
    "heartbeat": Heartbeat(),
    "heartbeat average": Heartbeat(average=True),
    "rows": Slack(rows(0)),
    "normal": DropRatio(0.1, normal=True),
    "buffer": Buffered(DropRatio(0.1), 1),
}
AHEAD = {"normal", "buffer"}
COUNT = Call("count")


def spec(window: Window | None = None, control: Generator | None = None) -> WindowedSpec:
    window = window or Sliding(range=30, slide=10, wattr="a")
    generating = Generating(control=control or DropRatio(0.1))
    return WindowedSpec(
        Axis(), pa.int64(), generating, window=window, keys=("k",), shard_by=("k",), computed=(Computed(COUNT),), width=10
    )


def sent(*places: int | None, keep: list[bool] | None = None, shards: int = 1) -> list[Any]:
    table = pa.table({"__value": pa.array(places, pa.int64()), "k:k": pa.array([n % 2 for n in range(len(places))])})
    if keep is not None:
        table = table.append_column("__keep", pa.array(keep))
    bucket = Bucket(spec(), shards, (algebra_of(COUNT, []),))
    return [piece for _, piece in bucket.slices(table, ("", 0, 0))]


def test_tuples_of_the_newest_pane_are_settled() -> None:
    places = np.array([5, 12, 9, 19, 14, 31, 29, 30])
    assert settled(spec(), places).tolist() == [True, True, False, True, True, True, False, True]


@pytest.mark.parametrize("name", GENERATORS)
def test_frontiers_ahead_of_all_tuples_are_told_apart(name: str) -> None:
    generator, ahead = GENERATORS[name], False
    for seed in range(20):
        r = np.random.default_rng(seed)
        a = np.arange(200) * 10 - r.integers(0, 30, 200) // 20 * 40
        arrival = np.arange(200) * 10 + np.where(np.arange(200) > 150, 500, 5)
        reached = controller_of(generator, Axis()).run(a, arrival if name == "normal" else None)
        ahead |= bool((reached[1:] > np.maximum.accumulate(a)).any())
    assert ahead == (name in AHEAD)
    assert is_never_ahead(generator) == (name not in AHEAD)


@st.composite
def windows(draw: st.DrawFn) -> tuple[Window, int]:
    """A window, and how wide its panes are."""
    length, slide = draw(st.integers(1, 60)), draw(st.integers(1, 30))
    offset, lag = draw(st.one_of(st.none(), st.integers(0, 9))), draw(st.one_of(st.none(), st.integers(1, 9)))
    kind = draw(st.sampled_from(["sliding", "from an origin", "landmark", "landmark from", "landmark every"]))
    if kind == "sliding":
        return Sliding(range=length, slide=slide, wattr="a", offset=offset, lag=lag), math.gcd(length, slide)
    if kind == "from an origin":
        return Sliding(range=length, slide=slide, wattr="a", origin=7, lag=lag), math.gcd(length, slide, lag or 0)
    if kind == "landmark every":
        return LandmarkEvery(every=slide * 3, slide=slide, wattr="a"), slide
    since = 5 if kind == "landmark from" else None
    return Landmark(slide=slide, wattr="a", since=since, offset=None if since else offset), slide


@given(windows(), st.integers(-100, 300), st.data())
def test_no_window_of_a_place_is_complete_at_a_frontier_inside_its_pane(
    made: tuple[Window, int], a: int, data: st.DataObject
) -> None:
    window, width = made
    ids = ids_of(window, Axis())
    start = (a - ids.origin) // width * width + ids.origin
    frontier = data.draw(st.integers(start, start + width - 1))
    places = np.array([a])
    if ids.first(places)[0] <= ids.last(places)[0]:
        assert ids.opens(np.array([frontier]))[0] <= ids.first(places)[0]


def test_a_band_may_end_inside_a_pane_and_so_nothing_is_settled() -> None:
    assert settles(spec())
    assert not settles(spec(Band(lower=0, upper=25, slide=10, wattr="a")))
    assert not settles(spec(control=GENERATORS["normal"]))


def test_settled_tuples_leave_as_partials_and_the_others_one_by_one() -> None:
    (piece,) = sent(5, 12, 9, 19, None, 12, 11, 14, 13, 16, 17, 18, 31, 39, 29)
    made = piece.partials.select(["__axis", "k:k", "__rows"]).to_pydict().values()
    assert sorted(zip(*made, strict=True))[1:] == [(0, 0, 1), (10, 0, 3), (10, 1, 6), (30, 0, 1), (30, 1, 1)]
    assert piece.rows["__seq"].to_pylist() == [2, 13]
    assert piece.sequenced.places.tolist() == [5, 12, 9, 19, 12, 11, 14, 13, 16, 17, 18, 31, 39, 29]
    assert piece.kept.tolist() == [True] * 14


def test_tuples_cross_one_by_one_where_partials_would_not_be_fewer() -> None:
    (piece,) = sent(5, 12, 9, 19, 31)
    assert piece.partials is None
    assert piece.rows["__seq"].to_pylist() == [0, 1, 2, 3, 4]
    assert piece.kept.tolist() == [True] * 5


def test_tuples_that_the_query_leaves_out_bring_the_frontier_on_and_are_not_counted() -> None:
    keep = [True, False, *[True] * 6]
    first, second = sent(5, 12, 9, 19, 18, 17, 16, 15, keep=keep, shards=2)
    assert first.kept.tolist() == keep
    assert second.kept is None
    assert sorted(first.partials["__rows"].to_pylist() + second.partials["__rows"].to_pylist()) == [1, 2, 3]
    assert [*first.rows["__seq"].to_pylist(), *second.rows["__seq"].to_pylist()] == [2]


def answers(a: Any, cuts: list[int], generator: Generator, *, with_null: bool = False) -> tuple[Any, int]:
    """The results of one micro-batch that is cut into slices, perhaps with a tuple without a place in the midst of each, and how
    many tuples crossed one by one."""
    own, count = spec(Sliding(range=10, slide=10, wattr="a"), generator), (algebra_of(COUNT, []),)
    pieces: list[Any] = []
    for n, part in enumerate(np.split(a, cuts)):
        table = pa.table({"__value": pa.array(part), "k:k": pa.array(np.zeros(len(part), np.int64))})
        if with_null:
            nowhere = pa.table({"__value": pa.array([None], pa.int64()), "k:k": pa.array([0])})
            table = pa.concat_tables([table.slice(0, len(part) // 2), nowhere, table.slice(len(part) // 2)])
        pieces += [piece for _, piece in Bucket(own, 1, count).slices(table, ("", n, 0))]
    found = ShardOperator(own, list(count)).step(pieces, Memory()).rows
    assert found is not None
    return found, sum(piece.rows.num_rows for piece in pieces)


def test_a_choice_in_a_slice_that_is_behind_the_others_makes_none_of_its_tuples_late() -> None:
    """The delay falls while the maximum rests. Did the frontier move, some tuples of a pane would come too late for it."""
    r = np.random.default_rng(87)
    a = np.arange(4000) - (r.exponential(1, 4000) * np.where(np.arange(4000) < r.integers(1100, 1500), 300, 3)).astype(np.int64)
    falls = 1276
    a[falls + 1 : falls + 40] = a[:falls].max() - 1000 + np.arange(39) % 3
    assert answers(a, [], DropRatio(0.1))[0] == answers(a, [falls], DropRatio(0.1))[0]


@pytest.mark.parametrize("generator", [DropRatio(0.01), DropRatio(0.05), Heartbeat()], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_cuts_do_not_matter_where_slices_tell_of_the_delay(
    seed: int, generator: Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    r = np.random.default_rng(seed)
    scale = np.where(np.arange(150_000) // r.integers(2000, 60_000) % 2 == 0, 100, 200)
    a = np.arange(150_000) - (r.exponential(1, 150_000) * scale).astype(np.int64)
    whole, crossed = answers(a, [], generator)
    assert answers(a, [300, 50_000, 91_000, 91_001], generator)[0] == whole
    assert answers(a, [], generator, with_null=True) == (whole, crossed)
    monkeypatch.setattr(bucket, "settled", lambda spec, a, sequence: settled(spec, a))
    by_panes, more = answers(a, [], generator)
    assert by_panes == whole
    assert crossed < 0.8 * more


@pytest.mark.parametrize("arrival", [math.nan, math.inf, None])
def test_an_arrival_time_that_is_none_is_an_error(arrival: float | None) -> None:
    generating = Generating(control=DropRatio(0.1, normal=True))
    bucket = Bucket(
        WindowedSpec(Axis(None), pa.float64(), generating, window=Sliding(range=30, slide=10, wattr="a"), arrival_by="t")
    )
    table = pa.table({"__value": [1.0, 2.0, 3.0], "__arrival": pa.array([1.0, arrival, 3.0])})
    with pytest.raises(BadTuple, match="no arrival time: 't'"):
        list(bucket.slices(table, ("", 0, 0)))


def test_where_the_query_keeps_none_that_are_settled_partials_are_of_nobody() -> None:
    (piece,) = sent(39, *[5] * 8, keep=[False, *[True] * 8])
    assert piece.partials.num_rows == 0
    assert piece.rows["__seq"].to_pylist() == [1, 2, 3, 4, 5, 6, 7, 8]
