"""FILE: Spark's own file sink, which holds every result exactly once.

What a killed attempt leaves behind is not in its log (`_spark_metadata`), and whoever reads the folder with Spark does not
see it. Timestamps are written in ISO 8601 with zone and six digits.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from transom.errors import BadOption
from transom.plan.nodes.stream import Endpoint
from transom.spark.sinks.parts import part_name, replace_part

FORMATS = {"jsonl": "json", "json": "json", "csv": "csv", "parquet": "parquet"}
TIMESTAMPS = {
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}
DEFAULTS: dict[str, dict[str, str]] = {"json": {**TIMESTAMPS, "ignoreNullFields": "false"}, "csv": TIMESTAMPS, "parquet": {}}


def prepared(df: DataFrame, target: Endpoint) -> DataFrame:
    return df


def start(df: DataFrame, writer: DataStreamWriter, target: Endpoint, checkpoint: str) -> StreamingQuery:
    form = format_of(target)
    return writer.format(form).options(**options_of(form, target)).start(target.name)


def write(df: DataFrame, target: Endpoint) -> None:
    form = format_of(target)
    df.write.format(form).options(**options_of(form, target)).mode("append").save(target.name)


def put(df: DataFrame, target: Endpoint, run: str, batch: int) -> None:
    form = format_of(target)
    replace_part(df, target.name or "", form, options_of(form, target), part_name(run, batch))


def format_of(target: Endpoint) -> str:
    """The format as Spark calls it: what was named, or what the path ends in, or lines of JSON."""
    ending = (target.name or "").rstrip("/").rpartition(".")[2].lower()
    name = (target.format or (ending if ending in FORMATS else "jsonl")).lower()
    if name not in FORMATS:
        raise BadOption("no such format can be written", given=name, exists=FORMATS, remedy="name one of those that exist")
    return FORMATS[name]


def options_of(form: str, target: Endpoint) -> dict[str, str]:
    """The defaults, and above them what was written, names in any case."""
    given = {name.lower() for name, _ in target.options}
    defaults = {name: value for name, value in DEFAULTS[form].items() if name.lower() not in given}
    return {**defaults, **dict(target.options)}
