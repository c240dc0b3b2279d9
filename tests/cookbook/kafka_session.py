"""What the test of the recipe for Kafka runs, in a process of its own: its session needs the connector on the class path."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from cookbook import data, kafka

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.streaming.stateStore.providerClass": ("org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"),
}


def main(address: str, jars: str, folder: Path) -> dict[str, Any]:
    builder = SparkSession.builder.master("local[2]").config("spark.jars", jars).config(map=SETTINGS)
    spark = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse")).getOrCreate()
    orders = data.batch(spark, "payments").coalesce(1).selectExpr("to_json(struct(customer, amount, ts)) AS value")
    orders.write.format("kafka").option("kafka.bootstrap.servers", address).option("topic", "orders").save()

    def sums() -> list[str]:
        reader = spark.read.format("kafka").option("kafka.bootstrap.servers", address).option("subscribe", "sums")
        rows = [json.loads(row.value) for row in reader.load().collect()]
        return sorted(f"{row['customer']} {row['amount']:.2f} {row['window_end'][:16]}" for row in rows)

    kafka.in_sql(spark, address, str(folder / "sql")).awaitTermination()
    once = sums()
    kafka.in_python(spark, address, str(folder / "python")).awaitTermination()
    both = sums()
    for row in once:
        both.remove(row)
    spark.stop()
    return {"sql": once, "python": both}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
