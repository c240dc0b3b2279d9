"""What the test with a broker runs, in a process of its own: its session needs the connector on the class path."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from transom.column_names import POSITION, SOURCE
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.types.schema import Column
from transom.spark.sinks import write_batch, write_stream
from transom.spark.sources.read_stream import read

COLUMNS = (Column("n", "BIGINT"), Column("k", "STRING"), Column("ts", "TIMESTAMP"))


def main(address: str, jars: str, folder: Path) -> dict[str, Any]:
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.jars", jars)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")

    def topic(name: str, **options: str) -> StreamDefinition:
        given = (("kafka.bootstrap.servers", address), *options.items())
        return StreamDefinition("s", COLUMNS, "ts", source=Endpoint("KAFKA", name, None, given))

    def drained(stream: StreamDefinition, checkpoint: str) -> list[int]:
        target = Endpoint("FILE", str(folder / f"out-{checkpoint}"), "parquet")
        trigger = {"availableNow": True}
        query = write_stream(read(spark, stream), target, checkpoint=str(folder / checkpoint), trigger=trigger, query_name=None)
        query.awaitTermination(60)
        return sorted(row.n for row in spark.read.parquet(str(folder / f"out-{checkpoint}")).collect())

    found: dict[str, Any] = {}
    servers = ("kafka.bootstrap.servers", address)
    frame = spark.range(100).selectExpr("id AS n", "concat('k', id % 7) AS k", "timestamp_seconds(id) AS ts")
    write_batch(frame, Endpoint("KAFKA", "good", None, (servers, ("key", "k"))))
    rows = read(spark, topic("good"), bounded=True)
    found["columns"] = rows.columns
    found["rows"] = [[row.n, row.k, row.ts.timestamp()] for row in rows.orderBy("n").collect()]
    found["sources"] = sorted({row[0] for row in rows.select(SOURCE).collect()})
    found["dense"] = rows.groupBy(SOURCE).agg(sf.expr(f"max({POSITION}) + 1 = count(*) AS dense")).where("NOT dense").isEmpty()
    found["first"] = drained(topic("good"), "stream")
    write_batch(frame.where("n < 5").selectExpr("n + 100 AS n", "k", "ts"), Endpoint("KAFKA", "good", None, (servers,)))
    found["second"] = drained(topic("good"), "stream")

    def headers(name: str) -> list[tuple[str, str]]:
        records = spark.read.format("kafka").option("subscribe", name).option("includeHeaders", "true").option(*servers).load()
        marks = records.selectExpr("CAST(value AS STRING) AS value", "CAST(headers[0].value AS STRING) AS mark").collect()
        return [(row.value, row.mark) for row in marks]

    few = frame.where("n < 3")
    for _ in range(2):  # as a restart may
        write_batch(few, Endpoint("KAFKA", "twice", None, (servers,)))
    sent = headers("twice")
    found["sent"], found["marks"] = len(sent), len({mark for _, mark in sent})
    found["marks by value"] = len(set(sent))

    broken = spark.createDataFrame([('{"n": 1}',), ("{",), ('{"n": "x"}',), (None,), ('{"n": 2}',)], "value STRING")
    broken.coalesce(1).write.format("kafka").option("topic", "bad").option(*servers).save()
    found["dropped"] = sorted(row.n for row in read(spark, topic("bad", malformed="drop"), bounded=True).collect())
    try:
        read(spark, topic("bad"), bounded=True).collect()
    except PySparkException as error:
        found["failed"] = str(error)

    lines = spark.createDataFrame([("7,a,2026-01-02T03:04:05Z",), ("x,b",)], "value STRING")
    lines.write.format("kafka").option("topic", "lines").option(*servers).save()
    csv = read(spark, topic("lines", format="csv", mode="DROPMALFORMED"), bounded=True)
    found["csv"] = [[row.n, row.k, row.ts.timestamp()] for row in csv.collect()]
    spark.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
