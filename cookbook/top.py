"""The most of each window

The two items that were ordered most in each hour. Spark cannot rank the groups of a window in a stream: with a
DataFrame that ends it takes a window function over the counts, with a stream `foreachBatch` and a table. In Transom
it is an aggregate.
"""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

import transom as tr


def with_spark(orders: DataFrame) -> DataFrame:
    counts = orders.groupBy(F.window("ts", "1 hour").alias("w"), "item").agg(F.count("*").alias("n"))
    ranked = counts.withColumn("place", F.row_number().over(Window.partitionBy("w").orderBy(F.desc("n"), "item")))
    top = ranked.where("place <= 2").groupBy("w").agg(F.sum("n").alias("n"))
    return top.select("n", F.col("w.end").alias("window_end"))


def with_transom(orders: DataFrame) -> DataFrame:
    stream = tr.stream(orders, order_by="ts", name="orders")
    top = stream.window(tr.tumbling("1 hour")).agg("window_end", top=tr.approx_top_k("item", 2))
    return top.to_df().selectExpr("aggregate(top, 0L, (s, x) -> s + x.count) AS n", "window_end")
