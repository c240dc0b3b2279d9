"""What the test of windows over a topic runs, in a process of its own: its session needs the connector on the class path."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

import transom as tr


def main(address: str, jars: str, folder: Path) -> dict[str, Any]:
    settings = {
        "spark.jars": jars,
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = tr.tune(builder).getOrCreate()

    def send(partition: int, start: int, end: int) -> None:
        key = "fast" if partition == 0 else "slow"
        rows = spark.range(start, end, 1, 1).selectExpr(
            f"to_json(struct('{key}' AS k, timestamp_seconds(id) AS ts)) AS value", f"{partition} AS partition"
        )
        rows.write.format("kafka").option("kafka.bootstrap.servers", address).option("topic", "visits").save()

    def windows(name: str, clauses: str = "") -> list[list[Any]]:
        """The rows that leave when what is there is read, from the checkpoint of that name."""
        text = f"""
            CREATE STREAM visits (k STRING, ts TIMESTAMP) ORDER BY ts {clauses}
              SOURCE KAFKA 'visits' OPTIONS (kafka.bootstrap.servers '{address}');
            SELECT k, unix_seconds(window_end) AS e, count(*) AS n FROM visits [TUMBLE 10 SECONDS] GROUP BY k
        """
        found: list[list[Any]] = []
        stream = tr.sql(text).to_df(spark).writeStream.option("checkpointLocation", str(folder / name))
        running = stream.foreachBatch(lambda rows, _: found.extend([row.k, row.e, row.n] for row in rows.collect()))
        running.trigger(availableNow=True).start().awaitTermination()
        return sorted(found)

    found: dict[str, Any] = {}
    send(0, 0, 100)
    send(1, 0, 10)
    found["slow one has not come far"] = windows("each")
    send(1, 10, 36)
    found["slow one has come further"] = windows("each")
    found["idle at first"] = windows("idle", "IDLE AFTER 1 SECOND")
    time.sleep(2)
    send(0, 100, 130)
    found["idle"] = windows("idle", "IDLE AFTER 1 SECOND")
    found["waits"] = windows("each")
    spark.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
