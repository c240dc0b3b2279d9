"""Kafka, in SQL and in Python

Orders come from one topic and their sums go to another. The connector belongs to Spark: start the session with
`spark.jars.packages` set to `org.apache.spark:spark-sql-kafka-0-10_2.13` of Spark's version, or give the jars with
`spark.jars`. Partitions of a topic advance at their own pace, and windows wait for the slowest (`PER SOURCE` is the default).
Kafka is at least once: after a crash the last micro-batch may be there twice.
"""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StreamingQuery

import transom as tr

SQL = """
CREATE STREAM orders (customer STRING, amount DOUBLE, ts TIMESTAMP)
  ORDER BY ts SLACK 1 MINUTE IDLE AFTER 30 SECONDS
  SOURCE KAFKA 'orders' FORMAT json OPTIONS (kafka.bootstrap.servers '{servers}', startingOffsets 'earliest');

INSERT INTO KAFKA 'sums' FORMAT json OPTIONS (kafka.bootstrap.servers '{servers}')
SELECT customer, sum(amount) AS amount, window_end
FROM orders [TUMBLE 10 MINUTES] GROUP BY customer;
"""


def in_sql(spark: SparkSession, servers: str, checkpoint: str) -> tr.RunningQuery:
    """The same text is a file for `transom run`."""
    return tr.script(SQL.format(servers=servers))[0].start(checkpoint=checkpoint, available_now=True, spark=spark)


def in_python(spark: SparkSession, servers: str, checkpoint: str) -> StreamingQuery:
    """Spark reads and writes the topics; Transom stands between."""
    source = spark.readStream.format("kafka").option("kafka.bootstrap.servers", servers)
    records = source.option("subscribe", "orders").option("startingOffsets", "earliest").load()
    parsed = F.from_json(F.col("value").cast("string"), "customer STRING, amount DOUBLE, ts TIMESTAMP")
    orders = records.select(parsed.alias("order"), "partition").select("order.*", "partition")

    stream = tr.stream(orders, order_by="ts", slack="1 minute", per_source=["partition"], idle_after="30 seconds", name="orders")
    sums = stream.window(tr.tumbling("10 minutes")).group_by("customer").agg("window_end", amount=tr.sum("amount"))

    values = sums.to_df().select(F.to_json(F.struct("*")).alias("value"))
    writer = values.writeStream.format("kafka").option("kafka.bootstrap.servers", servers).option("topic", "sums")
    return writer.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
