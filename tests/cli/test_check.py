"""`transom check` and `transom explain`: whatever a run refuses is refused there, where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from transom.cli import main

STREAM = """CREATE STREAM s (id BIGINT, k STRING, v DOUBLE, tags ARRAY<STRING>, m MAP<STRING, INT>, ts TIMESTAMP)
  ORDER BY ts SOURCE FILE 'in' FORMAT json;
CREATE STREAM lost AS LATE OF s;
CREATE STREAM q AS SELECT k, sum(v) AS n FROM s [TUMBLE 5 MINUTES SLACK 1 SECOND] GROUP BY k;
CREATE STREAM missed AS LATE OF q;
CREATE TABLE sensors (k STRING, name STRING);
"""


def transom(command: str, sql: str, folder: Path) -> Result:
    path = folder / "script.sql"
    path.write_text(STREAM + sql)
    return CliRunner().invoke(main, [command, str(path)], catch_exceptions=False)


@pytest.mark.parametrize(
    ("name", "sql"),
    [
        (
            "NotSupported",
            "SELECT k, first(v) FILTER (WHERE v > 1) AS y FROM s [TUMBLE 5 MINUTES] GROUP BY k;",
        ),
        ("NotSupported", "SELECT percentile(v, id) AS x FROM s [TUMBLE 5 MINUTES];"),
        ("NotSupported", "SELECT max(tags) AS x FROM s [TUMBLE 5 MINUTES];"),
        ("NotSupported", "SELECT bool_and(id) AS x FROM s [TUMBLE 5 MINUTES];"),
        ("NotSupported", "SELECT k, count(*) AS n FROM missed [TUMBLE 1 HOUR] GROUP BY k;"),
        ("NotSupported", "SELECT s.k, name FROM s RIGHT JOIN sensors ON s.k = sensors.k;"),
        (
            "NotSupported",
            "CREATE STREAM t AS SELECT k, ts FROM s WHERE row_num > 3; SELECT count(*) AS n FROM t [TUMBLE 5 MINUTES];",
        ),
        ("UnknownColumn", "SELECT k, sum(v) AS x FROM s [TUMBLE 5 MINUTES] GROUP BY k ORDER BY v;"),
        ("BadQuery", "SELECT k, sum(v) AS x FROM s [TUMBLE 5 MINUTES] GROUP BY k ORDER BY max(v);"),
        ("NotSupported", "SELECT m, count(*) AS n FROM s [TUMBLE 5 MINUTES] GROUP BY m;"),
        ("NotSupported", "SELECT k, count(*) OVER (PARTITION BY m ROWS 3 PRECEDING) AS n FROM s;"),
        ("NotSupported", "SELECT count(*) AS n FROM s [RANGE 5 ROWS PATTR m];"),
        ("UnknownFunction", "SELECT uper(k) AS x FROM s;"),
    ],
)
def test_what_a_run_refuses(name: str, sql: str, tmp_path: Path) -> None:
    for command in ("check", "explain", "run"):
        result = transom(command, sql, tmp_path)
        assert result.exit_code == 2, (command, result.output)
        assert f"{name}: " in result.output
        assert "^\n" in result.output


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT v, ts, frontier FROM lost WHERE v > 1;",
        "SELECT * FROM missed;",
        "SELECT tags, count(*) AS n FROM s [TUMBLE 5 MINUTES] GROUP BY tags;",
        "SELECT ISTREAM (k) FROM s [RANGE 5 ROWS];",
        "SELECT id, row_num FROM s WHERE row_num % 2 = 0;",
        "SELECT k, sum(v) AS x FROM s [TUMBLE 5 MINUTES] GROUP BY k ORDER BY sum(v) DESC, K;",
        "SELECT k, name FROM s [TUMBLE 5 MINUTES] JOIN sensors USING (k);",
    ],
)
def test_what_a_run_takes(sql: str, tmp_path: Path) -> None:
    assert transom("check", sql, tmp_path).exit_code == 0
    explained = transom("explain", sql, tmp_path)
    assert explained.exit_code == 0
    assert "strategy: " in explained.output
