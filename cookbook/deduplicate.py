"""Without duplicates

`dropDuplicates(["order_id"])` behind a watermark keeps the first row of each `order_id`, and forgets it when the
watermark has passed. What is distinct in a window of the past hour changes when an order comes for the first time, and
ISTREAM is the stream of what appears. A duplicate within the hour changes nothing.
"""

from pyspark.sql import DataFrame

import transom as tr


def with_spark(messages: DataFrame) -> DataFrame:
    return messages.withWatermark("ts", "1 hour").dropDuplicates(["order_id"]).select("order_id", "amount")


def with_transom(messages: DataFrame) -> DataFrame:
    stream = tr.stream(messages, order_by="ts", name="messages")
    return stream.window(range="1 hour").select("order_id", "amount").distinct().istream().to_df()


SQL = """
SELECT ISTREAM DISTINCT order_id, amount
FROM messages [RANGE 1 HOUR]
"""
