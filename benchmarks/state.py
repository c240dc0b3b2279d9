"""How much state is alive after a run. Spark's own numbers also count versions that are not, or leave out what is on disk."""

from __future__ import annotations

from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.types import BinaryType, DataType, StructType

from transom.spark.checkpoints.state_frames import BLOCKS


def alive(spark: SparkSession, checkpoint: Path) -> dict[str, int]:
    """The state of a query, if it can be read: a state that cannot does not spoil what was measured."""
    try:
        return {"live_bytes": live_bytes(spark, checkpoint)}
    except PySparkException:
        return {}


def live_bytes(spark: SparkSession, checkpoint: Path) -> int:
    """The bytes of all keys and values in the state store, as Spark encodes its rows."""
    reader = spark.read.format("statestore")
    operators = {row["operatorName"] for row in spark.read.format("state-metadata").load(str(checkpoint)).collect()}
    if BLOCKS in operators:
        reader = reader.option("stateVarName", "blocks")
    store = reader.load(str(checkpoint))
    kept = StructType([field for field in store.schema.fields if isinstance(field.dataType, StructType)])
    blobs = [sf.length(name) for name in binaries(kept)]
    found = store.agg(sf.count("*").alias("rows"), *(sf.sum(blob).alias(f"b{n}") for n, blob in enumerate(blobs))).first()
    if found is None:
        return 0
    fixed = sum(width(field.dataType) for field in kept.fields)
    return found["rows"] * fixed + sum(found[f"b{n}"] or 0 for n in range(len(blobs)))


def width(kind: DataType) -> int:
    """Of a row: a bit for each NULL in words of 8 bytes, a word for each field, and the rows inside."""
    if not isinstance(kind, StructType):
        return 0
    fields = kind.fields
    return 8 * ((len(fields) + 63) // 64) + 8 * len(fields) + sum(width(field.dataType) for field in fields)


def binaries(kind: StructType, prefix: str = "") -> list[str]:
    """The columns whose length differs from row to row."""
    names = []
    for field in kind.fields:
        if isinstance(field.dataType, BinaryType):
            names.append(f"{prefix}{field.name}")
        elif isinstance(field.dataType, StructType):
            names += binaries(field.dataType, f"{prefix}{field.name}.")
    return names
