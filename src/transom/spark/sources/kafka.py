"""KAFKA: the records of a topic, through Spark's connector."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyspark
from pyspark.errors import PySparkException
from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from transom.column_names import ARRIVAL, POSITION, REASON, SOURCE, TEXT
from transom.errors import BadOption, MissingConnector
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.sources.known_options import CSV, JSON, POLICY
from transom.plan.sources.read_options import parsing_options, policy_of
from transom.spark.sources.text.malformed import Problems
from transom.spark.sources.text.parsing import Parsing, parse

KAFKA_PACKAGE = f"org.apache.spark:spark-sql-kafka-0-10_2.13:{pyspark.__version__}"
"""What `spark.jars.packages` has to name: the connector of this Spark."""

SERVERS = "kafka.bootstrap.servers"
OURS = {name.lower() for name in ("format", *POLICY, *CSV, *JSON)}
"""Options that are not for the connector."""


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
    form = options.get("format", source.format or "json").lower()
    parsing = Parsing(stream, form, parsing_options(form, source.options))
    parsing.check(records.sparkSession)
    text = sf.col("value").cast("string")
    place = sf.concat(sf.col("topic"), sf.lit("/"), sf.lpad(sf.col("partition").cast("string"), 10, "0"))
    rows = records.select(
        text.alias(TEXT),
        sf.when(text.isNull(), sf.lit("it has no value")).alias(REASON),
        place.alias(SOURCE),
        sf.col("offset").alias(POSITION),
        sf.col("timestamp").alias(ARRIVAL),
    )
    return parse(rows, parsing, OfTopic(policy_of(options, ("fail", "drop")), counted=False, is_file=False))


class OfTopic(Problems):
    """Malformed records of a topic."""

    def message(self, reason: SparkColumn, text: SparkColumn) -> SparkColumn:
        return sf.format_string(
            "BadTuple: topic %s, partition %s, offset %s: %s\n  given:  %s\n"
            "  remedy: send what fits, or say OPTIONS (malformed 'drop')\n",
            sf.regexp_replace(SOURCE, "/[0-9]+$", ""),
            sf.regexp_replace(SOURCE, "^.*/0*(?=[0-9])", ""),
            sf.col(POSITION),
            reason,
            sf.coalesce(text, sf.lit("no value")),
        )


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
