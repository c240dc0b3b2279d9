"""TABLE: rows into a table of Spark's catalog, which is made if it is not there.

A table that only streams have written to is Spark's file sink (or the table format's own): each result once. That sink
keeps a log of its files and hides all others, so a table with rows from elsewhere is written micro-batch by
micro-batch, and a mark beside the checkpoint says which of them are done: a restart does not repeat one that is.
"""

from __future__ import annotations

import pyarrow.fs as fs
from pyspark.sql import DataFrame, DataFrameWriter, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from transom.errors import BadQuery
from transom.plan.nodes.stream import Endpoint
from transom.plan.quoted import quoted
from transom.spark.sinks.fits import check_fits
from transom.spark.sinks.parts import part_name, replace_part
from transom.spark.sources.filesystem import open_folder

MARK = "transom_written"
LOG = "_spark_metadata"
RUN, BATCH = "transom-run", "transom-batch"
"""Properties of Iceberg's snapshots."""
WHOLE_FILES = ("parquet", "orc")
"""Formats whose files say themselves how they are written."""
PLAIN_FILES = ("parquet", "orc", "json", "csv", "text", "avro")


def prepared(df: DataFrame, target: Endpoint) -> DataFrame:
    """As INSERT does it: columns by position, with the table's names and types."""
    if not df.sparkSession.catalog.tableExists(target.name or ""):
        return df
    fields = df.sparkSession.table(target.name or "").schema.fields
    check_fits(target.name or "", df.schema.fields, fields)
    pairs = zip(df.columns, fields, strict=True)
    return df.select(*(sf.col(quoted(name)).cast(field.dataType).alias(field.name) for name, field in pairs))


def start(df: DataFrame, writer: DataStreamWriter, target: Endpoint, checkpoint: str) -> StreamingQuery:
    name = target.name or ""
    options = dict(target.options)
    if open_folder(checkpoint).exists("offsets"):
        adopt(df, target)
    if target.format is not None:
        writer = writer.format(target.format)
    if _filled_otherwise(df.sparkSession, name):
        return writer.foreachBatch(TableInsert(df.sparkSession, name, checkpoint)).start()
    return writer.options(**options).toTable(name)


def write(df: DataFrame, target: Endpoint) -> None:
    _check_appendable(df.sparkSession, target.name or "")
    _writer(df, target).saveAsTable(target.name or "")


def put(df: DataFrame, target: Endpoint, run: str, batch: int) -> None:
    """A micro-batch, once: Delta and Iceberg know which they have, and in a folder of plain files it is a file of its own.

    Other tables, and partitioned ones, are appended to: a run that dies between that and its mark repeats the micro-batch.
    """
    spark, name = df.sparkSession, target.name or ""
    if not spark.catalog.tableExists(name) and not (batch and adopt(df, target)):
        _writer(df.limit(0), target).saveAsTable(name)
    _check_appendable(spark, name)
    form, location = _about(spark, name, "Provider") or "", _about(spark, name, "Location")
    if form == "delta":
        _writer(df, target).options(txnAppId=run, txnVersion=str(batch)).saveAsTable(name)
    elif form == "iceberg":
        _append_snapshot(df, name, run, batch)
    elif form in WHOLE_FILES and location is not None and not _partitioned(spark, name):
        replace_part(df, location, form, dict(target.options), part_name(run, batch))
        spark.catalog.refreshTable(name)
    else:
        df.write.insertInto(name)


def adopt(df: DataFrame, target: Endpoint) -> bool:
    """Name a table again whose files are there: a catalog in memory, which a session without a metastore has, forgets it with the
    program. Only a run that has written it may."""
    spark, name = df.sparkSession, target.name or ""
    if "." in name or spark.catalog.tableExists(name) or (target.format or "parquet").lower() not in PLAIN_FILES:
        return False
    place = f"{spark.catalog.getDatabase(spark.catalog.currentDatabase()).locationUri}/{name.lower()}"
    folder = open_folder(place)
    if folder.system.get_file_info(folder.path).type == fs.FileType.NotFound:
        return False
    spark.catalog.createTable(name, path=place, source=target.format or "parquet", schema=df.schema)
    return True


def _append_snapshot(df: DataFrame, name: str, run: str, batch: int) -> None:
    """As a snapshot of the table that says which micro-batch of which run it is."""
    df.sparkSession.catalog.refreshTable(name)  # a session remembers a table for a while, without the snapshots of others
    kept = df.sparkSession.table(f"{name}.snapshots").where(sf.col("summary")[RUN] == run)
    if kept.where(sf.col("summary")[BATCH].cast("bigint") >= batch).isEmpty():
        df.writeTo(name).option(f"snapshot-property.{RUN}", run).option(f"snapshot-property.{BATCH}", str(batch)).append()


def _writer(df: DataFrame, target: Endpoint) -> DataFrameWriter:
    writer = df.write.mode("append").options(**dict(target.options))
    return writer if target.format is None else writer.format(target.format)


def _check_appendable(spark: SparkSession, name: str) -> None:
    if belongs_to_stream(spark, name):
        raise BadQuery(
            f"table {name!r} belongs to a stream, whose log would hide these rows",
            given=f"INSERT INTO TABLE {name}",
            remedy="write to a table of its own, and query the UNION ALL of both",
        )


class TableInsert:
    """Inserts micro-batches, and remembers the last. The session is the one that started the query."""

    def __init__(self, spark: SparkSession, table: str, checkpoint: str) -> None:
        self._spark = spark
        self._table = table
        self._checkpoint = checkpoint

    def __call__(self, rows: DataFrame, batch: int) -> None:
        folder = open_folder(self._checkpoint)
        if folder.exists(MARK) and int(folder.text(MARK)) >= batch:
            return
        rows.write.insertInto(self._table)
        self._spark.catalog.refreshTable(self._table)
        folder.replace(MARK, str(batch))


def _filled_otherwise(spark: SparkSession, name: str) -> bool:
    """Whether plain files hold rows that no stream has written."""
    if not spark.catalog.tableExists(name) or _about(spark, name, "Provider") not in PLAIN_FILES:
        return False
    return not belongs_to_stream(spark, name) and not spark.table(name).isEmpty()


def _partitioned(spark: SparkSession, name: str) -> bool:
    return any(column.isPartition or column.isBucket for column in spark.catalog.listColumns(name))


def is_of_plain_files(spark: SparkSession, target: Endpoint) -> bool:
    """Whether it is, or will be, a table of files that Spark's file sink writes."""
    name = target.name or ""
    form = _about(spark, name, "Provider") if spark.catalog.tableExists(name) else target.format
    return form is None or form.lower() in PLAIN_FILES


def belongs_to_stream(spark: SparkSession, name: str) -> bool:
    """Whether Spark's file sink keeps the log of a stream in it, which hides all other files."""
    if not spark.catalog.tableExists(name):
        return False
    location = _about(spark, name, "Location")
    return location is not None and open_folder(location).exists(LOG)


def _about(spark: SparkSession, name: str, what: str) -> str | None:
    rows = spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    return next((row.data_type for row in rows if row.col_name == what), None)
