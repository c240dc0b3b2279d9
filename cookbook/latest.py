"""The latest row of each key

What did each customer order last, as of every ten minutes? `max_by` in a window that slides, in Spark and in Transom.
Where the past hour is too short, `[LANDMARK EVERY 1 DAY SLIDE 10 MINUTES]` grows and begins anew each day.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import transom as tr


def with_spark(orders: DataFrame) -> DataFrame:
    windows = orders.groupBy(F.window("ts", "1 hour", "10 minutes"), "customer").agg(F.max_by("item", "ts").alias("item"))
    return windows.select("customer", "item", F.col("window.end").alias("window_end"))


def with_transom(orders: DataFrame) -> DataFrame:
    stream = tr.stream(orders, order_by="ts", name="orders")
    windows = stream.window(tr.sliding("1 hour", "10 minutes")).group_by("customer")
    return windows.agg("window_end", item=tr.max_by("item", "ts")).to_df()


SQL = """
SELECT customer, max_by(item, ts) AS item, window_end
FROM orders [RANGE 1 HOUR SLIDE 10 MINUTES]
GROUP BY customer
"""
