"""Reading a stream: the source that its definition names, as a DataFrame."""

from __future__ import annotations

import json
from weakref import WeakKeyDictionary

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructField, StructType, TimestampType

from transom.column_names import PAD
from transom.errors import BadOption, BadQuery, NotSupported
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.sources.read_options import ReadOptions, format_of, parsing_options, read_options
from transom.plan.sources.source_check import check_source
from transom.spark.sources.files.file_source import TITLES, FilesDataSource
from transom.spark.sources.files.listing import listing
from transom.spark.sources.files.plain_json import is_plain
from transom.spark.sources.filesystem import absolute
from transom.spark.sources.kafka import read_kafka
from transom.spark.sources.rate import read_rate
from transom.spark.sources.socket_lines import SocketDataSource
from transom.spark.sources.source_columns import of_texts, struct_of, with_hidden
from transom.spark.sources.table import read_table
from transom.spark.sources.text.malformed import Problems
from transom.spark.sources.text.parsing import Parsing, parse


def read(spark: SparkSession, stream: StreamDefinition, *, bounded: bool = False) -> DataFrame:
    """The rows of a stream: streaming, or with `bounded` a batch of what is there now."""
    source = stream.source
    if source is None:
        raise BadQuery(
            f"{stream.title} has no source",
            given=stream.name,
            remedy="add SOURCE to CREATE STREAM, or hand over a DataFrame under this name",
        )
    check_source(source)
    readers = {"FILE": read_files, "KAFKA": read_kafka, "SOCKET": read_socket, "RATE": read_rate, "TABLE": read_table}
    reader = readers[source.kind.upper()]
    if source.name is None and source.kind.upper() != "RATE":
        raise BadQuery(f"{source.kind} needs a name", given=source.kind, remedy=f"say {source.kind} 'where'")
    return reader(spark, stream, source, bounded)


def read_files(spark: SparkSession, stream: StreamDefinition, source: Endpoint, bounded: bool) -> DataFrame:
    """FILE: files in the order of their names. Spark parses what is text in them; Parquet has its values already."""
    given = _options(spark, source)
    given["path"] = absolute(source.name or "")
    given.setdefault("format", format_of(source.name, source.format))
    if "rejects" in given:
        given["rejects"] = absolute(given["rejects"])
    options = read_options(given)
    columns, text = struct_of(stream), options.format != "parquet"
    padded = options.format == "csv" and options.header and len(columns) == 1
    parsing = Parsing(stream, options.format, parsing_options(options.format, source.options), padded)
    if text:
        parsing.check(spark)
        schema = of_texts(columns.fields if _is_plain(spark, parsing, options) else [])
    else:
        schema = with_hidden(columns)
    folder = listing(given["path"]).folder
    titles = json.dumps([*columns.names, *([PAD] if padded else [])])
    _register(spark, FilesDataSource)
    reader = (spark.read if bounded else spark.readStream).format(FilesDataSource.name())
    rows = reader.schema(schema).options(**{**given, TITLES: titles}).load()
    return parse(rows, parsing, Problems(options.malformed, folder.path, options.rejects)) if text else rows


def _is_plain(spark: SparkSession, parsing: Parsing, options: ReadOptions) -> bool:
    """Whether records may be plain JSON, which needs no parser for each."""
    if options.format == "csv" or any(name.lower() != "timezone" for name in parsing.options):
        return False
    fields: list[StructField] = struct_of(parsing.stream).fields
    utc = options.zone in ("UTC", "Z") and spark.conf.get("spark.sql.legacy.timeParserPolicy", "EXCEPTION") != "LEGACY"
    return all(is_plain(field.type) for field in to_arrow_schema(StructType(fields), timezone="UTC")) and (
        utc or not any(isinstance(field.dataType, TimestampType) for field in fields)
    )


def read_socket(spark: SparkSession, stream: StreamDefinition, source: Endpoint, bounded: bool) -> DataFrame:
    """SOCKET: lines from a connection."""
    if bounded:
        raise NotSupported("a connection has no end", given=f"SOCKET {source.name!r}", remedy="run it as a stream")
    host, _, port = (source.name or "").rpartition(":")
    if not host or not port.isdecimal():
        raise BadOption("SOCKET needs a host and a port", given=source.name, remedy="say SOCKET 'localhost:9999'")
    given = {"format": source.format or "csv", **_options(spark, source), "host": host, "port": port}
    options = read_options(given)
    parsing = Parsing(stream, options.format, parsing_options(options.format, source.options))
    parsing.check(spark)
    _register(spark, SocketDataSource)
    rows = spark.readStream.format(SocketDataSource.name()).schema(of_texts([])).options(**given).load()
    return parse(rows, parsing, Problems(options.malformed, is_file=False))


def _options(spark: SparkSession, source: Endpoint) -> dict[str, str]:
    """The options as written, names in lower case, and the session's time zone."""
    zone = spark.conf.get("spark.sql.session.timeZone") or "UTC"
    return {"timezone": zone, **{name.lower(): value for name, value in source.options}}


_REGISTERED: WeakKeyDictionary[SparkSession, set[str]] = WeakKeyDictionary()
"""The sources that each session knows already."""


def _register(spark: SparkSession, source: type[DataSource]) -> None:
    """Make a source known to a session, once: Spark warns of a second time."""
    known = _REGISTERED.setdefault(spark, set())
    if source.name() not in known:
        spark.dataSource.register(source)
        known.add(source.name())
