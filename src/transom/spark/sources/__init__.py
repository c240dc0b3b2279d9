"""Sources: from the definition of a stream to a DataFrame with its columns.

Besides the stream's columns a source gives `__source`, `__position` and, where it knows, `__arrival`. Within a micro-batch
rows have arrived in the order of (`__source`, `__position`).
"""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from transom.errors import BadOption, BadQuery, NotSupported
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.spark.sources.files import FilesDataSource
from transom.spark.sources.filesystem import absolute
from transom.spark.sources.kafka import KAFKA_PACKAGE, read_kafka
from transom.spark.sources.listing import listing
from transom.spark.sources.options import OURS, ReadOptions, format_of, policy_of, read_options
from transom.spark.sources.rate import read_rate
from transom.spark.sources.schema import ARRIVAL, POSITION, SOURCE, struct_of, with_hidden
from transom.spark.sources.socket_lines import SocketDataSource
from transom.spark.sources.table import read_table
from transom.spark.sources.values import converter

__all__ = ["ARRIVAL", "KAFKA_PACKAGE", "POSITION", "SOURCE", "read"]


def read(spark: SparkSession, stream: StreamDefinition, *, bounded: bool = False) -> DataFrame:
    """The rows of a stream: streaming, or with `bounded` a batch of what is there now."""
    source = stream.source
    if source is None:
        raise BadQuery(
            f"{stream.title} has no source",
            given=stream.name,
            remedy="add SOURCE to CREATE STREAM, or hand over a DataFrame under this name",
        )
    readers = {"FILE": read_files, "KAFKA": read_kafka, "SOCKET": read_socket, "RATE": read_rate, "TABLE": read_table}
    reader = readers.get(source.kind.upper())
    if reader is None:
        raise NotSupported("there is no such source", given=source.kind, exists=readers, remedy="name one of those that exist")
    if source.name is None and source.kind.upper() != "RATE":
        raise BadQuery(f"{source.kind} needs a name", given=source.kind, remedy=f"say {source.kind} 'where'")
    return reader(spark, stream, source, bounded)


def read_files(spark: SparkSession, stream: StreamDefinition, source: Endpoint, bounded: bool) -> DataFrame:
    """FILE: files in the order of their names."""
    given = _options(spark, source)
    given["path"] = absolute(source.name or "")
    given.setdefault("format", format_of(source.name, source.format))
    if "rejects" in given:
        given["rejects"] = absolute(given["rejects"])
    columns = struct_of(stream)
    _check(columns, read_options(given))
    listing(given["path"])
    _register(spark, FilesDataSource)
    reader = (spark.read if bounded else spark.readStream).format(FilesDataSource.name())
    return reader.schema(with_hidden(columns)).options(**given).load()


def read_socket(spark: SparkSession, stream: StreamDefinition, source: Endpoint, bounded: bool) -> DataFrame:
    """SOCKET: lines from a connection."""
    if bounded:
        raise NotSupported("a connection has no end", given=f"SOCKET {source.name!r}", remedy="run it as a stream")
    host, _, port = (source.name or "").rpartition(":")
    if not host or not port.isdecimal():
        raise BadOption("SOCKET needs a host and a port", given=source.name, remedy="say SOCKET 'localhost:9999'")
    given = {"format": source.format or "csv", **_options(spark, source), "host": host, "port": port}
    options = read_options(given)
    policy_of({"malformed": options.malformed}, ("fail", "drop"))
    columns = struct_of(stream)
    _check(columns, options)
    _register(spark, SocketDataSource)
    return spark.readStream.format(SocketDataSource.name()).schema(with_hidden(columns)).options(**given).load()


def _options(spark: SparkSession, source: Endpoint) -> dict[str, str]:
    """The options as written, in the reader's spelling, and the session's time zone."""
    zone = spark.conf.get("spark.sql.session.timeZone") or "UTC"
    spelling = {name.lower(): name for name in OURS}
    given = {spelling.get(name.lower(), name): value for name, value in source.options}
    return {"timeZone": zone, **given}


def _check(columns: StructType, options: ReadOptions) -> None:
    """That there is a way to read each type, before anything runs."""
    for field in to_arrow_schema(columns, timezone="UTC"):
        converter(field.type, options)


def _register(spark: SparkSession, source: type[DataSource]) -> None:
    """Make a source known to a session, once: Spark warns of a second time."""
    mark = f"spark.transom.registered.{source.name()}"
    if spark.conf.get(mark, None) is None:
        spark.dataSource.register(source)
        spark.conf.set(mark, "true")
