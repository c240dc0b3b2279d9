"""What is wrong with queries that write is known before Spark is asked."""

from __future__ import annotations

from typing import Any

import pytest

import transom as tr
from transom.errors import BadOption, BadQuery, ConflictingClauses, NotSupported
from transom.spark.running.jobs import jobs_of, output_of

TRAFFIC = tr.stream({"k": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
QUERY = TRAFFIC.window(tumble=tr.minutes(5)).group_by("k").agg("window_end", hi=tr.max("speed"))
FILE = QUERY.insert_into("FILE", "out")

SCRIPT = """
CREATE STREAM q AS SELECT k, max(speed) AS hi FROM traffic [TUMBLE 5 MINUTES] GROUP BY k;
CREATE STREAM missed AS LATE OF q;
INSERT INTO FILE 'out' SELECT * FROM q;
INSERT INTO FILE 'late' SELECT speed FROM missed;
"""


def test_late_rows_are_not_another_window() -> None:
    with pytest.raises(NotSupported, match="differ in their windows alone") as caught:
        tr.together(QUERY, QUERY.late())
    assert "write(q.insert_into(...), q.late().insert_into(...))" in caught.value.remedy


@pytest.mark.parametrize("query", [FILE, tr.sql("INSERT INTO FILE 'out' SELECT k FROM traffic", traffic=TRAFFIC)])
def test_a_dataframe_writes_nothing(query: tr.Relation) -> None:
    with pytest.raises(BadQuery, match="INSERT INTO says where rows go") as caught:
        query.to_df()
    assert 'start(checkpoint="...")' in caught.value.remedy


def test_nothing_follows_insert_into() -> None:
    with pytest.raises(BadQuery, match="nothing follows INSERT INTO"):
        FILE.where("hi > 3")


def test_no_insert_of_a_script_is_left_out() -> None:
    with pytest.raises(BadQuery, match="this one has an INSERT INTO before it"):
        tr.sql(SCRIPT, traffic=TRAFFIC)
    results, late = tr.script(SCRIPT, traffic=TRAFFIC)
    assert [len(job.outputs) for job in jobs_of([output_of(n, "", one.plan) for n, one in enumerate((results, late))])] == [2]


@pytest.mark.parametrize(
    ("target", "options", "kind", "words"),
    [
        (("PAPER", "x"), {}, NotSupported, "cannot go there"),
        (("FILE", "x"), {"format": "avrox"}, BadOption, "no such format"),
        (("FILE", "x.csv"), {"heder": "true"}, BadOption, "did you mean 'header'"),
        (("FILE", "x"), {"compresion": "gzip"}, BadOption, "did you mean 'compression'"),
    ],
)
def test_targets_that_there_are_not(target: tuple[str, str], options: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        QUERY.insert_into(*target, **options)


OTHER = TRAFFIC.window(tumble=tr.minutes(1)).agg(n=tr.count())

WRONG: list[tuple[type[Exception], tuple[tr.Relation, ...], dict[str, Any], str]] = [
    (BadQuery, (), {}, "nothing to write"),
    (BadQuery, (QUERY,), {}, "each query says where its rows go"),
    (BadQuery, (FILE,), {"foreach_batch": print}, "each query says where its rows go"),
    (NotSupported, (FILE, OTHER.late().insert_into("FILE", "late")), {}, "run as one"),
    (NotSupported, (QUERY, OTHER), {"foreach_batch": print}, "run as one"),
    (ConflictingClauses, (FILE,), {"processing_time": "1 second", "available_now": True}, "now and then"),
]


@pytest.mark.parametrize(("kind", "queries", "how", "words"), WRONG)
def test_refused(kind: type[Exception], queries: tuple[tr.Relation, ...], how: dict[str, Any], words: str) -> None:
    with pytest.raises(kind, match=words):
        tr.write(*queries, checkpoint="out/_checkpoint", **how)


def test_queries_over_other_dataframes_are_other_queries() -> None:
    class Frame:
        dtypes = (("k", "string"), ("ts", "timestamp"))
        isStreaming = True  # noqa: N815

    one, other = (tr.stream(Frame(), order_by="ts").window(tumble=tr.minutes(5)).agg(n=tr.count()) for _ in range(2))  # type: ignore[arg-type]
    assert one.plan == other.plan
    plans = [one.plan, other.late().plan]
    assert [len(job.outputs) for job in jobs_of([output_of(n, "", plan) for n, plan in enumerate(plans)])] == [1, 1]
