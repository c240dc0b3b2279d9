"""Lines of comma-separated values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from transom.spark.sources.lines import Lines
from transom.spark.sources.options import ReadOptions
from transom.spark.sources.records import typed
from transom.spark.sources.times import is_time
from transom.spark.sources.values import NotAValue, converter, type_name, value_of


class CsvParser:
    """Columns by position, or by the names of a header."""

    def __init__(self, columns: pa.Schema, options: ReadOptions, header: list[str] | None = None) -> None:
        self.columns = columns
        self.options = options
        self._places = list(range(len(columns))) if header is None else [_place(name, header) for name in columns.names]
        self._width = len(columns) if header is None else len(header)
        self._converters = [converter(field.type, options) for field in columns]
        self._quote = (options.quote or "").encode()
        self._parse = pacsv.ParseOptions(
            delimiter=options.separator,
            quote_char=options.quote or False,
            double_quote=options.escape is None,
            escape_char=options.escape or False,
            newlines_in_values=options.multi_line,
        )
        self._typed = self._convert(
            {
                _name(place): _arrow_type(field.type)
                for place, field in zip(self._places, columns, strict=True)
                if place is not None
            }
        )
        self._texts = self._convert({_name(place): pa.string() for place in range(self._width)})

    def bulk(self, lines: Lines) -> list[pa.Array]:
        stretch = lines.stretch
        quotes = bytes(stretch).count(self._quote) if self._quote else 0
        table = self._read(stretch, self._typed)
        if table.num_rows != len(lines) or quotes % 2:
            raise ValueError("a quote that opens in one line closes in another")
        return [
            self._column(table, place, field.type, len(lines)) for place, field in zip(self._places, self.columns, strict=True)
        ]

    def each(self, lines: Lines) -> Iterator[list[Any] | str]:
        for _, record in lines.records():
            fields = self.fields(record)
            yield fields if isinstance(fields, str) else self._values(fields)

    def _values(self, fields: list[str | None]) -> list[Any] | str:
        if len(fields) != self._width:
            return f"{self._width} fields are expected, and there are {len(fields)}"
        values = []
        for place, convert, field in zip(self._places, self._converters, self.columns, strict=True):
            text = None if place is None else fields[place]
            try:
                values.append(value_of(convert, text))
            except NotAValue:
                return f"column {field.name!r}: {text!r} is no {type_name(field.type)}"
        return values

    def fields(self, record: bytes) -> list[str | None] | str:
        """The texts of one record, or why it has none."""
        text = memoryview(record + b"\n")
        try:
            table = self._read(text, self._texts)
        except pa.ArrowInvalid:
            table = None
        try:
            if table is None:
                width = len(self._read(text, None).column_names)
                table = self._read(text, self._convert({_name(place): pa.string() for place in range(width)}), width)
        except pa.ArrowInvalid as error:
            return "it is not UTF-8" if "UTF8" in str(error) else str(error)
        if table.num_rows != 1:
            return "it is more than one record"
        fields: list[str | None] = [column[0].as_py() for column in table.columns]
        if not self.options.multi_line and any(field is not None and "\n" in field for field in fields):
            return "a quote is not closed"
        return fields

    def _read(self, stretch: memoryview, convert: pacsv.ConvertOptions | None, width: int | None = None) -> pa.Table:
        names = None if convert is None else [_name(place) for place in range(width or self._width)]
        return pacsv.read_csv(
            pa.BufferReader(pa.py_buffer(stretch)),
            read_options=pacsv.ReadOptions(
                use_threads=False, block_size=len(stretch) + 1, column_names=names, autogenerate_column_names=names is None
            ),
            parse_options=self._parse,
            convert_options=convert,
        )

    def _column(self, table: pa.Table, place: int | None, kind: pa.DataType, rows: int) -> pa.Array:
        if place is None:
            return pa.nulls(rows, kind)
        return typed(table[_name(place)].combine_chunks(), kind, self.options)

    def _convert(self, types: dict[str, pa.DataType]) -> pacsv.ConvertOptions:
        return pacsv.ConvertOptions(
            column_types=types,
            include_columns=list(types),
            null_values=list({"", self.options.null}),
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            true_values=["true", "True", "TRUE"],
            false_values=["false", "False", "FALSE"],
        )


def _name(place: int) -> str:
    return f"f{place}"


def _arrow_type(kind: pa.DataType) -> pa.DataType:
    return pa.string() if is_time(kind) else kind


def _place(name: str, header: list[str]) -> int | None:
    """Where a column stands in a header: under its name, or under its name in another case."""
    if name in header:
        return header.index(name)
    return next((place for place, title in enumerate(header) if title.strip().lower() == name.lower()), None)
