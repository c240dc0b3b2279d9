"""Tumbling windows

`groupBy(window("ts", "10 minutes"))` becomes `window(tr.tumbling("10 minutes"))`, or `[TUMBLE 10 MINUTES]` in SQL.
The results are the same, with `window_start` and `window_end` as columns.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import transom as tr


def with_spark(orders: DataFrame) -> DataFrame:
    windows = orders.groupBy(F.window("ts", "10 minutes"), "item").agg(F.sum("amount").alias("sales"), F.count("*").alias("n"))
    return windows.select("item", "sales", "n", F.col("window.end").alias("window_end"))


def with_transom(orders: DataFrame) -> DataFrame:
    stream = tr.stream(orders, order_by="ts", name="orders")
    windows = stream.window(tr.tumbling("10 minutes")).group_by("item")
    return windows.agg("window_end", sales=tr.sum("amount"), n=tr.count("*")).to_df()


SQL = """
SELECT item, sum(amount) AS sales, count(*) AS n, window_end
FROM orders [TUMBLE 10 MINUTES]
GROUP BY item
"""
