"""The most of each window

The two items that were ordered most in each hour. Spark ranks the groups of a window in a DataFrame that ends; in a stream it
cannot, and it takes `foreachBatch` and a table. In Transom the groups of a window are a relation that is ranked at its
instant, in a stream as in a batch.
"""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

import transom as tr


def with_spark(orders: DataFrame) -> DataFrame:
    counts = orders.groupBy(F.window("ts", "1 hour").alias("w"), "item").agg(F.count("*").alias("n"))
    ranked = counts.withColumn("place", F.row_number().over(Window.partitionBy("w").orderBy(F.desc("n"), "item")))
    return ranked.where("place <= 2").select("item", "n", F.col("w.end").alias("window_end"))


def with_transom(orders: DataFrame) -> DataFrame:
    return tr.sql(SQL, orders=tr.stream(orders, order_by="ts", name="orders")).to_df()


SQL = """
SELECT item, n, window_end
FROM (
  SELECT item, n, window_end, row_number() OVER (PARTITION BY window_end ORDER BY n DESC, item) AS place
  FROM (SELECT item, count(*) AS n, window_end FROM orders [TUMBLE 1 HOUR] GROUP BY item) AS counted
) AS ranked
WHERE place <= 2
"""
