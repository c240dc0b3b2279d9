"""`transom run` inside a session: restarts, late tuples, and what goes wrong."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.cli.scripts import FIRST, HI_LO, SECOND, TRAFFIC, put, ran, rows, written
from transom.cli.run import Request, run
from transom.cli.shell import ShellSession
from transom.language import bind_script
from transom.spark.running.bounded import answer_bounded

pytestmark = pytest.mark.spark

PAIR = f"""\
CREATE STREAM q AS {HI_LO};
CREATE STREAM missed AS LATE OF q;
"""


def batch(spark: SparkSession, folder: Path, sql: str) -> list[dict[str, object]]:
    """The answer over everything at once."""
    text = answer_bounded(bind_script((TRAFFIC + sql).format(folder=folder)).queries[0], spark, "jsonl")
    assert text is not None
    return rows("\n".join(row[0] for row in text.rows))


def test_once_then_drain_from_one_checkpoint_equal_the_batch_answer(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "a.csv", FIRST)
    insert = f"INSERT INTO FILE '{{folder}}/out' FORMAT jsonl {HI_LO};"
    place = str(tmp_path / "checkpoint")
    assert ran(spark, tmp_path, insert, checkpoint=place) == (0, "")
    assert capsys.readouterr().err == "in 5 rows, out 4, late 1, dropped 1, outside 0\n"
    assert {str(row["window_end"]) for row in written(tmp_path / "out")} == {f"2026-01-05T14:0{n}:00.000000Z" for n in (1, 2)}

    put(tmp_path, "b.csv", SECOND)
    assert ran(spark, tmp_path, insert, "drain", checkpoint=place) == (0, "")
    assert capsys.readouterr().err == "in 3 rows, out 6, late 1, dropped 1, outside 0\n"
    drained = written(tmp_path / "out")
    assert drained == batch(spark, tmp_path, HI_LO + ";")

    put(tmp_path, "c.csv", ["s1,1.0,14:03:30"])
    assert ran(spark, tmp_path, insert, "drain", checkpoint=place) == (0, "")
    assert capsys.readouterr().err == "in 1 rows, out 0, late 1, dropped 1, outside 0\n"
    assert written(tmp_path / "out") == drained


def forget_last_commit(checkpoint: Path) -> None:
    """As if it had been killed after the last micro-batch was shown, before the late tuples were known to be written."""
    last = max((path for path in (checkpoint / "commits").iterdir() if path.name.isdecimal()), key=lambda path: int(path.name))
    last.unlink()
    (last.parent / f".{last.name}.crc").unlink(missing_ok=True)
    (checkpoint / "transom_written-0").write_text(str(int(last.name) - 1), encoding="utf-8")


def test_results_and_late_tuples_come_from_one_execution(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "a.csv", FIRST)
    put(tmp_path, "b.csv", SECOND)
    sql = PAIR + (
        "INSERT INTO FILE '{folder}/late' FORMAT jsonl SELECT speed, frontier FROM missed;\n"
        "SELECT seg_id, hi FROM q WHERE hi > 50;"
    )
    place = tmp_path / "checkpoint"
    code, shown = ran(spark, tmp_path, sql, "drain", checkpoint=str(place))
    assert code == 0
    assert [folder.name for folder in place.iterdir()] == [next(place.iterdir()).name]
    assert capsys.readouterr().err.startswith("in 8 rows, out 5, late 2, dropped 2, ")
    assert rows(shown) == batch(spark, tmp_path, PAIR + "SELECT seg_id, hi FROM q WHERE hi > 50;")
    late = written(tmp_path / "late")
    assert sorted(row["speed"] for row in late) == [10.0, 99.0]
    assert late == batch(spark, tmp_path, PAIR + "SELECT speed, frontier FROM missed;")

    forget_last_commit(next(place.iterdir()))
    assert ran(spark, tmp_path, sql, checkpoint=str(place)) == (0, "")
    assert written(tmp_path / "late") == late


def test_one_insert_that_fails_does_not_stop_the_other(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "a.csv", FIRST)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "x.csv").write_text("1,2026-01-05T14:00:00Z\nmany,2026-01-05T14:00:01Z\n", encoding="utf-8")
    sql = (
        "CREATE STREAM bad (n INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE '{folder}/bad' FORMAT csv;\n"
        "INSERT INTO FILE '{folder}/n' FORMAT jsonl SELECT count(*) AS n FROM bad [TUMBLE 1 MINUTE];\n"
        "INSERT INTO FILE '{folder}/fast' FORMAT csv SELECT speed FROM traffic WHERE speed > 60;"
    )
    assert ran(spark, tmp_path, sql) == (1, "")
    told = capsys.readouterr().err
    assert told.startswith("BadTuple: ")
    assert "bad/x.csv, line 2" in told.splitlines()[0]
    assert "  query:  FILE " in told
    assert "Traceback" not in told
    assert "\tat " not in told
    fast = "".join(path.read_text(encoding="utf-8") for path in sorted((tmp_path / "fast").glob("part-*")))
    assert sorted(fast.split()) == ["65.0", "99.0"]


def test_two_queries_do_not_write_to_one_table(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The log of the first would hide the rows of the second."""
    put(tmp_path, "a.csv", FIRST)
    sql = "INSERT INTO TABLE twice SELECT speed FROM traffic WHERE speed > 60;" * 2
    assert ran(spark, tmp_path, sql) == (2, "")
    assert "two queries write to one place" in capsys.readouterr().err
    assert not spark.catalog.tableExists("twice")


def test_a_query_that_spark_refuses_has_exit_code_2(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "a.csv", FIRST)
    assert ran(spark, tmp_path, "SELECT date_add(speed, 1) AS y FROM traffic;") == (2, "")
    assert capsys.readouterr().err.startswith("BadQuery: Spark does not accept the query")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("jsonl", '{"d":1.50,"t":"2026-01-05T14:00:00.000000Z","a":[1,null],"n":null}'),
        ("csv", 'd,t,a,n\n1.50,2026-01-05T14:00:00.000000Z,"[1,null]",'),
        (
            "table",
            "   d  t                    a         n\n----  -------------------  --------  ----\n"
            "1.50  2026-01-05 14:00:00  [1,null]  NULL",
        ),
    ],
)
def test_rows_read_as_spark_writes_them(spark: SparkSession, form: str, expected: str) -> None:
    out = io.StringIO()
    spark.sql(
        "SELECT CAST(1.5 AS DECIMAL(5, 2)) AS d, TIMESTAMP '2026-01-05T14:00:00Z' AS t, array(1, NULL) AS a,"
        "CAST(NULL AS STRING) AS n"
    ).createOrReplaceTempView("one_row")
    session = ShellSession(form, None, {}, out=out, spark=spark)
    session.take("CREATE STREAM r (d DECIMAL(5, 2), t TIMESTAMP, a ARRAY<INT>, n STRING) ORDER BY t SOURCE TABLE one_row;")
    session.take("SELECT * FROM r;")
    assert (session.worst, out.getvalue().rstrip("\n")) == (0, expected)


class Closed(io.StringIO):
    """A reader that has gone after the first rows."""

    def write(self, text: str) -> int:
        if self.getvalue():
            raise BrokenPipeError
        return super().write(text)


def test_a_stream_runs_until_nobody_reads_it(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, "a.csv", FIRST)
    put(tmp_path, "b.csv", SECOND)
    out = Closed()
    sql = TRAFFIC.format(folder=tmp_path) + "SELECT speed FROM traffic;"
    assert run(Request(sql, "csv", "stream", out=out, spark=spark)) == 0
    assert out.getvalue() == "speed\n55.0\n65.0\n45.0\n50.0\n99.0\n"
    assert capsys.readouterr().err.startswith("in ")


def test_the_shell_tells_what_became_of_tuples(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, "a.csv", FIRST)
    session = ShellSession("csv", None, {}, spark=spark)
    session.take(TRAFFIC.format(folder=tmp_path) + f"{HI_LO}; SELECT speed FROM traffic;")
    session.take("SELECT count(*) AS n FROM traffic [TUMBLE 1 MINUTE DRATIO 1%];")
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == ["6 rows, late 1, dropped 1, outside 0", "5 rows"]
    assert told[2].endswith(" rows, late 0, dropped 0, outside 0; late 0 % of 1 % allowed, still learning after 5")


def measured(text: str) -> dict[str, str]:
    """What EXPLAIN ANALYZE has measured, by title."""
    pairs = (line.strip().split(":", 1) for line in text.splitlines() if ":" in line)
    return {title: value.strip() for title, value in pairs}


@pytest.mark.long
def test_explain_analyze_of_a_name(spark: SparkSession, tmp_path: Path) -> None:
    put(tmp_path, "a.csv", FIRST)
    code, text = ran(spark, tmp_path, f"CREATE STREAM q AS {HI_LO}; EXPLAIN ANALYZE q;", form="table")
    lines = measured(text)
    assert (code, lines["rows in"], lines["rows out"], lines["late rows"]) == (0, "5", "6", "1")


def test_explain_analyze_adds_what_was_measured(spark: SparkSession, tmp_path: Path) -> None:
    put(tmp_path, "a.csv", FIRST)
    code, text = ran(spark, tmp_path, f"EXPLAIN ANALYZE {HI_LO};", form="table")
    lines = measured(text)
    assert code == 0
    assert (lines["rows in"], lines["rows out"], lines["late rows"]) == ("5", "6", "1")
    assert float(lines["state"].split()[0].replace(",", "")) > 0
    assert lines["time of execution"].endswith(" ms")
