"""Which windows are open, which have closed, and how many tuples are in each."""

from __future__ import annotations

import pytest

from transom import minutes, seconds, sliding, tumbling
from transom.monitor.board.geometry import Geometry
from transom.monitor.board.window_book import CLOSED, WindowBook
from transom.semantics.windows.session import Session
from transom.semantics.windows.sliding import Sliding

MINUTE = 60_000_000


@pytest.mark.parametrize(
    "window",
    [
        Sliding(range=minutes(5), slide=minutes(1), wattr="ts"),
        Sliding(range=minutes(1), slide=minutes(1), wattr="ts"),
        Sliding(range=seconds(90), slide=minutes(1), wattr="ts", offset=seconds(7)),
        Sliding(range=seconds(20), slide=minutes(1), wattr="ts", lag=seconds(30)),
    ],
)
@pytest.mark.parametrize("place", [0, 1, MINUTE - 1, MINUTE, 27 * MINUTE + 5, -3 * MINUTE])
def test_bounds_are_those_of_the_definition(window: Sliding, place: int) -> None:
    geometry = Geometry.of(window)
    assert geometry is not None
    for w in (-3, 0, 11):
        bounds = window.bounds(w)
        assert geometry.bounds(w) == (bounds.lower, bounds.upper)
        assert geometry.instant(w) == window.instant(w)
    opens = geometry.first_open(place)
    assert not window.complete(opens, (), place)
    assert window.complete(opens - 1, (), place)
    last = geometry.last_begun(place)
    assert window.bounds(last).lower <= place < window.bounds(last + 1).lower


def test_other_windows_have_no_grid() -> None:
    assert Geometry.of(Session(gap=minutes(1), wattr="ts")) is None
    assert (tumbling, sliding) is not None
    kept = Geometry(1.0, 2.0, 3.0, 4.0)
    assert Geometry.from_json(kept.to_json()) == kept
    assert Geometry.from_json(None) is None


def book() -> WindowBook:
    return WindowBook(Geometry(range=2.0, slide=1.0, origin=0.0))


def test_tuples_are_counted_in_every_window_they_are_in() -> None:
    found = book()
    found.take([{"windows": [[0, 1, 5], [1, 2, 3]], "keys": [["a", [[0, 1, 5]]]]}, {"windows": [[1, 2, 4]]}])
    assert found.windows(None, None) == [[0, -1.0, 1.0, 5, False], [1, 0.0, 2.0, 12, False], [2, 1.0, 3.0, 7, False]]
    assert found.windows(2.0, 9.0) == [[0, -1.0, 1.0, 5, True], [1, 0.0, 2.0, 12, True], [2, 1.0, 3.0, 7, False]]
    assert found.key_counts(None, None) == {"a": [[0, -1.0, 1.0, 5, False], [1, 0.0, 2.0, 5, False]]}


def test_without_counts_windows_are_those_between_the_frontier_and_the_newest_tuple() -> None:
    assert book().windows(None, 5.0) == []
    found = book().windows(3.5, 5.0)
    assert [w for w, *_, closed in found if not closed] == [3, 4, 5, 6]
    assert all(count is None for *_, count, _ in found)
    assert len([w for w, *_, closed in found if closed]) == CLOSED


def test_what_only_old_windows_hold_is_forgotten() -> None:
    found = book()
    found.take([{"windows": [[0, 1, 5], [1000, 1001, 3]], "keys": [["a", [[0, 1, 5]]]]}])
    found.forget(None)
    assert len(found.spans) == 2
    found.forget(900.0)
    assert found.spans == {(1000, 1001): 3}
    assert found.keys == {"a": {}}
    assert [w for w, *_ in found.windows(900.0, 1000.0)] == [1000, 1001]


def test_results_have_the_names_of_the_select_list() -> None:
    """Also where Spark computes that list above the operator: nobody knows what `__y0` is."""
    import transom as tr
    from transom.planner import plan
    from transom.spark.frames.above import shown
    from transom.spark.workers.operate import named

    stream = tr.stream({"k": "STRING", "x": "INT", "t": "TIMESTAMP"}, order_by="t", name="s")
    query = tr.sql(
        "SELECT k, max(x) AS hi, sum(x) + 1 AS n, window_end FROM s [TUMBLE 1 MINUTE] GROUP BY k HAVING max(x) > 1", s=stream
    )
    (stage,) = plan(query.plan).stages
    row = {"k:k": "a", "y0": 5, "y1": 7, "wid": 3, "window_end": "14:01"}
    assert named(shown(stage), {"results": {"count": 1, "rows": [row]}})["rows"] == [
        {"k": "a", "hi": 5, "SUM(x)": 7, "window_end": "14:01"}
    ]


def test_bars_are_those_of_the_operator_that_reads_the_stream() -> None:
    """The page shows its progress and its counts, and no window of an operator above."""
    import transom as tr
    from transom.monitor.board.about import about

    stream = tr.stream({"k": "STRING", "x": "INT", "t": "BIGINT"}, order_by="t", name="s")
    inner = "SELECT k, max(x) AS m FROM s [TUMBLE 2] GROUP BY k"
    told = about("q", tr.sql(f"SELECT max(m) AS h FROM ({inner}) [TUMBLE 10]", s=stream).plan)
    assert (told["geometry"]["range"], told["window"], told["reads"]) == (2.0, "RANGE 2 SLIDE 2 WATTR t", "s")
    joined = about("q", tr.sql("SELECT a.x, b.k FROM s [RANGE 4] AS a JOIN s [RANGE 6] AS b ON a.k = b.k", s=stream).plan)
    assert (joined["geometry"], joined["window"]) == (None, "RANGE 4 WATTR t and RANGE 6 WATTR t")
