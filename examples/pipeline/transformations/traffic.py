"""Road segments by the minute, as tables of a declarative pipeline.

What a window reads is there before the pipeline runs: files, a topic, a table of another pipeline. What it gives is a table like
any other, from which other tables of the pipeline are made.
"""

import os

from pyspark import pipelines as dp
from pyspark.sql import DataFrame, SparkSession

import transom as tr

spark = SparkSession.active()
COLUMNS = "seg_id STRING, speed DOUBLE, ts TIMESTAMP"
READINGS = os.environ.get("READINGS", "/tmp/transom-readings")
"""A folder of JSON lines."""


def readings() -> tr.Relation:
    """With its schema given, Spark need not be asked, which the functions below may not do."""
    return tr.stream(spark.readStream.schema(COLUMNS).json(READINGS), schema=COLUMNS, order_by="ts", slack=tr.seconds(30))


@dp.table
def hi_lo() -> DataFrame:
    """The lowest and highest speed of each segment over the past five minutes, every minute."""
    windows = readings().window(range=tr.minutes(5), slide=tr.minutes(1))
    return windows.group_by("seg_id").agg("window_end", lo=tr.min("speed"), hi=tr.max("speed")).to_df()


dp.create_streaming_table("alerts")


@dp.append_flow(target="alerts")
def fast() -> DataFrame:
    """Minutes in which somebody drove faster than 120."""
    text = "SELECT seg_id, max(speed) AS top, window_end FROM traffic [TUMBLE 1 MINUTE] GROUP BY seg_id HAVING max(speed) > 120"
    return tr.sql(text, traffic=readings()).to_df()


@dp.materialized_view
def busiest() -> DataFrame:
    """How often each segment was too fast: Spark alone, over a table of this pipeline."""
    return spark.read.table("alerts").groupBy("seg_id").count()
