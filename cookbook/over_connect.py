"""Spark Connect

The program that asks has no Spark of its own: a server has. Queries, `to_df()` and writing are the same as elsewhere. On
the server's machines `PYSPARK_PYTHON` names an interpreter that has Transom. With `pip install 'pyspark[connect]'`:
"""

import sys

from pyspark.sql import SparkSession

import transom as tr


def sales(spark: SparkSession, folder: str) -> list[tuple[str, float]]:
    """The sales of each item, of orders in a folder of JSON on the server."""
    orders = spark.read.schema("order_id BIGINT, item STRING, amount DOUBLE, ts TIMESTAMP").json(folder)
    stream = tr.stream(orders, order_by="ts", name="orders")
    windows = stream.window(tr.tumbling("1 hour")).group_by("item").agg("window_end", amount=tr.sum("amount"))
    return sorted((row.item, round(row.amount, 2)) for row in windows.to_df().collect())


if __name__ == "__main__":
    remote, folder = sys.argv[1:]  # sc://localhost:15002, or local[2] for a server of its own
    session = SparkSession.builder.remote(remote).getOrCreate()
    for item, amount in sales(session, folder):
        print(item, amount)
    session.stop()
