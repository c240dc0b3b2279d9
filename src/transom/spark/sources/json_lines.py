"""Lines of JSON, an object each; or one JSON text, an object or an array of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.json as pajson

from transom.spark.sources.lines import Lines
from transom.spark.sources.malformed import Malformed
from transom.spark.sources.options import ReadOptions
from transom.spark.sources.records import Parsed, rows_of, typed
from transom.spark.sources.times import is_time
from transom.spark.sources.values import NotAValue, converter, type_name, value_of


class JsonParser:
    """Columns by name. What is not there is NULL, what is not asked for is passed over."""

    def __init__(self, columns: pa.Schema, options: ReadOptions) -> None:
        self.columns = columns
        self.options = options
        self._converters = [converter(field.type, options) for field in columns]
        self._plain = not any(_has_time_inside(field.type) for field in columns)
        texts = [pa.field(field.name, pa.string()) if is_time(field.type) else field for field in columns]
        self._parse = pajson.ParseOptions(
            explicit_schema=pa.schema(texts), newlines_in_values=False, unexpected_field_behavior="ignore"
        )

    def bulk(self, lines: Lines) -> list[pa.Array]:
        if not self._plain:
            raise ValueError("Arrow reads no times inside of arrays and structs")
        stretch = lines.stretch
        text = bytes(stretch)
        if not text.isascii():
            text.decode()
        reading = pajson.ReadOptions(use_threads=False, block_size=len(stretch) + 1)
        table = pajson.read_json(pa.BufferReader(pa.py_buffer(stretch)), read_options=reading, parse_options=self._parse)
        if table.num_rows != len(lines):
            raise ValueError("a line is more or less than one object")
        columns = [table[field.name].combine_chunks() for field in self.columns]
        return [typed(column, field.type, self.options) for column, field in zip(columns, self.columns, strict=True)]

    def each(self, lines: Lines) -> Iterator[list[Any] | str]:
        for _, record in lines.records():
            yield self._one(record)

    def _one(self, record: bytes) -> list[Any] | str:
        try:
            found = json.loads(record.decode())
        except UnicodeDecodeError:
            return "it is not UTF-8"
        except (ValueError, RecursionError) as error:
            return f"it is no JSON: {error}"
        return self.values(found)

    def values(self, found: Any) -> list[Any] | str:
        if not isinstance(found, dict):
            return "it is no JSON object"
        values = []
        for convert, field in zip(self._converters, self.columns, strict=True):
            value = found.get(field.name)
            try:
                values.append(value_of(convert, value))
            except NotAValue:
                return f"column {field.name!r}: {value!r} is no {type_name(field.type)}"
        return values

    def document(self, text: bytes) -> Parsed:
        """One JSON text, as `multiLine` says; its objects are numbered."""
        try:
            found = json.loads(text.decode("utf-8-sig")) if text.strip() else []
        except (ValueError, RecursionError) as error:
            return rows_of(self.columns, [], [], [Malformed(1, f"it is no JSON: {error}", text[:1000])])
        rows, numbers, malformed = [], [], []
        for number, one in enumerate(found if isinstance(found, list) else [found], start=1):
            values = self.values(one)
            if isinstance(values, str):
                malformed.append(Malformed(number, values, json.dumps(one, ensure_ascii=False).encode()))
            else:
                rows.append(values)
                numbers.append(number)
        return rows_of(self.columns, rows, numbers, malformed)


def _has_time_inside(kind: pa.DataType) -> bool:
    """Whether Arrow would have to convert more than it can."""
    if pa.types.is_map(kind):
        return True
    if pa.types.is_list(kind):
        return is_time(kind.value_type) or _has_time_inside(kind.value_type)
    if pa.types.is_struct(kind):
        return any(is_time(field.type) or _has_time_inside(field.type) for field in kind)
    return False
