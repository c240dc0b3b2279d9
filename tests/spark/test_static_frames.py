"""A DataFrame with an end as the static side of a join: from Python and from SQL, below a window and above it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import transom as tr

pytestmark = pytest.mark.spark

SEEN = [("a", 1), ("b", 2), ("a", 61), ("c", 62)]
PER_MINUTE = [("Anna", 1), ("Anna", 1), (None, 1), (None, 1)]


@pytest.fixture
def seen(spark: SparkSession) -> tr.Relation:
    rows = [(key, datetime.fromtimestamp(second, UTC)) for key, second in SEEN]
    frame = spark.createDataFrame(rows, "k STRING, ts TIMESTAMP").coalesce(1)
    return tr.stream(frame, order_by="ts", name="seen")


@pytest.fixture
def people(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([("a", "Anna", "x"), ("d", "Dora", "y")], "k STRING, name STRING, `odd``name` STRING")


def found(query: tr.Relation) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in query.to_df().collect()), key=repr)


def test_below_and_above_windows(seen: tr.Relation, people: DataFrame) -> None:
    minutes = seen.window(tumble="1 minute")
    assert found(seen.join(people, on="k").select("k", "name")) == [("a", "Anna"), ("a", "Anna")]
    assert found(minutes.join(people, on="k", how="left_outer").group_by("name").agg(n=tr.count())) == PER_MINUTE
    asked = "SELECT name, count(*) AS n FROM seen [TUMBLE 1 MINUTE] LEFT JOIN people ON seen.k = people.k GROUP BY name"
    assert found(tr.sql(asked, seen=seen, people=people)) == PER_MINUTE
    above = minutes.group_by("k").agg(n=tr.count()).join(people.withColumnRenamed("k", "id"), on=F.col("k") == F.col("id"))
    assert found(above.select("k", "n", "odd`name")) == [("a", 1, "x"), ("a", 1, "x")]


def test_two_of_them(seen: tr.Relation, people: DataFrame) -> None:
    nicknames = people.select("k", F.upper("name").alias("nick"))
    assert found(seen.join(people, on="k").join(nicknames, on="k").select("name", "nick")) == [("Anna", "ANNA")] * 2
    asked = "SELECT name, nick FROM seen JOIN people ON seen.k = people.k JOIN nicknames ON seen.k = nicknames.k"
    assert found(tr.sql(asked, seen=seen, people=people, nicknames=nicknames)) == [("Anna", "ANNA")] * 2
