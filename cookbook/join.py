"""A stream joined with a stream

Shipments within an hour of their order. Spark needs a watermark on both sides and the bounds of the interval in the
condition, or its state grows for ever. So does Transom: the windows that it keeps of each side follow from the
bounds.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import transom as tr


def with_spark(orders: DataFrame, shipments: DataFrame) -> DataFrame:
    o = orders.withWatermark("ts", "15 minutes").alias("o")
    s = shipments.withWatermark("ts", "15 minutes").alias("s")
    within = (F.col("s.ts") >= F.col("o.ts")) & (F.col("s.ts") <= F.col("o.ts") + F.expr("INTERVAL 1 HOUR"))
    return o.join(s, (F.col("o.order_id") == F.col("s.order_id")) & within).select("o.order_id", "item", "carrier")


SQL = """
SELECT o.order_id, item, carrier
FROM orders AS o JOIN shipments AS s
  ON o.order_id = s.order_id AND s.ts BETWEEN o.ts AND o.ts + INTERVAL 1 HOUR
"""


def with_transom(orders: DataFrame, shipments: DataFrame) -> DataFrame:
    streams = {
        "orders": tr.stream(orders, order_by="ts", slack="15 minutes", name="orders"),
        "shipments": tr.stream(shipments, order_by="ts", slack="15 minutes", name="shipments"),
    }
    return tr.sql(SQL, **streams).to_df()
