"""Quality as an object: what progress reports say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import transom as tr
from tests.quality.reports import report, told_by, without_control
from transom.errors import BadOption
from transom.quality.moment import Aged, Moment, moment_of
from transom.spark.running.messages.progress_line import Tally


@dataclass
class Asked:
    """A query, as far as it is looked at."""

    recentProgress: list[Any]  # noqa: N815
    name: str | None = None


class Json(dict[str, Any]):
    """A report as PySpark has it: a dictionary of something, which has its JSON besides."""

    def __init__(self, text: str) -> None:
        super().__init__(observedMetrics=None)
        self.json = text


def test_what_a_report_says() -> None:
    found = moment_of(report(0, 4))
    assert found is not None
    assert (found.seen, found.late, found.ratio, found.target, found.holds) == (1000, 4, 0.004, 0.01, True)
    assert (found.used, found.dropped, found.outside, found.held, found.waiting) == (995, 2, 3, 7, 40)
    assert found.at == datetime(2026, 1, 5, 15, 0, 0, 500_000, tzinfo=UTC)
    assert found.newest == datetime(2026, 1, 5, 14, 16, 40, tzinfo=UTC)
    assert found.frontier == datetime(2026, 1, 5, 14, 16, 37, 500_000, tzinfo=UTC)
    assert (found.delay, found.delay_50, found.delay_95) == tuple(timedelta(seconds=x) for x in (2.5, 2, 4))


def test_ages_are_summed_over_shards() -> None:
    found = moment_of(report(0, 4))
    assert found is not None
    at = [timedelta(seconds=x) for x in (0.5, 1, 2, 5)]
    assert found.late_by_age == (Aged(at[0], at[1], 5), Aged(at[2], at[3], 1))


def test_on_an_axis_of_numbers_places_and_lengths_are_numbers() -> None:
    found = moment_of(report(0, 4, time=False, newest=100, frontier=97.5, delay=2.5))
    assert found is not None
    assert (found.newest, found.frontier, found.delay) == (100.0, 97.5, 2.5)
    assert str(found) == "late 0.4 % of 1 % allowed, delay 2.5"


def test_more_than_is_allowed_does_not_hold() -> None:
    found = moment_of(report(0, 11))
    assert found is not None
    assert (found.holds, str(found)) == (False, "late 1.1 % of 1 % allowed (exceeded), delay 2.5 s")


def test_before_the_first_promise_it_learns() -> None:
    found = moment_of(with_control(frontier=None, delay=None, learns=True))
    assert found is not None
    assert (found.learns, str(found)) == (True, "late 0 % of 1 % allowed, still learning after 1,000")


def test_the_substream_that_windows_wait_for_is_told() -> None:
    found = moment_of(with_control(behind="s1\x1fs2"))
    assert found is not None
    assert [line for line in found.lines() if line.endswith(", farthest behind: substream 's1, s2'")]
    early = moment_of(with_control(behind="s1", frontier=None, delay=None, learns=True))
    assert str(early) == "late 0 % of 1 % allowed, still learning after 1,000, in substream 's1'"


def with_control(**more: Any) -> dict[str, Any]:
    """A report in which the controller tells something else, or more."""
    made = report(0, 0)
    told = [json.loads(one) for one in made["observedMetrics"]["transom"]["shards"]]
    shards = [json.dumps(one | {"control": one["control"] | more}) for one in told]
    return made | {"observedMetrics": {"transom": {"shards": shards}}}


def test_a_tuple_far_ahead_is_told() -> None:
    """It was among the first: DRATIO has learnt, but no tuple raises the maximum again."""
    known = {"seen": 20_000, "late": 0, "used": 20_000, "dropped": 0, "outside": 0, "held": 300}
    stuck = Moment(**known, target=0.01, newest=datetime(2036, 1, 1, tzinfo=UTC))
    told = "late 0 % of 1 % allowed, nothing is complete behind a tuple at 2036-01-01 00:00:00: AHEAD would set it aside"
    assert (stuck.is_stuck, str(stuck)) == (True, told)
    soon = Moment(**{**known, "seen": 1_020}, target=0.01, newest=datetime(2026, 1, 1, tzinfo=UTC))
    assert (soon.is_stuck, str(soon)) == (False, "late 0 % of 1 % allowed")


def test_without_a_controller_late_tuples_are_those_of_the_query() -> None:
    found = moment_of(without_control(0))
    assert found is not None
    assert (found.seen, found.late, found.target, found.holds, found.waiting) == (1000, 3, None, None, None)
    assert str(found) == "late 0.3 %, delay 30 s"


def test_of_windows_over_windows_it_is_the_lowest() -> None:
    both = report(0, 4)
    above = told_by({"used": 9, "dropped": 0, "outside": 0, "late": 0, "held": 1, "frontier": None})
    both["observedMetrics"] = {"transom_1": both["observedMetrics"]["transom"], "transom": above}
    found = moment_of(both)
    assert found is not None
    assert found.seen == 1000


def test_spark_connect_gives_names_apart() -> None:
    plain, apart = report(0, 4), report(0, 4)
    metrics = apart["observedMetrics"]["transom"]
    fields = [{"name": name} for name in metrics]
    apart["observedMetrics"]["transom"] = {"values": list(metrics.values()), "schema": {"type": "struct", "fields": fields}}
    assert moment_of(apart) == moment_of(plain)


@pytest.mark.parametrize("as_given", [lambda one: one, json.dumps, lambda one: Json(json.dumps(one))])
def test_of_a_query_it_has_every_micro_batch_that_tells(as_given: Any) -> None:
    nothing = {"batchId": 1, "timestamp": "2026-01-05T15:00:01.000Z", "numInputRows": 0, "observedMetrics": {}}
    quality = tr.Quality.of(Asked([as_given(one) for one in (report(0, 0), nothing, report(2, 6))], "speeds"))
    assert quality.last is not None
    assert ([moment.batch for moment in quality.moments], quality.last.ratio) == ([0, 2], 0.002)
    assert str(quality) == "speeds: late 0.2 % of 1 % allowed, delay 2.5 s"


def test_before_anything_has_arrived_there_is_nothing() -> None:
    quality = tr.Quality.of(Asked([]))
    assert (quality.last, str(quality)) == (None, "query: nothing has arrived yet")


def test_only_queries_have_quality() -> None:
    with pytest.raises(BadOption, match="have a quality report"):
        tr.Quality.of({"used": 1})


def test_what_there_is_to_tell_in_lines() -> None:
    found = moment_of(report(1, 4, buffer=50))
    assert found is not None
    assert found.lines() == [
        "late ratio: 0.2 % of 1 % allowed (4 of 2000 tuples)",
        "delay: 2.5 s now, 2 s for half of the tuples at most, 4 s for 95 %",
        "waiting rows: 41 of 50 at most",
        "frontier: 2026-01-05 14:33:17.5, newest 2026-01-05 14:33:20",
        "late by age: up to 1 s 5, up to 5 s 1",
    ]


def test_the_live_line_tells_what_is_kept() -> None:
    noted = []
    tally = Tally("q", note=lambda title, progress: noted.append((title, progress["batchId"])))
    tally.take([json.dumps(report(0, 0)), json.dumps(report(1, 8))])
    assert tally.line(2.0) == (
        "in 2,000 rows, 1,000 rows/s, late 0.4 % of 1 % allowed, delay 2.5 s, frontier 2026-01-05 14:03:00, state 7 rows"
    )
    assert tally.summary() == "in 2,000 rows, out 4, late 8, dropped 2, outside 3; late 0.4 % of 1 % allowed, delay 2.5 s"
    assert noted == [("q", 0), ("q", 1)]


def test_what_was_exceeded_on_the_way_is_told_at_the_end() -> None:
    tally = Tally("q")
    tally.take([json.dumps(report(0, 12)), json.dumps(report(1, 24)), json.dumps(report(2, 27))])
    assert tally.summary().endswith("; late 0.9 % of 1 % allowed, delay 2.5 s, at worst 1.2 %")
    quality = tr.Quality.of(Asked([report(0, 12), report(1, 24), report(2, 27)]))
    assert "<th>largest share that was late at any time</th><td>1.2 %</td>" in quality.to_html()
    assert "at worst" not in tr.Quality.of(Asked([report(0, 12), report(1, 8)])).to_html()


def test_the_live_line_of_slack_stays_as_it_is() -> None:
    tally = Tally("q")
    tally.take([json.dumps(without_control(0))])
    assert tally.line(2.0).endswith("frontier 2026-01-05 14:03:00, state 7 rows, late 3")
    assert tally.summary().endswith("outside 3")
