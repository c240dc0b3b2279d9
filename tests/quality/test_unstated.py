"""Tuples that are left out although nothing says how late they may be: who is warned, and once."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pytest

import transom as tr
from transom.cli.watching import Screen
from transom.planner.stages import stages_of
from transom.quality import unstated
from transom.spark.running.messages.progress_line import Tally


def report(late: int, before: int = 0, *, stream: str | None = "s", query: str = "q1", batch: int = 0) -> dict[str, Any]:
    shard = {"used": 7, "dropped": 2, "outside": 0, "held": 0, "late": late, "before": {"late": before}, "frontier": None}
    shard |= {} if stream is None else {"without_tolerance": stream}
    metrics = {"transom": {"shards": [json.dumps(shard)]}}
    return {"id": query, "runId": query, "batchId": batch, "numInputRows": 9, "sources": [], "observedMetrics": metrics}


class Query:
    """As much of a StreamingQuery as its quality needs."""

    name = "q"

    def __init__(self, *reports: dict[str, Any]) -> None:
        self.recentProgress = [json.dumps(one) for one in reports]


@pytest.fixture(autouse=True)
def _nothing_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unstated, "_warned", set())


def test_the_quality_of_a_query_warns_once_with_the_count_and_the_clause() -> None:
    query = Query(report(0), report(3), report(5, 3, batch=1))
    with pytest.warns(tr.LateTuplesWarning, match=r"3 tuples of stream 's' .* 2 are in no window.* SLACK .*DRATIO"):
        tr.Quality.of(query)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tr.Quality.of(query)


@pytest.mark.parametrize("told", [report(3, stream=None), report(0), report(3, 3)], ids=["stated", "none late", "none new"])
def test_no_warning(told: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tr.Quality.of(Query(told))


def test_a_run_says_it_in_a_line_of_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    screen, tally = Screen(), Tally("SELECT 1")
    for number, late in enumerate((0, 3, 5)):
        tally.take([json.dumps(report(late, batch=number))])
        screen.tick([tally], 0.0)
    screen.warn([tally])
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith("SELECT 1: 3 tuples of stream 's' came late")


S = {"x": "BIGINT", "n": "BIGINT"}


class Batch:
    """As much of a DataFrame as a stream looks at."""

    isStreaming = False  # noqa: N815
    dtypes = tuple(S.items())


@pytest.mark.parametrize(
    ("query", "stream"),
    [
        (tr.stream(S, order_by="n").window(tumble=5).agg(m=tr.count()), "stream"),
        (tr.stream(S, order_by="n", late="consistent").window(tumble=5).agg(m=tr.count()), "stream"),
        (tr.stream(S, order_by="n", slack=0).window(tumble=5).agg(m=tr.count()), None),
        (tr.stream(S, order_by="n").window(tumble=5).tolerate(slack=0).agg(m=tr.count()), None),
        (tr.stream(S, order_by="n").window(tumble=5).agg(m=tr.count()).late(), None),
        (tr.stream(S, order_by="arrival_ts").window(tumble=tr.seconds(5)).agg(m=tr.count()), None),
        (tr.stream(S, order_by="n").window(tumble=tr.rows(5)).agg(m=tr.count()), None),
        (tr.stream(Batch(), order_by="n").window(tumble=5).agg(m=tr.count()), None),
    ],
    ids=["nothing stated", "late", "stream", "window", "late tuples asked for", "arrival", "rows", "bounded"],
)
def test_which_queries(query: tr.Relation, stream: str | None) -> None:
    (stage,) = stages_of(query.plan)
    assert stage.without_tolerance == stream  # type: ignore[union-attr]
