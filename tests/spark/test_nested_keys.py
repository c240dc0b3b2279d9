"""STRUCT and ARRAY as keys: groups as Spark makes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import transom as tr
from tests.spark.drained import batch_and_stream
from transom.errors import NotSupported

pytestmark = pytest.mark.spark

SCHEMA = "who STRUCT<name: STRING, score: DOUBLE>, tags ARRAY<STRING>, v INT, ts TIMESTAMP"
NAN = float("nan")


def rows(spark: SparkSession) -> DataFrame:
    found = []
    for n in range(40):
        who = None if n % 7 == 0 else ("ab"[n % 2], [0.0, -0.0, NAN, None, 2.5][n % 5])
        tags = None if n % 11 == 0 else ["x", None, "y"][: n % 4]
        found.append((who, tags, n, n))
    return spark.createDataFrame(found, "who STRUCT<name: STRING, score: DOUBLE>, tags ARRAY<STRING>, v INT, s INT").selectExpr(
        "who", "tags", "v", "timestamp_seconds(s) AS ts"
    )


def counted(frame: DataFrame) -> list[str]:
    """Rows as text that does not depend on their order."""
    return sorted(map(str, frame.collect()))


def test_groups_are_those_of_spark(spark: SparkSession, tmp_path: Path) -> None:
    source = rows(spark).coalesce(1)
    stream = tr.stream(source, order_by="ts", ordered=True)
    got = stream.window(tumble=tr.seconds(100)).group_by("who", "tags").agg(n="count(*)", s="sum(v)")
    columns = ["who", "tags", "n", "s"]
    want = source.groupBy("who", "tags").agg(F.count("*").alias("n"), F.sum("v").alias("s"))
    assert counted(got.to_df().select(*columns)) == counted(want)


def test_a_stream_gives_the_same_groups(spark: SparkSession, tmp_path: Path) -> None:
    def asked(source: DataFrame) -> tr.Relation:
        stream = tr.stream(source, order_by="ts", ordered=True)
        return stream.window(tumble=tr.seconds(10)).group_by("who", "tags").agg(n="count(*)")

    batch, streamed = batch_and_stream(rows(spark), asked, tmp_path)
    assert len(batch) > 20
    assert sorted(map(str, batch)) == sorted(map(str, streamed))


def test_frames_and_rows_are_partitioned_by_them(spark: SparkSession) -> None:
    source = rows(spark).coalesce(1)
    source.createOrReplaceTempView("nested_rows")
    stream = tr.stream(source, order_by="ts", ordered=True)
    frames = stream.select("who", "v", n=tr.count("v").over(range=tr.rows(3), partition_by="who"))
    over = "count(v) OVER (PARTITION BY who ORDER BY ts ROWS 2 PRECEDING) AS n"
    assert counted(frames.to_df()) == counted(spark.sql(f"SELECT who, v, {over} FROM nested_rows"))
    last = stream.window(range=tr.rows(100), slide=tr.rows(3), pattr="tags").agg("tags", n="count(*)")
    whole = "SELECT tags, cast(floor(count(*) / 3) AS INT) AS k FROM nested_rows GROUP BY tags HAVING count(*) >= 3"
    want = spark.sql(f"SELECT tags, explode(sequence(3, 3 * k, 3)) AS n FROM ({whole})")
    assert counted(last.to_df().select("tags", "n")) == counted(want)


def test_a_map_is_refused_by_name(spark: SparkSession) -> None:
    source = spark.sql("SELECT map('a', 1) AS m, timestamp_seconds(1) AS ts")
    stream = tr.stream(source, order_by="ts", ordered=True)
    with pytest.raises(NotSupported, match="not grouped or partitioned by a MAP"):
        stream.window(tumble=tr.seconds(1)).group_by("m").agg(n="count(*)").to_df()


def test_joins_sets_and_distinct_compare_them(spark: SparkSession) -> None:
    source = rows(spark).coalesce(1)
    one, other = (tr.stream(source, order_by="ts", ordered=True, name=name) for name in ("one", "other"))
    hour = {"one": one.window(range="1 second"), "other": other.window(range="1 second")}
    joined = hour["one"].join(hour["other"], on="one.who = other.who").select(who="one.who", v="one.v")
    assert counted(joined.to_df()) == counted(source.where("who IS NOT NULL").select("who", "v"))
    assert counted(hour["one"].select("tags").subtract(hour["other"].select("tags")).to_df()) == []
    distinct = one.window(tumble="100 seconds").agg(n=tr.count_distinct("tags"), m=tr.count_distinct("who"))
    assert counted(distinct.to_df()) == counted(
        source.select(F.countDistinct("tags").alias("n"), F.countDistinct("who").alias("m"))
    )


def test_nor_are_maps_compared(spark: SparkSession) -> None:
    source = spark.sql("SELECT map('a', 1) AS m, timestamp_seconds(1) AS ts")
    one, other = (tr.stream(source, order_by="ts", ordered=True, name=name).window(range="1 second") for name in "ab")
    for query in (
        one.join(other, on="a.m = b.m").select(m="a.m"),
        one.select("m").union(other.select("m")).distinct(),
        one.agg(n=tr.count_distinct("m")),
    ):
        with pytest.raises(NotSupported, match="MAP"):
            query.to_df()


def test_a_field_is_no_column_of_the_same_name(spark: SparkSession) -> None:
    """`at.v` was read as `v`, in the conditions of windows and in Python; and fields lost their case."""
    source = spark.sql("SELECT named_struct('v', 9, 'Name', 'x') AS at, 1 AS v, timestamp_seconds(1) AS ts")
    stream = tr.stream(source, order_by="ts", name="s")
    windows = stream.window(tumble="5 minutes", where=F.col("at.v") > 5)
    in_sql = "SELECT max(at.v) AS hi, max(v) AS v FROM s [TUMBLE 5 MINUTES WHERE at.v > 5]"
    for query in (windows.agg(hi=tr.max("at.v"), v=tr.max(F.col("s.v"))), tr.sql(in_sql, s=stream)):
        assert [tuple(row) for row in query.to_df().collect()] == [(9, 1)]
    assert stream.where(F.col("at.Name") == "x").select("at").to_df().schema["at"].dataType == source.schema["at"].dataType
