"""Broken records under each policy; the good ones beside them are never lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.spark.sources.streams import rows_of, stream_of
from transom.column_names import POSITION
from transom.spark.sources.read_stream import read

pytestmark = pytest.mark.spark

COLUMNS = "seg STRING; speed DOUBLE; ts TIMESTAMP"
CSV = b"""\
a,1,2026-01-01T00:00:00Z
b,fast,2026-01-01T00:00:01Z
c,3
d,4,2026-01-01T00:00:03Z,more
e,"5,2026-01-01T00:00:04Z
f,6,2026-01-01T00:00:05Z
"g",7,yesterday
\xff,8,2026-01-01T00:00:07Z
"i",9,2026-01-01T00:00:08Z
"""
JSON = b"""\
{"seg": "a", "speed": 1, "ts": "2026-01-01T00:00:00Z"}
{"seg": "b", "speed": "fast"}
{"seg": "c", "speed": 3
{"seg": "d"} {"seg": "dd"}
[5]
{"seg": "f", "speed": 6}
{"seg": "g", "ts": "yesterday"}
{"seg": "\xff"}
{"seg": "i", "speed": 9, "seg": "i"}
"""
BROKEN = [2, 3, 4, 5, 7, 8]


@pytest.fixture(params=["csv", "json"])
def format(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    name: str = request.param
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"x.{name}").write_bytes(CSV if name == "csv" else JSON)
    return name


@pytest.mark.parametrize("option", [{}, {"malformed": "fail"}, {"mode": "FAILFAST"}])
def test_fail_names_file_line_column_and_content(
    spark: SparkSession, tmp_path: Path, format: str, option: dict[str, str]
) -> None:
    with pytest.raises(Exception, match="BadTuple") as caught:
        rows_of(spark, stream_of(tmp_path / "in", COLUMNS, format, **option))
    said = str(caught.value)
    assert f"x.{format}, line 2: column 'speed': 'fast' is no DOUBLE" in said
    assert CSV.splitlines()[1].decode() in said or JSON.splitlines()[1].decode() in said


@pytest.mark.parametrize("option", [{"malformed": "drop"}, {"mode": "DROPMALFORMED"}])
def test_drop_leaves_them_out_and_counts_them(spark: SparkSession, tmp_path: Path, format: str, option: dict[str, str]) -> None:
    stream = stream_of(tmp_path / "in", COLUMNS, format, rejects=tmp_path / "counts", **option)
    rows = read(spark, stream, bounded=True).orderBy(POSITION).collect()
    assert [(row.seg, row.speed, row[POSITION]) for row in rows] == [("a", 1.0, 1), ("f", 6.0, 6), ("i", 9.0, 9)]
    (count,) = (tmp_path / "counts").glob("*.json")
    assert json.loads(count.read_text()) == {"file": str(tmp_path / "in" / f"x.{format}"), "dropped": len(BROKEN)}


def test_reject_writes_each_once_even_when_read_again(spark: SparkSession, tmp_path: Path, format: str) -> None:
    stream = stream_of(tmp_path / "in", COLUMNS, format, malformed="reject", rejects=tmp_path / "rejects")
    for _ in range(2):
        assert [row[0] for row in rows_of(spark, stream)] == ["a", "f", "i"]
    (file,) = (tmp_path / "rejects").iterdir()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["line"] for line in lines] == BROKEN
    assert {line["file"] for line in lines} == {str(tmp_path / "in" / f"x.{format}")}
    assert all(line["reason"] for line in lines)
    assert lines[-1]["record"].count("\\xff") == 1


def test_a_few_among_many_cost_only_their_neighbours(spark: SparkSession, tmp_path: Path) -> None:
    lines = [f"{n},{n}.5" for n in range(200_000)]
    for broken in (0, 777, 778, 100_000, 199_999):
        lines[broken] = f"{broken},?"
    (tmp_path / "a.csv").write_text("\n".join(lines))
    rows = read(spark, stream_of(tmp_path, "n INT; x DOUBLE", "csv", malformed="drop"), bounded=True)
    summary = rows.selectExpr("count(*)", "sum(n)", f"sum(if({POSITION} = n + 1, 0, 1))").collect()[0]
    assert tuple(summary) == (199_995, sum(range(200_000)) - 777 - 778 - 100_000 - 199_999, 0)


def test_a_file_that_is_no_parquet_is_one_malformed_record(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(Exception, match="it is no Parquet"):
        rows_of(spark, stream_of(tmp_path / "in", "n INT", "parquet"))
    assert rows_of(spark, stream_of(tmp_path / "in", "n INT", "parquet", malformed="drop")) == []


def test_a_parquet_column_of_another_type_is_named(spark: SparkSession, tmp_path: Path) -> None:
    spark.createDataFrame([("x",)], "n STRING").write.parquet(str(tmp_path / "in"))
    with pytest.raises(Exception, match="column 'n' holds string, which is no INT"):
        rows_of(spark, stream_of(tmp_path / "in", "n INT", "parquet"))
