"""For every construct: SQL and Python give equal plans, and the plan's SQL gives the same plan again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

import transom as tr
from transom import TransomError, errors, hours, minutes, rows, seconds
from transom.fluent import Relation
from transom.language import Catalog, bind_script
from transom.plan.sql.render import render

COLUMNS = {"seg_id": "STRING", "speed": "DOUBLE", "mile": "INT", "ts": "TIMESTAMP"}
TRAFFIC = tr.stream(COLUMNS, order_by="ts", name="traffic")
BID = tr.stream({"item": "BIGINT", "price": "DOUBLE"}, name="bid")
ROADS = {"seg": "STRING", "name": "STRING"}
JANUARY = datetime(2026, 1, 1)

SAME: dict[str, tuple[str, Callable[[], Relation]]] = {
    "sliding": (
        "SELECT seg_id, max(speed) AS hi, min(speed) AS lo "
        "FROM traffic [RANGE 300 SECONDS SLIDE 60 SECONDS WATTR ts] GROUP BY seg_id",
        lambda: (
            TRAFFIC.window(range=seconds(300), slide=seconds(60)).group_by("seg_id").agg(hi=tr.max("speed"), lo=tr.min("speed"))
        ),
    ),
    "rows": (
        "SELECT avg(speed) AS m FROM traffic [RANGE 100 ROWS]",
        lambda: TRAFFIC.window(range=rows(100)).agg(m=tr.avg("speed")),
    ),
    "partitioned rows": (
        "SELECT seg_id, count(*) AS n FROM traffic [RANGE 1000 ROWS SLIDE 10 ROWS PATTR seg_id]",
        lambda: TRAFFIC.window(range=rows(1000), slide=rows(10), pattr="seg_id").select("seg_id", n=tr.count()),
    ),
    "sessions of each group": (
        "SELECT seg_id, count(*) AS n FROM traffic [SESSION GAP 30 SECONDS] GROUP BY seg_id",
        lambda: TRAFFIC.window(gap=seconds(30)).group_by("seg_id").agg(n=tr.count()),
    ),
    "sessions of each group, which are partitioned": (
        "SELECT seg_id, count(*) AS n FROM traffic [SESSION GAP 30 SECONDS PATTR seg_id WHERE speed > 5] GROUP BY seg_id",
        lambda: TRAFFIC.window(gap=seconds(30), where="speed > 5", pattr=None).group_by("seg_id").agg(n=tr.count()),
    ),
    "sessions of the whole stream, grouped after": (
        "SELECT seg_id, count(*) AS n FROM traffic [SESSION GAP 30 SECONDS PATTR ()] GROUP BY seg_id",
        lambda: TRAFFIC.window(gap=seconds(30), pattr=()).group_by("seg_id").agg(n=tr.count()),
    ),
    "slide by tuple": (
        "SELECT count(*) AS n FROM traffic [RANGE 300 SECONDS RATTR ts SLIDE 10 ROWS SATTR rank(ts)]",
        lambda: TRAFFIC.window(range=seconds(300), rattr="ts", slide=rows(10), sattr="rank(ts)").agg(n=tr.count()),
    ),
    "not time": (
        "SELECT count(*) AS n FROM traffic [SLIDE 10 WATTR mile RANGE 50]",
        lambda: TRAFFIC.window(range=50, slide=10, wattr="mile").agg(n=tr.count()),
    ),
    "lag": (
        "SELECT count(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE LAG 1 HOUR]",
        lambda: TRAFFIC.window(range=minutes(5), slide=minutes(1), lag=hours(1)).agg(n=tr.count()),
    ),
    "origin and partial": (
        "SELECT count(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE ORIGIN TIMESTAMP '2026-01-01' PARTIAL OFF]",
        lambda: TRAFFIC.window(range=minutes(5), slide=minutes(1), origin=JANUARY, partial=False).agg(n=tr.count()),
    ),
    "landmark": (
        "SELECT count(*) AS n FROM traffic [LANDMARK FROM TIMESTAMP '2026-01-01' SLIDE 1 HOUR WATTR ts]",
        lambda: TRAFFIC.window(landmark=True, since=JANUARY, slide=hours(1)).agg(n=tr.count()),
    ),
    "landmark until": (
        "SELECT count(*) AS n FROM traffic [LANDMARK UNTIL 100 SLIDE 10 WATTR mile]",
        lambda: TRAFFIC.window(landmark=True, until=100, slide=10, wattr="mile").agg(n=tr.count()),
    ),
    "landmark every": (
        "SELECT count(*) AS n FROM traffic [LANDMARK EVERY 1 HOUR SLIDE 5 MINUTES]",
        lambda: TRAFFIC.window(landmark=True, every=hours(1), slide=minutes(5)).agg(n=tr.count()),
    ),
    "band": (
        "SELECT count(*) AS n FROM traffic [BAND 0 TO 100 SLIDE 10 WATTR mile]",
        lambda: TRAFFIC.window(band=(0, 100), slide=10, wattr="mile").agg(n=tr.count()),
    ),
    "now": ("SELECT count(*) AS n FROM traffic [NOW]", lambda: TRAFFIC.window(now=True).agg(n=tr.count())),
    "every instant": (
        "SELECT count(*) AS n FROM traffic [RANGE 5 MINUTES]",
        lambda: TRAFFIC.window(range=minutes(5)).agg(n=tr.count()),
    ),
    "tumble": (
        "SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES]",
        lambda: TRAFFIC.window(tumble=minutes(5)).agg(n=tr.count()),
    ),
    "session": (
        "SELECT seg_id, count(*) AS n FROM traffic [SESSION GAP 30 SECONDS PATTR seg_id]",
        lambda: TRAFFIC.window(gap=seconds(30), pattr=["seg_id"]).select("seg_id", n=tr.count()),
    ),
    "varying": (
        "SELECT count(*) AS n FROM traffic "
        "[RANGE IF(hour(window_end) < 9, INTERVAL 5 MINUTES, INTERVAL 10 MINUTES) MAX 10 MINUTES SLIDE 1 MINUTE]",
        lambda: TRAFFIC.window(
            range="if(hour(window_end) < 9, interval 5 minutes, interval 10 minutes)", max=minutes(10), slide=minutes(1)
        ).agg(n=tr.count()),
    ),
    "filtered": (
        "SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES WHERE speed > 50]",
        lambda: TRAFFIC.window(tumble=minutes(5), where="speed > 50").agg(n=tr.count()),
    ),
    "where": (
        "SELECT speed, window_end FROM traffic [TUMBLE 5 MINUTES] WHERE speed > 50",
        lambda: TRAFFIC.window(tumble=minutes(5)).where("speed > 50").select("speed", "window_end"),
    ),
    "slack": (
        "SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES SLACK 10 SECONDS LATE CONSISTENT]",
        lambda: TRAFFIC.window(tumble=minutes(5)).tolerate(slack=seconds(10), late="consistent").agg(n=tr.count()),
    ),
    "slack in percent": (
        "SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES SLACK 10%]",
        lambda: TRAFFIC.window(tumble=minutes(5)).tolerate(slack_percent=10).agg(n=tr.count()),
    ),
    "drop ratio": (
        "SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES DRATIO 1% NORMAL BFSIZE 1000]",
        lambda: TRAFFIC.window(tumble=minutes(5)).tolerate(drop_ratio=0.01, normal=True, buffer=1000).agg(n=tr.count()),
    ),
    "heartbeat": (
        "SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES HEARTBEAT AVERAGE]",
        lambda: TRAFFIC.window(tumble=minutes(5)).tolerate(heartbeat="average").agg(n=tr.count()),
    ),
    "the window's columns": (
        "SELECT seg_id, window_end, count(*) AS n FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id",
        lambda: TRAFFIC.window(tumble=minutes(5)).group_by("seg_id").agg("window_end", n=tr.count()),
    ),
    "having": (
        "SELECT seg_id, count(*) AS n FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id HAVING n > 3",
        lambda: TRAFFIC.window(tumble=minutes(5)).group_by("seg_id").agg(having="n > 3", n=tr.count()),
    ),
    "expression over aggregates": (
        "SELECT max(speed) - min(speed) AS spread FROM traffic [TUMBLE 5 MINUTES]",
        lambda: TRAFFIC.window(tumble=minutes(5)).agg(spread=tr.expr("max(speed) - min(speed)")),
    ),
    "row frame with slide": (
        "SELECT item, sum(price) OVER (PARTITION BY item ROWS 49 PRECEDING SLIDE 10 ROWS) AS total FROM bid",
        lambda: BID.select("item", total=tr.sum("price").over(range=rows(50), partition_by="item", slide=rows(10))),
    ),
    "range frame": (
        "SELECT *, avg(speed) OVER (PARTITION BY seg_id ORDER BY ts RANGE INTERVAL 5 MINUTES PRECEDING) AS m FROM traffic",
        lambda: TRAFFIC.select("*", m=tr.avg("speed").over(preceding=minutes(5), partition_by="seg_id", order_by="ts")),
    ),
    "unbounded frame": (
        "SELECT min(price) OVER (PARTITION BY item ROWS UNBOUNDED PRECEDING) AS least FROM bid",
        lambda: BID.select(least=tr.min("price").over(unbounded="rows", partition_by="item")),
    ),
    "derived": (
        "SELECT avg(hi) AS m FROM (SELECT max(speed) AS hi FROM traffic [TUMBLE 1 MINUTE]) AS q [TUMBLE 5 MINUTES]",
        lambda: (
            TRAFFIC.window(tumble=minutes(1)).agg(hi=tr.max("speed")).as_stream("q").window(tumble=minutes(5)).agg(m=tr.avg("hi"))
        ),
    ),
    "table join": (
        "SELECT name, count(*) AS n FROM traffic [TUMBLE 5 MINUTES] JOIN roads ON traffic.seg_id = roads.seg GROUP BY name",
        lambda: (
            TRAFFIC.window(tumble=minutes(5))
            .join("roads", ROADS, on="traffic.seg_id = roads.seg")
            .group_by("name")
            .agg(n=tr.count())
        ),
    ),
    "distinct and order": (
        "SELECT DISTINCT seg_id FROM traffic [TUMBLE 5 MINUTES] ORDER BY seg_id",
        lambda: TRAFFIC.window(tumble=minutes(5)).select("seg_id").distinct().order_by("seg_id"),
    ),
    "insert": (
        "INSERT INTO FILE 'out/q1' FORMAT jsonl SELECT count(*) AS n FROM traffic [NOW]",
        lambda: TRAFFIC.window(now=True).agg(n=tr.count()).insert_into("FILE", "out/q1", format="jsonl"),
    ),
    "projection of a stream": ("SELECT speed FROM traffic WHERE speed > 5", lambda: TRAFFIC.where("speed > 5").select("speed")),
}


def catalog() -> Catalog:
    known = bind_script("CREATE TABLE roads (seg STRING, name STRING)").catalog
    known.streams |= {"traffic": TRAFFIC.plan, "bid": BID.plan}
    return known


@pytest.mark.parametrize("name", SAME)
def test_sql_and_python_give_equal_plans(name: str) -> None:
    sql, build = SAME[name]
    assert build().plan == bind_script(sql, catalog()).queries[-1]


@pytest.mark.parametrize("name", SAME)
def test_a_plan_renders_to_sql_that_gives_the_same_plan(name: str) -> None:
    plan = SAME[name][1]().plan
    assert bind_script(render(plan), catalog()).queries[-1] == plan


SAME_ERRORS: list[tuple[str, str, Callable[[], Relation]]] = [
    ("UnknownColumn", "SELECT max(sped) AS x FROM traffic [NOW]", lambda: TRAFFIC.window(now=True).agg(x=tr.max("sped"))),
    (
        "UnknownColumn",
        "SELECT count(*) AS n FROM traffic [NOW] GROUP BY seg",
        lambda: TRAFFIC.window(now=True).group_by("seg").agg(n=tr.count()),
    ),
    ("NotPositive", "SELECT speed FROM traffic [TUMBLE 0 SECONDS]", lambda: TRAFFIC.window(tumble=seconds(0)).select("speed")),
    ("WrongUnit", "SELECT speed FROM traffic [TUMBLE 5]", lambda: TRAFFIC.window(tumble=5).select("speed")),
    (
        "MixedUnits",
        "SELECT speed FROM traffic [RANGE 5 ROWS SLIDE 1 MINUTE]",
        lambda: TRAFFIC.window(range=rows(5), slide=minutes(1)),
    ),
    ("BlockingAggregate", "SELECT max(speed) AS x FROM traffic", lambda: TRAFFIC.select(x=tr.max("speed"))),
    (
        "NotOrdered",
        "SELECT speed FROM traffic [RANGE 5 SLIDE 1 WATTR seg_id]",
        lambda: TRAFFIC.window(range=5, slide=1, wattr="seg_id"),
    ),
    (
        "ConflictingClauses",
        "SELECT speed FROM traffic [NOW SLACK 5 SECONDS DRATIO 1%]",
        lambda: TRAFFIC.window(now=True).tolerate(slack=seconds(5), drop_ratio=0.01),
    ),
    (
        "BadQuery",
        "SELECT speed, count(*) AS n FROM traffic [NOW]",
        lambda: TRAFFIC.window(now=True).agg(speed="speed", n=tr.count()),
    ),
    ("UnknownClause", "SELECT speed FROM traffic [RANG 5]", lambda: TRAFFIC.window(rang=5)),
    (
        "BadQuery",
        "SELECT speed FROM traffic [NOW] WHERE max(speed) > 1",
        lambda: TRAFFIC.window(now=True).where("max(speed) > 1"),
    ),
    (
        "BadQuery",
        "SELECT speed FROM traffic [NOW WHERE max(speed) > 1]",
        lambda: TRAFFIC.window(now=True, where="max(speed) > 1"),
    ),
    (
        "UnboundedState",
        "SELECT speed FROM traffic [LANDMARK SLIDE 1 HOUR]",
        lambda: TRAFFIC.window(landmark=True, slide=hours(1)).select("speed"),
    ),
]


@pytest.mark.parametrize(("name", "sql", "build"), SAME_ERRORS, ids=lambda value: value if isinstance(value, str) else "")
def test_sql_and_python_refuse_alike(name: str, sql: str, build: Callable[[], Relation]) -> None:
    kind: type[TransomError] = getattr(errors, name)
    with pytest.raises(kind):
        bind_script(sql, catalog())
    with pytest.raises(kind):
        build()


STREAMS = [
    ("ORDER BY ts", {"order_by": "ts"}),
    ("ORDER BY arrival_ts", {"order_by": "arrival_ts"}),
    ("", {}),
    ("ORDER BY ts ORDERED PER seg_id", {"order_by": "ts", "ordered": "seg_id"}),
    ("ORDER BY ts SLACK 100 ROWS LATE CONSISTENT", {"order_by": "ts", "slack": rows(100), "late": "consistent"}),
    ("ORDER BY ts DRATIO 1% BFSIZE 10 ARRIVAL BY ts", {"order_by": "ts", "drop_ratio": 0.01, "buffer": 10, "arrival_by": "ts"}),
    (
        "ORDER BY ts PUNCTUATION (seg_id, ts) WHEN speed IS NULL FROM ('a', 'b')",
        {"order_by": "ts", "punctuation": (["seg_id", "ts"], "speed is null"), "substreams": ["a", "b"]},
    ),
    (
        "ORDER BY ts HEARTBEAT PER SOURCE (seg_id) IDLE AFTER 30 SECONDS AHEAD 1 HOUR",
        {"order_by": "ts", "heartbeat": "largest", "per_source": ["seg_id"], "idle_after": seconds(30), "ahead": hours(1)},
    ),
]


@pytest.mark.parametrize(("clauses", "options"), STREAMS, ids=[clauses or "latent" for clauses, _ in STREAMS])
def test_streams_are_defined_alike(clauses: str, options: dict[str, object]) -> None:
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    script = bind_script(f"CREATE STREAM traffic ({columns}) {clauses}")
    assert script.catalog.streams["traffic"] == tr.stream(COLUMNS, name="traffic", **options).plan  # type: ignore[arg-type]


def test_derived_streams_are_defined_alike() -> None:
    script = bind_script("CREATE STREAM fast AS SELECT * FROM traffic WHERE speed > 50", catalog())
    same = TRAFFIC.where("speed > 50").select("*").as_stream("fast", defined=True)
    assert script.catalog.streams["fast"] == same.plan


def test_late_tuples_are_a_stream_alike() -> None:
    script = bind_script(
        "CREATE STREAM q AS SELECT max(speed) AS hi FROM traffic [TUMBLE 5 MINUTES]; CREATE STREAM l AS LATE OF q", catalog()
    )
    query = TRAFFIC.window(tumble=minutes(5)).agg(hi=tr.max("speed")).as_stream("q", defined=True)
    late = query.late(called="l")
    assert script.catalog.streams["l"] == late.plan
    assert late.schema.names == [*COLUMNS, "frontier"]


def test_an_aggregate_without_a_name_is_refused() -> None:
    with pytest.raises(errors.BadQuery):
        TRAFFIC.window(now=True).agg(tr.max("speed"))


def test_a_text_that_is_no_length_is_refused() -> None:
    with pytest.raises(errors.NotALength):
        TRAFFIC.window(range="10 miles")
