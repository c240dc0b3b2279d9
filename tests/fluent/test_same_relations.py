"""For every construct over several relations: SQL and Python give equal plans, and the plan's SQL gives the same plan again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import transom as tr
from transom import errors, hours, minutes, rows
from transom.fluent import Relation
from transom.language import Catalog, bind_script
from transom.plan.sql.render import render

BID = tr.stream({"auction": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
AUCTION = tr.stream({"id": "BIGINT", "seller": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="auction")
OTHER = tr.stream({"auction": "BIGINT", "note": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="other")
TICK = tr.stream({"v": "DOUBLE"}, name="tick")
LAST = BID.window(range=rows(1), pattr="auction")
HOUR = BID.window(range=hours(1))
SOLD = AUCTION.window(range=hours(1))
BETWEEN = "bid.ts BETWEEN auction.ts - INTERVAL 1 HOUR AND auction.ts"
ON = "bid.auction = auction.id"
LOOKED_UP = f"bid ASOF JOIN auction MATCH_CONDITION (bid.ts >= auction.ts) ON {ON}"

SAME: dict[str, tuple[str, Callable[[], Relation]]] = {
    "join": (
        "SELECT price, seller FROM bid [RANGE 1 HOUR] JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id",
        lambda: HOUR.join(SOLD, on=ON).select("price", "seller"),
    ),
    "left join with a timestamp": (
        "SELECT price, seller FROM bid [RANGE 1 HOUR] LEFT JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id TIMESTAMP MAX",
        lambda: HOUR.join(SOLD, ON, "left", timestamp="max").select("price", "seller"),
    ),
    "theta join": (
        "SELECT auction FROM bid [RANGE 1 HOUR] FULL JOIN auction [RANGE 1 HOUR] ON bid.auction < auction.id AND seller = 'x'",
        lambda: HOUR.join(SOLD, "bid.auction < auction.id AND seller = 'x'", "outer").select("auction"),
    ),
    "semi join": (
        "SELECT price FROM bid [RANGE 1 HOUR] LEFT SEMI JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id",
        lambda: HOUR.join(SOLD, ON, "left_semi").select("price"),
    ),
    "anti join": (
        "SELECT price FROM bid [RANGE 1 HOUR] LEFT ANTI JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id",
        lambda: HOUR.join(SOLD, ON, "anti").select("price"),
    ),
    "cross join": (
        "SELECT price, seller FROM bid [RANGE 1 HOUR] CROSS JOIN auction [RANGE 1 HOUR]",
        lambda: HOUR.join(SOLD, how="cross").select("price", "seller"),
    ),
    "join using": (
        "SELECT auction, note FROM bid [RANGE 1 HOUR] JOIN other [RANGE 1 HOUR] USING (auction)",
        lambda: HOUR.join(OTHER.window(range=hours(1)), "auction").select("auction", "note"),
    ),
    "self join": (
        "SELECT x.price AS one, y.price AS two FROM bid [RANGE 1 ROW PATTR auction] AS x "
        "JOIN bid [RANGE 1 HOUR] AS y ON x.auction = y.auction AND x.price > y.price",
        lambda: (
            LAST.alias("x")
            .join(HOUR.alias("y"), on="x.auction = y.auction AND x.price > y.price")
            .select(one="x.price", two="y.price")
        ),
    ),
    "join of three": (
        "SELECT seller, note FROM bid [RANGE 1 HOUR] JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id "
        "LEFT JOIN other [NOW] ON other.auction = bid.auction",
        lambda: HOUR.join(SOLD, ON).join(OTHER.window(now=True), "other.auction = bid.auction", "left").select("seller", "note"),
    ),
    "outer join before the last": (
        "SELECT price, seller, note FROM bid [RANGE 1 HOUR] FULL JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id "
        "JOIN other [NOW] ON other.auction = bid.auction",
        lambda: (
            HOUR.join(SOLD, ON, "outer")
            .join(OTHER.window(now=True), "other.auction = bid.auction")
            .select("price", "seller", "note")
        ),
    ),
    "semi and anti joins before the last": (
        "SELECT price, note FROM bid [RANGE 1 HOUR] LEFT SEMI JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id "
        "LEFT JOIN other [NOW] ON other.auction = bid.auction TIMESTAMP MAX",
        lambda: (
            HOUR.join(SOLD, ON, "semi")
            .join(OTHER.window(now=True), "other.auction = bid.auction", "left", timestamp="max")
            .select("price", "note")
        ),
    ),
    "outer join before the last, under an aggregate": (
        "SELECT seller, count(*) AS n FROM bid [RANGE 1 HOUR] LEFT JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id "
        "JOIN other [NOW] ON other.auction = bid.auction GROUP BY seller",
        lambda: (
            HOUR.join(SOLD, ON, "left")
            .join(OTHER.window(now=True), "other.auction = bid.auction")
            .group_by("seller")
            .agg(n=tr.count())
        ),
    ),
    "join of queries": (
        "SELECT hi, seller FROM (SELECT auction, max(price) AS hi FROM bid [RANGE 1 HOUR] GROUP BY auction) AS top "
        "JOIN auction [RANGE 1 HOUR] ON top.auction = auction.id",
        lambda: (
            HOUR.group_by("auction")
            .agg(hi=tr.max("price"))
            .alias("top")
            .join(SOLD, "top.auction = auction.id")
            .select("hi", "seller")
        ),
    ),
    "join under an aggregate": (
        "SELECT seller, max(price) AS hi FROM bid [RANGE 1 HOUR] JOIN auction [RANGE 1 HOUR] ON bid.auction = auction.id "
        "WHERE bid.ts > auction.ts GROUP BY seller",
        lambda: HOUR.join(SOLD, ON).where("bid.ts > auction.ts").group_by("seller").agg(hi=tr.max("price")),
    ),
    "interval join": (
        f"SELECT price, seller FROM bid JOIN auction ON bid.auction = auction.id AND {BETWEEN}",
        lambda: BID.join(AUCTION, f"{ON} AND {BETWEEN}").select("price", "seller"),
    ),
    "as-of join": (
        "SELECT price, seller FROM bid ASOF JOIN auction MATCH_CONDITION (bid.ts >= auction.ts) ON bid.auction = auction.id",
        lambda: BID.asof_join(AUCTION, on=ON).select("price", "seller"),
    ),
    "as-of joins in a row": (
        f"SELECT price, seller, note FROM {LOOKED_UP} LEFT ASOF JOIN other MATCH_CONDITION (bid.ts >= other.ts) "
        "ON auction.id = other.auction WITHIN 1 HOUR",
        lambda: (
            BID.asof_join(AUCTION, on=ON)
            .asof_join(OTHER, on="auction.id = other.auction", how="left", within="1 hour")
            .select("price", "seller", "note")
        ),
    ),
    "as-of join beside a window": (
        f"SELECT price, seller, note FROM {LOOKED_UP} LEFT JOIN other [RANGE 1 HOUR] ON other.auction = auction.id TIMESTAMP MAX",
        lambda: (
            BID.asof_join(AUCTION, on=ON)
            .join(OTHER.window(range=hours(1)), "other.auction = auction.id", "left", timestamp="max")
            .select("price", "seller", "note")
        ),
    ),
    "as-of join behind an interval join": (
        "SELECT price, seller, note FROM bid JOIN other ON bid.auction = other.auction AND other.ts "
        "BETWEEN bid.ts - INTERVAL 1 HOUR AND bid.ts ASOF JOIN auction MATCH_CONDITION (bid.ts >= auction.ts) ON " + ON,
        lambda: (
            BID.join(OTHER, "bid.auction = other.auction AND other.ts BETWEEN bid.ts - INTERVAL 1 HOUR AND bid.ts")
            .asof_join(AUCTION, on=ON)
            .select("price", "seller", "note")
        ),
    ),
    "as-of join beside a window under an aggregate": (
        f"SELECT ISTREAM seller, count(*) AS n FROM {LOOKED_UP} JOIN other [RANGE 1 HOUR] ON other.auction = id GROUP BY seller",
        lambda: (
            BID.asof_join(AUCTION, on=ON)
            .join(OTHER.window(range=hours(1)), "other.auction = auction.id")
            .group_by("seller")
            .agg(n=tr.count())
            .istream()
        ),
    ),
    "as-of join within": (
        "SELECT auction, price, note FROM bid "
        "LEFT ASOF JOIN other MATCH_CONDITION (bid.ts > other.ts) USING (auction) WITHIN 1 HOUR",
        lambda: BID.asof_join(OTHER, on="auction", how="left", within="1 hour", strict=True).select("auction", "price", "note"),
    ),
    "union of windows": (
        "SELECT auction FROM bid [RANGE 1 HOUR] UNION ALL SELECT id FROM auction [NOW] UNION ALL SELECT auction FROM other [NOW]",
        lambda: HOUR.select("auction").union(AUCTION.window(now=True).select("id"), OTHER.window(now=True).select("auction")),
    ),
    "union without duplicates": (
        "SELECT auction FROM bid [RANGE 1 HOUR] UNION SELECT id FROM auction [NOW]",
        lambda: HOUR.select("auction").union(AUCTION.window(now=True).select("id")).distinct(),
    ),
    "intersection": (
        "SELECT auction FROM bid [RANGE 1 HOUR] INTERSECT SELECT id FROM auction [RANGE 1 HOUR]",
        lambda: HOUR.select("auction").intersect(SOLD.select("id")),
    ),
    "intersection of bags": (
        "SELECT auction FROM bid [RANGE 1 HOUR] INTERSECT ALL SELECT id FROM auction [RANGE 1 HOUR]",
        lambda: HOUR.select("auction").intersectAll(SOLD.select("id")),
    ),
    "difference": (
        "SELECT auction FROM bid [RANGE 1 HOUR] EXCEPT SELECT id FROM auction [RANGE 1 HOUR]",
        lambda: HOUR.select("auction").subtract(SOLD.select("id")),
    ),
    "difference of bags": (
        "SELECT auction FROM bid [RANGE 1 HOUR] EXCEPT ALL SELECT id FROM auction [RANGE 1 HOUR]",
        lambda: HOUR.select("auction").exceptAll(SOLD.select("id")),
    ),
    "what appears": (
        "SELECT ISTREAM auction, count(*) AS n FROM bid [RANGE 1 HOUR SLIDE 1 MINUTE] GROUP BY auction",
        lambda: BID.window(range=hours(1), slide=minutes(1)).group_by("auction").agg(n=tr.count()).istream(),
    ),
    "what disappears": ("SELECT DSTREAM * FROM bid [RANGE 1 HOUR]", lambda: HOUR.dstream()),
    "all there is": (
        "SELECT RSTREAM DISTINCT KEEP FIRST auction FROM bid [RANGE 1 HOUR]",
        lambda: HOUR.select("auction").distinct(keep="first").rstream(),
    ),
    "changes of a union": (
        "SELECT ISTREAM * FROM (SELECT auction FROM bid [RANGE 1 HOUR] UNION ALL SELECT id FROM auction [NOW]) AS changing",
        lambda: HOUR.select("auction").union(AUCTION.window(now=True).select("id")).istream(),
    ),
    "the top of an instant": (
        "SELECT auction, price FROM bid [TUMBLE 1 HOUR] ORDER BY price DESC LIMIT 3",
        lambda: BID.window(tumble=hours(1)).select("auction", "price").order_by("price DESC").limit(3),
    ),
}


def catalog() -> Catalog:
    return Catalog({name: one.plan for name, one in {"bid": BID, "auction": AUCTION, "other": OTHER, "tick": TICK}.items()})


@pytest.mark.parametrize("name", SAME)
def test_sql_and_python_give_equal_plans(name: str) -> None:
    sql, build = SAME[name]
    assert build().plan == bind_script(sql, catalog()).queries[-1]


@pytest.mark.parametrize("name", SAME)
def test_a_plan_renders_to_sql_that_gives_the_same_plan(name: str) -> None:
    plan = SAME[name][1]().plan
    assert bind_script(render(plan), catalog()).queries[-1] == plan


WRONG: dict[str, tuple[type[errors.TransomError], Callable[[], Relation]]] = {
    "a join without a bound": (errors.UnboundedState, lambda: BID.join(AUCTION, ON)),
    "a join of a latent stream": (errors.BadQuery, lambda: TICK.join(BID, "tick.v = bid.price")),
    "an unknown column": (errors.UnknownColumn, lambda: HOUR.join(SOLD, "bid.seller = auction.seller")),
    "an unknown kind": (errors.BadQuery, lambda: HOUR.join(SOLD, ON, "sideways")),
    "an as-of join of windows": (errors.BadQuery, lambda: HOUR.asof_join(AUCTION, on=ON)),
    "a difference of streams": (errors.UnboundedState, lambda: BID.select("auction").subtract(AUCTION.select("id"))),
    "a limit without an instant": (errors.NoInstant, lambda: BID.select("auction").limit(3)),
    "changes of a stream": (errors.BadQuery, lambda: BID.select("auction").istream()),
    "sides of different types": (errors.BadQuery, lambda: HOUR.select("auction").intersect(SOLD.select("seller"))),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_makes_no_sense_is_refused_by_name(name: str) -> None:
    kind, build = WRONG[name]
    with pytest.raises(kind):
        build()
