"""CREATE TABLE and CREATE VIEW over tables, which are Spark's to carry out."""

from __future__ import annotations

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from transom.errors import BadQuery
from transom.spark.running.messages.failures import cause


def make_table(spark: SparkSession, name: str, kind: str, text: str) -> None:
    """Make a table if Spark does not know it; one that it knows is only named."""
    if spark.catalog.tableExists(name):
        return
    try:
        spark.sql(text)
    except PySparkException as error:
        raise BadQuery(
            f"Spark does not make {kind} {name!r}: {cause(str(error))}", given=text, remedy="correct it, or make it before"
        ) from error
