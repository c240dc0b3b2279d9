"""Delta

Results and late rows in Delta tables, in one execution. The session needs Delta's jars and its two settings, as Delta's
own documents say (`configure_spark_with_delta_pip`), in a release that fits the release of Spark. A restart may repeat
the last micro-batch. Delta leaves out what it has seen from the same writer, `txnAppId`, under the same number,
`txnVersion`, so every row is there once.
"""

from pathlib import Path

from pyspark.sql import DataFrame

import transom as tr

SETTINGS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}


FORMAT = "delta"


def append(rows: DataFrame, place: Path, batch: int) -> None:
    """Append the rows of a micro-batch once."""
    writer = rows.write.format(FORMAT).mode("append").option("txnAppId", f"sales-{place.name}").option("txnVersion", batch)
    writer.save(str(place))


def run(orders: DataFrame, folder: Path) -> None:
    stream = tr.stream(orders, order_by="ts", slack="1 minute", name="orders")
    sales = stream.window(tr.tumbling("10 minutes")).group_by("item").agg("window_end", amount=tr.sum("amount"))

    def save(results: DataFrame, late: DataFrame, batch: int) -> None:
        append(results, folder / "sales", batch)
        append(late, folder / "missed", batch)

    checkpoint = folder / "checkpoint"
    tr.write(sales, sales.late(), foreach_batch=save, checkpoint=checkpoint, available_now=True).awaitTermination()
