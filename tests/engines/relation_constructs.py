"""Every construct over relations once, in SQL and in Python, on the streams `a` and `b`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import transom as tr
from transom.fluent.relation import Relation

COLUMNS = {"a": "k STRING, x DECIMAL(10,2), d DATE, t BIGINT", "b": "k STRING, y DECIMAL(10,2), d DATE, t BIGINT"}

Streams = dict[str, Any]
Asked = tuple[str, Callable[[Any, Any], Relation]]

BOUND = "a.k = b.k AND b.t BETWEEN a.t - 2 AND a.t + 5"

JOINS: dict[str, Asked] = {
    "inner, by an inequality too": (
        "SELECT a.k, x, y FROM a [RANGE 8 SLIDE 4] JOIN b [RANGE 3 ROWS] ON a.k = b.k AND a.x < b.y",
        lambda a, b: (
            a.window(range=8, slide=4).join(b.window(range=tr.rows(3)), "a.k = b.k AND a.x < b.y").select(k="a.k", x="x", y="y")
        ),
    ),
    "left": (
        "SELECT x, y, event_ts, a.k FROM a [RANGE 6] LEFT JOIN b [TUMBLE 5] ON a.k = b.k TIMESTAMP NOW",
        lambda a, b: (
            a.window(range=6).join(b.window(tumble=5), "a.k = b.k", "left", timestamp="now").select("x", "y", "event_ts", k="a.k")
        ),
    ),
    "right": (
        "SELECT b.k, x, y FROM a [RANGE 6] RIGHT JOIN b [NOW] ON a.k = b.k",
        lambda a, b: a.window(range=6).join(b.window(now=True), "a.k = b.k", "right").select(k="b.k", x="x", y="y"),
    ),
    "full, on a date": (
        "SELECT x, y FROM a [RANGE 4] FULL JOIN b [RANGE 3] ON a.d = b.d",
        lambda a, b: a.window(range=4).join(b.window(range=3), "a.d = b.d", "full").select("x", "y"),
    ),
    "semi, on a decimal": (
        "SELECT a.k, x FROM a [RANGE 6] LEFT SEMI JOIN b [RANGE 8] ON x = y",
        lambda a, b: a.window(range=6).join(b.window(range=8), "x = y", "left_semi").select(k="a.k", x="x"),
    ),
    "anti": (
        "SELECT a.k, x FROM a [RANGE 6] LEFT ANTI JOIN b [RANGE 8] ON a.k = b.k",
        lambda a, b: a.window(range=6).join(b.window(range=8), "a.k = b.k", "left_anti").select(k="a.k", x="x"),
    ),
    "under an aggregate": (
        "SELECT y, count(*) AS n, max(x) AS hi FROM a [RANGE 8 SLIDE 4] JOIN b [RANGE 6] ON a.k = b.k GROUP BY y",
        lambda a, b: (
            a.window(range=8, slide=4).join(b.window(range=6), "a.k = b.k").group_by("y").agg(n=tr.count(), hi=tr.max("x"))
        ),
    ),
    "interval": (
        f"SELECT a.k, x, y FROM a LEFT JOIN b ON {BOUND}",
        lambda a, b: a.join(b, BOUND, "left").select(k="a.k", x="x", y="y"),
    ),
    "as-of": (
        "SELECT x, y FROM a LEFT ASOF JOIN b MATCH_CONDITION (a.t >= b.t) ON a.k = b.k WITHIN 9",
        lambda a, b: a.asof_join(b, on="a.k = b.k", how="left", within=9).select("x", "y"),
    ),
}

SETS: dict[str, Asked] = {
    "union": (
        "SELECT k, x FROM a [RANGE 6] UNION SELECT k, y FROM b [TUMBLE 5]",
        lambda a, b: a.window(range=6).select("k", "x").union(b.window(tumble=5).select("k", "y")).distinct(),
    ),
    "union of bags": (
        "SELECT k FROM a [RANGE 2 ROWS] UNION ALL SELECT k FROM b [NOW]",
        lambda a, b: a.window(range=tr.rows(2)).select("k").union(b.window(now=True).select("k")),
    ),
    "intersection": (
        "SELECT d FROM a [RANGE 9] INTERSECT SELECT d FROM b [RANGE 3 ROWS]",
        lambda a, b: a.window(range=9).select("d").intersect(b.window(range=tr.rows(3)).select("d")),
    ),
    "intersection of bags": (
        "SELECT k FROM a [TUMBLE 6] INTERSECT ALL SELECT k FROM b [RANGE 9]",
        lambda a, b: a.window(tumble=6).select("k").intersect_all(b.window(range=9).select("k")),
    ),
    "difference": (
        "SELECT k, x FROM a [RANGE 10 SLIDE 5] EXCEPT SELECT k, y FROM b [RANGE 9]",
        lambda a, b: a.window(range=10, slide=5).select("k", "x").subtract(b.window(range=9).select("k", "y")),
    ),
    "difference of bags": (
        "SELECT k FROM a [RANGE 6] EXCEPT ALL SELECT k FROM b [SESSION GAP 2]",
        lambda a, b: a.window(range=6).select("k").except_all(b.window(gap=2).select("k")),
    ),
    "duplicates, which a rule drops below the window": (
        "SELECT DISTINCT k, d, window_end FROM a [RANGE 10 SLIDE 5]",
        lambda a, b: a.window(range=10, slide=5).select("k", "d", "window_end").distinct(),
    ),
    "duplicates, which it does not": (
        "SELECT DISTINCT KEEP FIRST k, d FROM a [RANGE 3 ROWS SLIDE 2 ROWS]",
        lambda a, b: a.window(range=tr.rows(3), slide=tr.rows(2)).select("k", "d").distinct(keep="first"),
    ),
}

CHANGES: dict[str, Asked] = {
    "what appears among groups": (
        "SELECT ISTREAM k, count(*) AS n FROM a [RANGE 10 SLIDE 5] GROUP BY k",
        lambda a, b: a.window(range=10, slide=5).group_by("k").agg(n=tr.count()).istream(),
    ),
    "what disappears, and is drained": ("SELECT DSTREAM * FROM a [RANGE 6]", lambda a, b: a.window(range=6).dstream()),
    "what rows replace": (
        "SELECT DSTREAM k, x FROM a [RANGE 1 ROW SLIDE 1 ROW PATTR k]",
        lambda a, b: a.window(range=tr.rows(1), slide=tr.rows(1), pattr="k").select("k", "x").dstream(),
    ),
    "groups of partitions": (
        "SELECT ISTREAM k, max(x) AS hi FROM a [RANGE 3 ROWS PATTR k]",
        lambda a, b: a.window(range=tr.rows(3), pattr="k").agg(k="k", hi=tr.max("x")).istream(),
    ),
    "all there is, without duplicates": (
        "SELECT RSTREAM DISTINCT KEEP FIRST k FROM a [RANGE 4]",
        lambda a, b: a.window(range=4).select("k").distinct(keep="first").rstream(),
    ),
    "of a set operation": (
        "SELECT ISTREAM * FROM (SELECT k FROM a [RANGE 6] UNION ALL SELECT k FROM b [NOW]) AS changing",
        lambda a, b: a.window(range=6).select("k").union(b.window(now=True).select("k")).istream(),
    ),
    "the first of an instant, with ties": (
        "SELECT k, x FROM a [TUMBLE 10] ORDER BY k DESC LIMIT 2",
        lambda a, b: a.window(tumble=10).select("k", "x").order_by("k DESC").limit(2),
    ),
    "ranks": (
        "SELECT k, x, dense_rank() OVER (PARTITION BY window_end ORDER BY x) AS r FROM a [RANGE 10 SLIDE 5]",
        lambda a, b: a.window(range=10, slide=5).select("k", "x", r="dense_rank() OVER (PARTITION BY window_end ORDER BY x)"),
    ),
    "ranks within partitions of rows": (
        "SELECT k, x, rank() OVER (PARTITION BY k, window_end ORDER BY x DESC) AS r FROM a [RANGE 3 ROWS SLIDE 2 ROWS PATTR k]",
        lambda a, b: a.window(range=tr.rows(3), slide=tr.rows(2), pattr="k").select(
            "k", "x", r="rank() OVER (PARTITION BY k, window_end ORDER BY x DESC)"
        ),
    ),
}

CONSTRUCTS = {"joins": JOINS, "sets": SETS, "changes": CHANGES}
EVERY = {f"{kind}: {name}": asked for kind, some in CONSTRUCTS.items() for name, asked in some.items()}
