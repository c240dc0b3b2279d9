"""A text means what it means to Spark's own readers: the same values, and the same records are malformed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.spark.sources.streams import stream_of
from transom.column_names import POSITION
from transom.spark.sources.read_stream import read as read_ours

pytestmark = pytest.mark.spark

TYPES = ("TINYINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(6,2)", "BOOLEAN", "STRING", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ")
NUMBERS = (
    *(
        "0",
        "-0",
        "7",
        "+7",
        "007",
        "128",
        "-129",
        "2147483648",
        "9223372036854775808",
        "0x1F",
        "1_0",
        "1e3",
        "1.5",
        "1.005",
        ".5",
    ),
    *("1.", "1d", "1f", "1L", "12345.67", "NaN", "nan", "inf", "Inf", "-Inf", "Infinity", "-Infinity", "1e999", "4.9e-325"),
    *("16777217", "1.00000017881393421514957253748434595763683319091796875001", "123456789012345678901234567890"),
)
OTHERS = (
    *("", "true", "TRUE", "False", "t", "1", "yes", "null", "a b", "B"),
    *("2026-01-02", "2026-1-2", "2026-01", "2026", "02.01.2026", "2026-02-30", "0001-01-01", "10000-01-01", "-0001-01-01"),
    *(
        "2026-01-02 03:04:05",
        "2026-01-02T03:04:05",
        "2026-01-02 3:4:5",
        "2026-01-02 03:04",
        "2026-01-02 03",
        "2026-01-02 24:00:00",
    ),
    *("2026-01-02 03:04:60", "2026-01-02T03:04:05.6", "2026-01-02T03:04:05.123456789", "2026-01-02T03:04:05Z"),
    *("2026-01-02T03:04:05+01:00", "2026-01-02T03:04:05+0100", "2026-01-02T03:04:05+23:00", "2026-01-02 03:04:05 Europe/Berlin"),
    *("2026-01-02 03:04:05 CET", "2026-03-29 02:30:00", "1582-10-10", "1582-10-10 00:00:00", "1969-12-31 23:59:59.999999"),
)
PADDED = (" 5", "5 ", " true", " 2026-01-02 ", " 2026-01-02 03:04:05")
ROWS_OF_CSV = (
    *(
        '"a",b',
        '"",b',
        ',""',
        '"a\\"b",c',
        '"a""b",c',
        'a"b,c',
        '"a"b,c',
        "a\\,b",
        '"a,b',
        "a,b,c",
        "a",
        '"a',
        " ,b",
        '"a\\\\",c',
        "\\N,b",
    ),
    *('"a" ,b', ' "a",b', "a\tb,c", "'a,b',c"),
)
# Spark's reader keeps how a number in a STRING is written, `from_json` writes it anew: 1.50 becomes 1.5.
ROWS_OF_JSON = (
    *(
        "{}",
        '{"a": null}',
        "{'a': 'x'}",
        '{"a": "x"} junk',
        "[]",
        '[{"a": "x"}]',
        "null",
        "5",
        '{"A": "x"}',
        '{"a": "x", "a": "y"}',
    ),
    *(
        '{"a": "\\ud83d"}',
        '{"a": "\\u0000"}',
        '{"a": "tab\tin"}',
        '{"a": {"b":["1",2.5]}}',
        '{"a": {"b":[1,2.5]}}',
        '{"a": 1.5}',
        '{"a": true}',
        '{"a":',
    ),
    *('{"a": "x", }', '{a: "x"}', '{"a": "x" /* c */}', '  {"a": "x"}  ', '{"b": {"a": 1}}', '{"a": "\\x"}'),
)


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_value_of_each_type(spark: SparkSession, tmp_path: Path, form: str) -> None:
    """All texts in a column of each type; what one type refuses, no other is to hide, so each type has its files."""
    problems = []
    for number, kind in enumerate(TYPES):
        texts = [*NUMBERS, *OTHERS, *PADDED]
        rows = [f"{text},{index}" for index, text in enumerate(texts)]
        if form == "json":
            quoted = [json.dumps({"a": text, "n": index}) for index, text in enumerate(texts)]
            bare = () if kind == "STRING" else (*NUMBERS, "true", "[1]", '{"b": 1}')
            rows = quoted + [f'{{"a": {text}, "n": {index}}}' for index, text in enumerate(bare, 1000)]
        try:
            agrees(spark, tmp_path / str(number), f"a {kind}; n INT", form, rows)
        except AssertionError as error:
            problems.append(f"{kind}: {error}")
    assert not problems, "\n".join(problems)


def agrees(spark: SparkSession, folder: Path, columns: str, form: str, rows: list[str], **options: Any) -> None:
    folder.mkdir()
    (folder / f"a.{form}").write_text("".join(f"{row}\n" for row in rows))
    reader = spark.read.schema(f"{columns.replace(';', ',')}, broken STRING").options(
        columnNameOfCorruptRecord="broken", **options
    )
    read = (reader.csv if form == "csv" else reader.json)(str(folder)).cache()
    names = [column.split()[0] for column in columns.split("; ")]
    written = [f"CAST({name} AS STRING)" for name in names]  # Python has no year 10000
    expected = [repr(tuple(row)) for row in read.where("broken IS NULL").selectExpr(*written).collect()]
    stream = stream_of(folder, columns, form, malformed="drop", **options)
    found = read_ours(spark, stream, bounded=True).orderBy(POSITION).selectExpr(*written)
    ours = [repr(tuple(row)) for row in found.collect()]
    assert [row for row in ours if row not in expected] == [row for row in expected if row not in ours]
    assert ours == expected


def test_odd_rows_of_csv(spark: SparkSession, tmp_path: Path) -> None:
    agrees(spark, tmp_path / "a", "a STRING; b STRING", "csv", list(ROWS_OF_CSV))
    agrees(spark, tmp_path / "b", "a STRING; b STRING", "csv", list(ROWS_OF_CSV), escape='"', nullValue="a", emptyValue="E")
    agrees(spark, tmp_path / "c", "a STRING; b STRING", "csv", list(ROWS_OF_CSV), quote="'", ignoreLeadingWhiteSpace="true")


def test_odd_rows_of_json(spark: SparkSession, tmp_path: Path) -> None:
    rows = [row for row in ROWS_OF_JSON if row not in ('[{"a": "x"}]', "[]")]  # Spark's reader makes rows of the elements
    agrees(spark, tmp_path / "a", "a STRING", "json", rows)
    agrees(spark, tmp_path / "b", "a STRING", "json", rows, allowUnquotedFieldNames="true", allowComments="true")


def test_plain_blocks_are_read_as_spark_reads_them(spark: SparkSession, tmp_path: Path) -> None:
    """Without one odd record in them, so that Arrow takes them."""
    rows = [
        f'{{"n": {n - 500}, "big": {n * 10**15}, "x": {(n - 300) * 1.7e-3!r}, "ok": {"true" if n % 2 else "false"}, '
        f'"s": "\\u00e9{n}\\n", "t": "2026-01-02T03:04:{n % 60:02d}.{n}", "skipped": [{n}]}}'
        for n in range(1000)
    ]
    columns = "n INT; big BIGINT; x DOUBLE; ok BOOLEAN; s STRING; t TIMESTAMP; missing STRING"
    agrees(spark, tmp_path / "a", columns, "json", rows)
    agrees(spark, tmp_path / "b", columns, "json", [row.replace('", "skipped"', 'Z", "skipped"') for row in rows])
