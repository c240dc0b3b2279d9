"""What files hold, in the types that the stream declares."""

from __future__ import annotations

import gzip
import math
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tests.spark.sources.streams import rows_of, stream_of
from transom.column_names import POSITION
from transom.spark.sources.read_stream import read

pytestmark = pytest.mark.spark

COLUMNS = (
    "b TINYINT; n INT; big BIGINT; x DOUBLE; price DECIMAL(10,2); ok BOOLEAN; name STRING; d DATE; t TIMESTAMP; w TIMESTAMP_NTZ"
)
CSV = """\
1,2,3,1.5,12.50,true,Ann,2026-01-02,2026-01-02T03:04:05.678901Z,2026-01-02 03:04:05
-1,-2,9223372036854775807,-Inf,-0.05,FALSE,"B, \\"b\\"",1969-12-31,2026-01-02 03:04:05,2026-01-02T03:04:05.5
,,,,,,,,,
+7,007,1,1e3,1.005,True,"",2026-1-2,2026-01-02 03:04:05.123456789 Europe/Berlin,2026-01-02
"""
NAMES = [column.split()[0] for column in COLUMNS.split(";")]
JSON = "\n".join(
    "" if not row else "{" + ", ".join(f'"{name}": {value}' for name, value in zip(NAMES, row, strict=True)) + "}"
    for row in (
        [
            *("1", "2", "3", "1.5", "12.50", "true", '"Ann"', '"2026-01-02"'),
            '"2026-01-02T03:04:05.678901Z"',
            '"2026-01-02 03:04:05"',
        ],
        [
            *("-1", "-2", "9223372036854775807", "-Infinity", '"-0.05"', "false", r'"B, \"b\""', '"1969-12-31"'),
            *('"2026-01-02 03:04:05"', '"2026-01-02T03:04:05.5"'),
        ],
        [],
        ["null"] * 10,
        [
            *("7", "7", "1", "1000", "1.005", "true", '""', '"2026-1-2"'),
            *('"2026-01-02 03:04:05.123456789 Europe/Berlin"', '"2026-01-02"'),
        ],
    )
)


def instant(text: str) -> datetime:
    """As Spark hands timestamps to Python: in the time of this machine."""
    return datetime.fromisoformat(text).astimezone().replace(tzinfo=None)


@pytest.mark.parametrize(("format", "text"), [("csv", CSV), ("jsonl", JSON)])
def test_every_type_of_a_text(spark: SparkSession, tmp_path: Path, format: str, text: str) -> None:
    (tmp_path / f"a.{format}").write_text(text)
    assert rows_of(spark, stream_of(tmp_path, COLUMNS, format, timeZone="America/New_York")) == [
        *[(1, 2, 3, 1.5, Decimal("12.50"), True, "Ann", date(2026, 1, 2), instant("2026-01-02T03:04:05.678901Z"), W)],
        (
            *(-1, -2, 2**63 - 1, float("-inf"), Decimal("-0.05"), False, 'B, "b"', date(1969, 12, 31)),
            *(instant("2026-01-02T03:04:05-05:00"), datetime(2026, 1, 2, 3, 4, 5, 500000)),
        ),
        (None,) * 10,
        (
            *(7, 7, 1, 1000.0, Decimal("1.01"), True, None if format == "csv" else "", date(2026, 1, 2)),
            *(instant("2026-01-02T03:04:05.123456+01:00"), datetime(2026, 1, 2)),
        ),
    ]


W = datetime(2026, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("x,B,a\n1,2,3\n", {"header": "true"}, [(3, "2", None)]),
        ("\ufeffa,b,c\r\n3,2,1.5\r\n\r\n4,,\r\n", {"header": "true"}, [(3, "2", 1.5), (4, None, None)]),
        ("1;'x;y';2.5", {"sep": ";", "quote": "'"}, [(1, "x;y", 2.5)]),
        ("1\tNA\tNA\n", {"delimiter": "\\t", "nullValue": "NA"}, [(1, None, None)]),
        ('1,"two\nlines",3\n4,x,5\n', {"multiLine": "true"}, [(1, "two\nlines", 3.0), (4, "x", 5.0)]),
        ('1,"a\\"b",3\n', {}, [(1, 'a"b', 3.0)]),
        ('1,"a""b",3\n', {"escape": '"'}, [(1, 'a"b', 3.0)]),
        ("#x\n1,-,?\n", {"comment": "#", "positiveInf": "?", "nullValue": "-"}, [(1, None, math.inf)]),
        ("1,\u00e9,2\n", {"encoding": "latin-1"}, [(1, "\u00e9", 2.0)]),
        ("a,b,c\n", {"header": "true"}, []),
    ],
)
def test_spellings_of_csv(spark: SparkSession, tmp_path: Path, text: str, options: dict[str, str], expected: list[Any]) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode(options.get("encoding", "utf-8")))
    assert rows_of(spark, stream_of(tmp_path, "a INT; b STRING; c DOUBLE", "csv", **options)) == expected


def test_positions_are_line_numbers(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n\n\n1\n\n\n2\n3\n")
    rows = read(spark, stream_of(tmp_path, "n INT", "csv", header="true"), bounded=True)
    assert [(row.n, row[POSITION]) for row in rows.orderBy(POSITION).collect()] == [(1, 3), (2, 6), (3, 7)]


def test_the_zone_of_the_session_counts_where_a_text_has_none(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("2026-03-29 02:30:00\n2026-07-01 00:00:00\n2026-10-25 02:30:00\n2026-07-01\n")
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        rows = rows_of(spark, stream_of(tmp_path, "t TIMESTAMP", "csv"))
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert [row[0] for row in rows] == [
        instant("2026-03-29T01:30:00Z"),
        instant("2026-06-30T22:00:00Z"),
        instant("2026-10-25T00:30:00Z"),
        instant("2026-06-30T22:00:00Z"),
    ]


def test_formats_of_times_can_be_given(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("02.01.2026 03:04,31/12/2025\n")
    stream = stream_of(tmp_path, "t TIMESTAMP; d DATE", "csv", timestampFormat="dd.MM.yyyy HH:mm", dateFormat="dd/MM/yyyy")
    assert rows_of(spark, stream) == [(instant("2026-01-02T03:04:00Z"), date(2025, 12, 31))]
    (tmp_path / "a.csv").write_text("02.01.2026 03:04:05.25+01:00,31/12/2025\n")
    fine = stream_of(
        tmp_path, "t TIMESTAMP; d DATE", "csv", timestampFormat="dd.MM.yyyy HH:mm:ss.SSSXXX", dateFormat="dd/MM/yyyy"
    )
    assert rows_of(spark, fine) == [(instant("2026-01-02T02:04:05.25Z"), date(2025, 12, 31))]


def test_nested_json_and_whole_documents(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"a": [1, 2], "s": {"t": "2026-01-01"}},\n {"m": {"k": 1}, "a": null}]')
    stream = stream_of(tmp_path, "a ARRAY<INT>; s STRUCT<t: DATE>; m MAP<STRING, INT>", "json", multiLine="true")
    assert rows_of(spark, stream) == [([1, 2], (date(2026, 1, 1),), None), (None, None, {"k": 1})]


def test_compressed_files(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"1\n2\n"))
    assert rows_of(spark, stream_of(tmp_path / "*.csv.gz", "n INT")) == [(1,), (2,)]


def test_three_columns_of_a_wide_parquet_file(spark: SparkSession, tmp_path: Path) -> None:
    wall = pa.array([datetime(2026, 1, 2, 3)] * 3)
    table = pa.table(
        {"junk": ["x"] * 3, "T": wall.cast(pa.timestamp("ns")), "n": pa.array([1, None, 3], pa.int32()), "more": [0.5] * 3}
    )
    pq.write_table(table, tmp_path / "b.parquet", row_group_size=2)
    pq.write_table(table.slice(0, 1).drop_columns(["n"]), tmp_path / "a.parquet")
    pq.write_table(table.slice(0, 0), tmp_path / "c.parquet")
    stream = stream_of(tmp_path, "n BIGINT; t TIMESTAMP; missing STRING", "parquet", timeZone="Europe/Berlin")
    moment = instant("2026-01-02T02:00:00Z")
    assert rows_of(spark, stream) == [(None, moment, None), (1, moment, None), (None, moment, None), (3, moment, None)]
    rows = read(spark, stream, bounded=True).orderBy("__source", POSITION)
    assert [(row["__source"], row[POSITION]) for row in rows.collect()] == [
        ("a.parquet", 1),
        *[("b.parquet", n) for n in (1, 2, 3)],
    ]
