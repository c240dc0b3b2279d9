"""PostgreSQL by foreachBatch

A table in PostgreSQL with each result once, and the late rows beside it. A restart may repeat the last micro-batch with
the same rows and the same number; the number is in the table, so what a batch wrote before is deleted in the transaction
that writes it again. Results of windows are few: they go through the driver. `pip install psycopg`.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import psycopg
from pyspark.sql import DataFrame

import transom as tr

TABLES = """
CREATE TABLE IF NOT EXISTS sales (batch BIGINT, item TEXT, amount DOUBLE PRECISION, window_end TIMESTAMPTZ);
CREATE TABLE IF NOT EXISTS missed (batch BIGINT, order_id BIGINT, item TEXT, ts TIMESTAMPTZ);
"""


def saver(address: str) -> Callable[[DataFrame, DataFrame, int], None]:
    """What writes the results and the late rows of a micro-batch, as one transaction."""

    def save(results: DataFrame, late: DataFrame, batch: int) -> None:
        with psycopg.connect(address) as connection:  # commits at the end, or nothing
            copy(connection, "sales", batch, results.select("item", "amount", "window_end").toLocalIterator())
            copy(connection, "missed", batch, late.select("order_id", "item", "ts").toLocalIterator())

    return save


def copy(connection: psycopg.Connection, table: str, batch: int, rows: Iterable[tuple]) -> None:
    """Rows of a batch in place of those that an earlier attempt wrote."""
    connection.execute(f"DELETE FROM {table} WHERE batch = %s", (batch,))
    with connection.cursor().copy(f"COPY {table} FROM STDIN") as target:
        for row in rows:
            target.write_row((batch, *row))


def run(orders: DataFrame, address: str, folder: Path) -> None:
    with psycopg.connect(address) as connection:
        connection.execute(TABLES)
    stream = tr.stream(orders, order_by="ts", slack="1 minute", name="orders")
    sales = stream.window(tr.tumbling("10 minutes")).group_by("item").agg("window_end", amount=tr.sum("amount"))
    checkpoint = folder / "checkpoint"
    running = tr.write(sales, sales.late(), foreach_batch=saver(address), checkpoint=checkpoint, available_now=True)
    running.awaitTermination()
