"""A DataFrame's schema is all that a plan needs of it: no job starts."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

import transom as tr
from transom import minutes
from transom.plan.types.schema import Column

pytestmark = pytest.mark.spark


def test_names_and_types_are_those_of_the_dataframe(spark: SparkSession) -> None:
    frame = spark.createDataFrame([], "seg_id STRING, speed DOUBLE, price DECIMAL(10,2), at STRUCT<lat: DOUBLE>, ts TIMESTAMP")
    traffic = tr.stream(frame, order_by="ts", name="traffic")
    query = traffic.window(tumble=minutes(5)).group_by("seg_id").agg(hi=tr.max("speed"), total=tr.sum("price"))
    assert query.schema.columns[:2] == (Column("seg_id", "STRING"), Column("hi", "DOUBLE"))
    assert query.schema.columns[2].type.startswith("DECIMAL")
    same = tr.sql(
        "SELECT seg_id, max(speed) AS hi, sum(price) AS total FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id", traffic=traffic
    )
    assert same.plan == query.plan


def test_building_a_plan_starts_no_job(spark: SparkSession) -> None:
    frame = spark.range(10).selectExpr("id", "timestamp_seconds(id) AS ts")
    tracker = spark.sparkContext.statusTracker()
    before = tracker.getJobIdsForGroup()
    tr.sql("SELECT count(*) AS n FROM s [TUMBLE 5 SECONDS WATTR ts]", s=frame)
    assert tracker.getJobIdsForGroup() == before
