"""Late rows in a table of their own

Spark drops rows that come after their window has left, and reports their number alone (`numRowsDroppedByWatermark`).
Transom has them as a stream: `late()`, or `LATE OF` in SQL. Written with the results as one execution, each late row
is there exactly once, with the frontier that excluded it.
"""

from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import transom as tr

STREAMING = True


def with_spark(orders: DataFrame) -> DataFrame:
    windows = orders.withWatermark("ts", "1 minute").groupBy(F.window("ts", "10 minutes")).agg(F.count("*").alias("n"))
    return windows.select("n", F.col("window.end").alias("window_end"))  # what is late is gone


def with_transom(orders: DataFrame, folder: Path) -> tuple[Path, Path]:
    stream = tr.stream(orders, order_by="ts", slack="1 minute", name="orders")
    counts = stream.window(tr.tumbling("10 minutes")).agg("window_end", n=tr.count("*"))
    results, late = folder / "counts", folder / "late"
    running = tr.write(
        counts.insert_into("FILE", str(results), format="parquet"),
        counts.late().insert_into("FILE", str(late), format="parquet"),
        checkpoint=folder / "checkpoint",
        available_now=True,
    )
    running.awaitTermination()
    return results, late


SQL = """
CREATE STREAM counts AS SELECT count(*) AS n, window_end FROM orders [TUMBLE 10 MINUTES SLACK 1 MINUTE];
CREATE STREAM missed AS LATE OF counts;
INSERT INTO FILE 'counts' FORMAT parquet SELECT * FROM counts;
INSERT INTO FILE 'late' FORMAT parquet SELECT * FROM missed;
"""
