"""Session windows

`session_window("ts", "5 minutes")` becomes `window(tr.session("5 minutes"))`. With GROUP BY a session is one of its
group, as in Spark. A session ends `gap` after its last order.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import transom as tr


def with_spark(orders: DataFrame) -> DataFrame:
    sessions = orders.groupBy(F.session_window("ts", "5 minutes").alias("s"), "customer").agg(F.count("*").alias("n"))
    return sessions.select("customer", "n", F.col("s.start").alias("window_start"), F.col("s.end").alias("window_end"))


def with_transom(orders: DataFrame) -> DataFrame:
    stream = tr.stream(orders, order_by="ts", name="orders")
    sessions = stream.window(tr.session("5 minutes")).group_by("customer")
    return sessions.agg("window_start", "window_end", n=tr.count("*")).to_df()


SQL = """
SELECT customer, count(*) AS n, window_start, window_end
FROM orders [SESSION GAP 5 MINUTES]
GROUP BY customer
"""
