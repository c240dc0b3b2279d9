"""A watermark

`withWatermark("ts", "15 minutes")` becomes `slack="15 minutes"`: how far an order may be behind the newest one. Both
leave a window once, when the watermark has passed its end (in Spark, one micro-batch after that). In a stream,
windows that are still open at the end do not leave.

Nobody knows the right delay beforehand. Instead of `slack=` you may state how many orders may come late,
`drop_ratio=0.01`, or `DRATIO 1%` in SQL, and Transom waits no longer than that takes.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import transom as tr

STREAMING = True


def with_spark(orders: DataFrame) -> DataFrame:
    windows = orders.withWatermark("ts", "15 minutes").groupBy(F.window("ts", "10 minutes")).agg(F.count("*").alias("n"))
    return windows.select("n", F.col("window.end").alias("window_end"))


def with_transom(orders: DataFrame) -> DataFrame:
    stream = tr.stream(orders, order_by="ts", slack="15 minutes", name="orders")
    return stream.window(tr.tumbling("10 minutes")).agg("window_end", n=tr.count("*")).to_df()


SQL = """
SELECT count(*) AS n, window_end
FROM orders [TUMBLE 10 MINUTES SLACK 15 MINUTES]
"""
