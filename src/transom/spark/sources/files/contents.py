"""One file, in any format: batches of rows with their source and position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from transom.column_names import REASON, TEXT
from transom.plan.sources.read_options import ReadOptions
from transom.spark.sources.files.parquet import read_parquet
from transom.spark.sources.files.plain_json import plain_columns
from transom.spark.sources.filesystem import Folder
from transom.spark.sources.text.malformed import Unreadable, forget
from transom.spark.sources.text.texts import Records, document, records_of

BATCH_ROWS = 1 << 16


def read_file(folder: Folder, name: str, schema: pa.Schema, titles: list[str], options: ReadOptions) -> Iterator[pa.RecordBatch]:
    """The rows of a file; the last two columns of the schema are the source and the position.

    `titles` are the columns of the stream, in whose order a text has its fields.
    """
    where = f"{folder.path}/{name}"
    forget(where, options.malformed, options.rejects)
    if options.format == "parquet":
        unreadable = Unreadable(where, options.malformed, options.rejects)
        with folder.open_random(name) as file:
            for columns, numbers in read_parquet(file, pa.schema(list(schema)[:-2]), options, unreadable):
                yield from with_position(columns, numbers, name, schema)
        unreadable.finish()
        return
    with folder.open(name) as raw:
        for records in _records(raw, titles, options):
            yield from rows_of(records, name, schema)


def _records(raw: Any, titles: list[str], options: ReadOptions) -> Iterator[Records]:
    plain = options.encoding.lower() in ("utf-8", "utf8")
    stream = raw if plain else pa.transcoding_input_stream(raw, options.encoding, "utf-8")
    if options.format != "csv" and options.multi_line:
        yield document(stream.read())
    else:
        yield from records_of(stream, titles, options)


def rows_of(records: Records, source: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Texts for Spark to parse; in place of them values, where the schema has the stream's columns too and all are plain."""
    columns = pa.schema([field for field in schema if field.name not in (TEXT, REASON)][:-2])
    values = plain_columns(records, columns) if len(columns) else None
    texts = records.texts if values is None else pa.nulls(len(records.texts), pa.string())
    values = values if values is not None else [pa.nulls(len(texts), field.type) for field in columns]
    yield from with_position([*values, texts, records.reasons], pa.array(records.numbers), source, schema)


def with_position(columns: list[pa.Array], numbers: pa.Array, source: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Small enough batches, with the two hidden columns."""
    sources = pa.repeat(pa.scalar(source, pa.string()), len(numbers))
    batch = pa.RecordBatch.from_arrays([*columns, sources, numbers], schema=schema)
    for start in range(0, len(numbers), BATCH_ROWS):
        yield batch.slice(start, BATCH_ROWS)
