"""Sliding windows

Spark copies each row into every window that it is in: here six. Transom adds rows up once in each piece of five
minutes and combines the pieces, so a window that overlaps more costs no more.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import transom as tr


def with_spark(orders: DataFrame) -> DataFrame:
    windows = orders.groupBy(F.window("ts", "30 minutes", "5 minutes"), "item").agg(F.max("amount").alias("most"))
    return windows.select("item", "most", F.col("window.end").alias("window_end"))


def with_transom(orders: DataFrame) -> DataFrame:
    stream = tr.stream(orders, order_by="ts", name="orders")
    windows = stream.window(tr.sliding("30 minutes", "5 minutes")).group_by("item")
    return windows.agg("window_end", most=tr.max("amount")).to_df()


SQL = """
SELECT item, max(amount) AS most, window_end
FROM orders [RANGE 30 MINUTES SLIDE 5 MINUTES]
GROUP BY item
"""
