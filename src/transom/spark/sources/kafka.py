"""KAFKA: the records of a topic, through Spark's connector."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyspark
from pyspark.errors import PySparkException
from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from transom.errors import BadOption, MissingConnector
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.spark.sources.options import policy_of
from transom.spark.sources.schema import ARRIVAL, POSITION, SOURCE, ddl_of, quoted

KAFKA_PACKAGE = f"org.apache.spark:spark-sql-kafka-0-10_2.13:{pyspark.__version__}"
"""What `spark.jars.packages` has to name: the connector of this Spark."""

SERVERS = "kafka.bootstrap.servers"
OURS = ("format", "malformed", "mode")
_BROKEN = "__malformed"


def read_kafka(spark: SparkSession, stream: StreamDefinition, source: Endpoint, bounded: bool) -> DataFrame:
    """The values of a topic, from the beginning unless `startingOffsets` says otherwise."""
    options = {"startingOffsets": "earliest", **dict(source.options), "subscribe": source.name or ""}
    need_servers(options)
    reader = (spark.read if bounded else spark.readStream).format("kafka")
    with connector():
        records = reader.options(**{name: value for name, value in options.items() if name.lower() not in OURS}).load()
        records.schema  # noqa: B018 - a remote session finds out here
    return _parsed(records, stream, source)


def _parsed(records: DataFrame, stream: StreamDefinition, source: Endpoint) -> DataFrame:
    options = {name.lower(): value for name, value in source.options}
    policy = policy_of(options, ("fail", "drop"))
    text = sf.col("value").cast("string")
    place = sf.concat(sf.col("topic"), sf.lit("/"), sf.lpad(sf.col("partition").cast("string"), 10, "0"))
    rows = records.select(
        _tuple_of(text, stream, source).alias("__tuple"),
        text.alias("__text"),
        place.alias(SOURCE),
        sf.col("offset").alias(POSITION),
        sf.col("timestamp").alias(ARRIVAL),
    )
    good = sf.col(f"__tuple.{_BROKEN}").isNull() & sf.col("__text").isNotNull()
    kept = rows.where(good if policy == "drop" else sf.when(good, sf.lit(True)).otherwise(_failure(source)))
    columns = [sf.col(f"__tuple.{quoted(column.name)}").alias(column.name) for column in stream.columns]
    return kept.select(*columns, SOURCE, POSITION, ARRIVAL)


def _tuple_of(text: SparkColumn, stream: StreamDefinition, source: Endpoint) -> SparkColumn:
    schema = f"{ddl_of(stream)}, {_BROKEN} STRING"
    given = {name: value for name, value in source.options if not name.startswith("kafka.") and name.lower() not in OURS}
    options = {**given, "mode": "PERMISSIVE", "columnNameOfCorruptRecord": _BROKEN}
    form = {name.lower(): value.lower() for name, value in source.options}.get("format", source.format or "json")
    if form in ("json", "jsonl"):
        return sf.from_json(text, schema, options)
    if form == "csv":
        return sf.from_csv(text, schema, options)
    raise BadOption("values of a topic are json or csv", given=form, exists=["json", "csv"], remedy="name one of them")


def _failure(source: Endpoint) -> SparkColumn:
    """An error, raised where the record is met."""
    message = sf.format_string(
        "BadTuple: topic %s, partition %s, offset %s: the value does not fit the stream\n  given:  %s\n"
        "  remedy: send what fits, or say OPTIONS (malformed 'drop')",
        sf.lit(source.name),
        sf.regexp_replace(sf.col(SOURCE), "^.*/0*(?=[0-9])", ""),
        sf.col(POSITION).cast("string"),
        sf.coalesce(sf.col("__text"), sf.lit("no value")),
    )
    return sf.raise_error(message).cast("boolean")


def need_servers(options: dict[str, str]) -> None:
    if SERVERS not in options:
        raise BadOption(
            f"KAFKA needs option {SERVERS!r}",
            given=", ".join(options),
            remedy=f"add OPTIONS ('{SERVERS}' 'host:9092')",
        )


@contextmanager
def connector() -> Iterator[None]:
    """Say what to do where Spark does not find its Kafka connector."""
    try:
        yield
    except PySparkException as error:
        if "kafka" in str(error).lower() and "find" in str(error).lower():
            raise MissingConnector(
                "Spark does not have the Kafka connector on its class path",
                given=str(error).splitlines()[0],
                remedy=f"start the session with --conf spark.jars.packages={KAFKA_PACKAGE}",
            ) from None
        raise
