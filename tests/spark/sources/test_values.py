"""A record means the same whether Arrow reads it in bulk or it is read alone."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom.spark.sources.csv_lines import CsvParser
from transom.spark.sources.json_lines import JsonParser
from transom.spark.sources.lines import blocks
from transom.spark.sources.options import ReadOptions
from transom.spark.sources.records import NOT_READ, one_by_one

TYPES = [
    *(pa.int8(), pa.int64(), pa.float64(), pa.decimal128(6, 2), pa.bool_(), pa.string(), pa.date32()),
    *(pa.timestamp("us"), pa.timestamp("us", "UTC")),
]
TEXTS = st.one_of(
    st.integers().map(str),
    st.floats().map(repr),
    st.decimals(-(10**6), 10**6).map(str),
    st.datetimes().map(str),
    st.datetimes(timezones=st.timezones()).map(lambda moment: moment.isoformat()),
    st.dates().map(str),
    st.text("0123456789-+:.TZ eExXinfatrue", max_size=12),
    st.sampled_from(["true", "TRUE", "False", "", "2026-03-29 02:30:00", "0x1F", " 5 ", "NaN", "1_0", "Infinity", "null"]),
)


def both(parser: Any, text: str) -> tuple[list[Any] | None, list[Any]]:
    lines = next(blocks(io.BytesIO(text.encode())))
    alone = [column.to_pylist() for column in one_by_one(parser, lines).columns]
    try:
        return [column.to_pylist() for column in parser.bulk(lines)], alone
    except NOT_READ:
        return None, alone


@pytest.mark.parametrize("kind", TYPES, ids=str)
@given(text=TEXTS)
def test_csv(kind: pa.DataType, text: str) -> None:
    parser = CsvParser(pa.schema([("a", kind), ("b", pa.string())]), ReadOptions(zone="Europe/Berlin"))
    bulk, alone = both(parser, f"{text},x")
    assert bulk is None or repr(bulk) == repr(alone)


@pytest.mark.parametrize("kind", TYPES, ids=str)
@given(text=TEXTS, quoted=st.booleans())
def test_json(kind: pa.DataType, text: str, quoted: bool) -> None:
    parser = JsonParser(pa.schema([("a", kind)]), ReadOptions(format="json", zone="Europe/Berlin"))
    bulk, alone = both(parser, f'{{"a": "{text}"}}' if quoted else f'{{"a": {text or 0}}}')
    assert bulk is None or repr(bulk) == repr(alone)
