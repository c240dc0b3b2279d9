"""One file, in any format: batches of rows with their source and position."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from transom.spark.sources.csv_lines import CsvParser
from transom.spark.sources.filesystem import Folder
from transom.spark.sources.json_lines import JsonParser
from transom.spark.sources.lines import Lines, Readable, blocks
from transom.spark.sources.malformed import Malformed, Policy
from transom.spark.sources.options import ReadOptions
from transom.spark.sources.parquet import read_parquet
from transom.spark.sources.records import Parsed, Parser, parse

BATCH_ROWS = 1 << 16


def read_file(folder: Folder, name: str, schema: pa.Schema, options: ReadOptions) -> Iterator[pa.RecordBatch]:
    """The rows of a file; the last two columns of the schema are the source and the position."""
    policy = Policy(f"{folder.path}/{name}", options.malformed, options.rejects)
    for parsed in _parsed(folder, name, pa.schema(list(schema)[:-2]), options):
        policy.take(parsed.malformed)
        yield from with_position(parsed, name, schema)
    policy.finish()


def with_position(parsed: Parsed, source: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Small enough batches, with the two hidden columns."""
    rows = len(parsed.numbers)
    sources = pa.repeat(pa.scalar(source, pa.string()), rows)
    batch = pa.RecordBatch.from_arrays([*parsed.columns, sources, parsed.numbers], schema=schema)
    for start in range(0, rows, BATCH_ROWS):
        yield batch.slice(start, BATCH_ROWS)


def _parsed(folder: Folder, name: str, columns: pa.Schema, options: ReadOptions) -> Iterator[Parsed]:
    if options.format == "parquet":
        with folder.open_random(name) as file:
            yield from read_parquet(file, columns, options)
        return
    with folder.open(name) as raw:
        stream = (
            raw if options.encoding.lower() in ("utf-8", "utf8") else pa.transcoding_input_stream(raw, options.encoding, "utf-8")
        )
        if options.format != "csv" and options.multi_line:
            yield JsonParser(columns, options).document(stream.read())
        else:
            yield from parse_stream(stream, columns, options)


def parse_stream(stream: Readable, columns: pa.Schema, options: ReadOptions, before: int = 0) -> Iterator[Parsed]:
    """The records of a stream of bytes; `before` lines have come before it."""
    quoted = options.format == "csv" and options.multi_line and options.quote
    quote = ord(options.quote) if quoted and options.quote else None
    escape = ord(options.escape) if options.escape else None
    parser: Parser | None = None
    for lines in blocks(stream, quote, escape, before):
        if parser is None:
            parser, lines, malformed = _parser(lines, columns, options)
            if malformed is not None:
                yield Parsed([pa.nulls(0, field.type) for field in columns], pa.nulls(0, pa.int64()), [malformed])
                return
        yield from parse(parser, lines)


def _parser(lines: Lines, columns: pa.Schema, options: ReadOptions) -> tuple[Parser, Lines, Malformed | None]:
    """The parser, when the header, if any, has been seen."""
    if options.format != "csv":
        return JsonParser(columns, options), lines, None
    parser = CsvParser(columns, options)
    if not options.header or not len(lines):
        return parser, lines, None
    titles = parser.fields(lines.record(0))
    if isinstance(titles, str):
        return parser, lines, Malformed(int(lines.numbers[0]), f"the header cannot be read: {titles}", lines.record(0))
    return CsvParser(columns, options, [title or "" for title in titles]), lines[1:], None
