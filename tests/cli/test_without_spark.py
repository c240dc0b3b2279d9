"""What the command line does by itself: printing, refusing, reading statements."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.scripts import HI_LO, TRAFFIC, put
from transom.cli import main
from transom.cli.printer import Printer
from transom.cli.run import Request, run
from transom.cli.shell import shell
from transom.cli.shell.statement_lines import Pieces
from transom.errors import CheckpointMismatch
from transom.language import bind_script
from transom.language.script_text import stated
from transom.spark.running import checkpoint
from transom.spark.running.jobs import jobs_of, output_of
from transom.spark.running.messages.progress_line import Tally
from transom.spark.running.run_jobs import note_of


def test_a_table_keeps_its_columns_from_batch_to_batch() -> None:
    out = io.StringIO()
    printer = Printer("table", out)
    printer.rows(1, "q", ["seg_id", "hi"], [False, True], [["s1", "65.0"], ["s2", "7.5"]])
    printer.rows(1, "q", ["seg_id", "hi"], [False, True], [["s3", "8.5"]])
    printer.rows(1, "q", ["seg_id", "hi"], [False, True], [["segment", "NULL"]])
    assert out.getvalue().splitlines() == [
        "seg_id    hi",
        "------  ----",
        "s1      65.0",
        "s2       7.5",
        "s3       8.5",
        "",
        "seg_id     hi",
        "-------  ----",
        "segment  NULL",
    ]


def test_rows_of_several_queries_say_whose_they_are() -> None:
    out = io.StringIO()
    printer = Printer("csv", out, titled=True)
    printer.rows(1, "q", ["a"], [True], [["1"]])
    printer.rows(2, "r", ["b,c"], [True], [["2"]])
    printer.rows(2, "r", ["b,c"], [True], [["3"]])
    assert out.getvalue().splitlines() == ["a", "1", '"b,c"', "2", "3"]


def note(sql: str, shards: int = 4) -> tuple[str, checkpoint.Note]:
    script = bind_script(sql)
    query = next(one for one in stated(script, sql) if one.is_query)
    assert query.plan is not None
    job = jobs_of([output_of(0, query.text, query.plan)])[0]
    return job.name, note_of(job, shards, query.sql(script), "inline")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A checkpoint of HI_LO with 4 shards."""
    put(tmp_path, "a.csv", [])
    name, about = note(TRAFFIC.format(folder=tmp_path) + HI_LO + ";")
    checkpoint.keep(str(tmp_path / "checkpoint" / name), about)
    return tmp_path


def refused(folder: Path, sql: str, **conf: str) -> int:
    text = TRAFFIC.format(folder=folder) + sql
    return run(Request(text, mode="once", checkpoint=str(folder / "checkpoint"), conf=conf, out=io.StringIO()))


def test_a_changed_query_is_refused_before_spark_starts(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(kept, HI_LO.replace("RANGE 2 MINUTES", "RANGE 3 MINUTES") + ";") == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "CheckpointMismatch: this checkpoint belongs to another query"
    assert "RANGE 2 MINUTES" in told[1]
    assert "RANGE 3 MINUTES" in told[2]
    assert told[3].startswith("  remedy: ")


LINES = """\
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP)
  ORDER BY ts {slack}
  SOURCE FILE 'in' FORMAT csv;
SELECT seg_id, max(speed) AS hi
FROM traffic [{window} SLIDE 1 MINUTE] GROUP BY seg_id;
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (("SLACK 60 SECONDS", "RANGE 5 MINUTES"), ("SLACK 30 SECONDS", "RANGE 6 MINUTES"), ["window"]),
        (("SLACK INTERVAL '1' MINUTE", "RANGE 5 MINUTES"), ("SLACK 1 HOUR 30 MINUTES", "RANGE 6 MINUTES"), ["window"]),
        (("DRATIO 1%", "RANGE 5 MINUTES"), ("dratio 0.5 %", "RANGE 6 MINUTES"), ["window"]),
        (
            ("DRATIO 1% BFSIZE 9 IDLE AFTER 1 DAY", "RANGE 1 DAY"),
            ("DRATIO 2% BFSIZE 10 IDLE AFTER 2 DAYS", "RANGE 2 DAYS"),
            ["window"],
        ),
        (("SLACK 60 SECONDS", "RANGE 5 MINUTES"), ("SLACK 30 ROWS", "RANGE 5 MINUTES"), ["order"]),
        (("SLACK 60 SECONDS", "RANGE 5 MINUTES"), ("SLACK 30 ROWS", "RANGE 6 MINUTES"), ["order", "window"]),
        (("DRATIO 1%", "RANGE 5 MINUTES"), ("DRATIO 1% NORMAL", "RANGE 5 MINUTES"), ["order"]),
    ],
)
def test_the_lines_that_may_not_change_are_shown(old: tuple[str, str], new: tuple[str, str], told: list[str]) -> None:
    texts = [LINES.format(slack=slack, window=window) for slack, window in (old, new)]
    was, is_now = (note(text)[1] for text in texts)
    with pytest.raises(CheckpointMismatch, match="another query") as caught:
        checkpoint.check(is_now, was)
    lines = {"order": 1, "window": 4}
    shown = [" ".join(text.splitlines()[lines[one]].split()).rstrip(";") for one in told for text in texts]
    assert [line.partition(":")[2].strip() for line in str(caught.value).splitlines()[1:-1]] == shown


SAME = [
    ("SLACK 10 SECONDS", "SLACK 1 MINUTE"),
    ("SLACK 10%", "SLACK 1 MINUTE"),
    ("SLACK 10 ROWS", "SLACK 500 ROWS"),
    ("DRATIO 1%", "DRATIO 0.1%"),
    ("DRATIO 1% NORMAL", "DRATIO 5% NORMAL"),
    ("DRATIO 1% BFSIZE 100", "DRATIO 2% BFSIZE 1000"),
    ("SLACK 1 MINUTE PER SOURCE IDLE AFTER 1 MINUTE", "SLACK 1 SECOND PER SOURCE IDLE AFTER 1 HOUR"),
]
OTHER = [
    ("SLACK 10 SECONDS", "SLACK 10 ROWS"),
    ("SLACK 10 SECONDS", "DRATIO 1%"),
    ("SLACK 10 SECONDS", "ORDERED"),
    ("DRATIO 1%", "DRATIO 1% NORMAL"),
    ("DRATIO 1%", "DRATIO 1% BFSIZE 100"),
    ("HEARTBEAT", "HEARTBEAT AVERAGE"),
    ("SLACK 10 SECONDS", "SLACK 10 SECONDS LATE CONSISTENT"),
    ("SLACK 10 SECONDS", "SLACK 10 SECONDS PER SOURCE"),
]


@pytest.mark.parametrize(("old", "new", "goes_on"), [(*pair, True) for pair in SAME] + [(*pair, False) for pair in OTHER])
def test_another_amount_of_tolerance_goes_on_and_another_kind_does_not(old: str, new: str, goes_on: bool) -> None:
    text = TRAFFIC.format(folder="in") + HI_LO + ";"
    was, is_now = (note(text.replace("RANGE 2 MINUTES", f"RANGE 2 MINUTES {clause}"))[1] for clause in (old, new))
    assert (was.fingerprints == is_now.fingerprints) == goes_on
    if not goes_on:
        with pytest.raises(CheckpointMismatch, match="another query"):
            checkpoint.check(is_now, was)


@pytest.mark.parametrize(
    ("kind", "old", "new", "goes_on"),
    [
        ("INT", "1", "20", True),
        ("INT", "1", "0.5", False),
        ("DECIMAL(10, 2)", "1", "0.5", True),
        ("DECIMAL(10, 2)", "1", "0.125", False),
        ("DOUBLE", "1", "0.3", True),
    ],
)
def test_a_finer_slack_than_the_axis_has_room_for_needs_a_new_checkpoint(kind: str, old: str, new: str, goes_on: bool) -> None:
    """Places are kept in parts of one, as small as the lengths of the query need them."""
    stream = "CREATE STREAM s (a {}) ORDER BY a SLACK {} SOURCE FILE 'in' FORMAT csv;"
    query = "SELECT count(*) AS n FROM s [TUMBLE 10];"
    was, is_now = (note(stream.format(kind, slack) + query)[1] for slack in (old, new))
    assert (was.fingerprints == is_now.fingerprints) == goes_on


def test_another_number_of_shards_is_refused(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(kept, HI_LO + ";", **{"spark.sql.shuffle.partitions": "3"}) == 2
    assert capsys.readouterr().err.startswith("CheckpointMismatch: the number of shards")


def test_a_query_in_another_place_is_refused(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(kept, f"INSERT INTO FILE 'x' {HI_LO};") == 2
    assert capsys.readouterr().err.startswith("CheckpointMismatch: the queries of the script")


def test_a_checkpoint_of_something_else_is_refused(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (kept / "checkpoint" / "offsets").mkdir()
    assert refused(kept, HI_LO + ";") == 2
    assert capsys.readouterr().err.startswith("CheckpointMismatch: this checkpoint was not written by transom run")


def test_the_last_end_is_read_from_the_log(tmp_path: Path) -> None:
    assert checkpoint.last_end(str(tmp_path)) == 0
    (tmp_path / "offsets").mkdir()
    (tmp_path / "offsets" / "9").write_text('v1\n{"conf":{}}\n{"files":1}\n{"end":0}', encoding="utf-8")
    (tmp_path / "offsets" / "10").write_text('v1\n{"conf":{}}\n{"files":1}\n{"end":17}', encoding="utf-8")
    assert checkpoint.last_end(str(tmp_path)) == 17
    assert checkpoint.next_end(str(tmp_path)) > 17


def test_results_and_late_tuples_of_one_query_are_one_job() -> None:
    sql = TRAFFIC + (
        f"CREATE STREAM q AS {HI_LO}; CREATE STREAM missed AS LATE OF q;"
        "INSERT INTO FILE 'a' SELECT * FROM q WHERE hi > 1; SELECT speed FROM missed; SELECT * FROM traffic;"
    )
    queries = [one for one in stated(bind_script(sql), sql) if one.plan is not None]
    jobs = jobs_of([output_of(number, one.text, one.plan) for number, one in enumerate(queries) if one.plan is not None])
    assert [job.name for job in jobs] == ["00-file-a+01-select", "02-select"]


def test_counts_are_those_of_this_run() -> None:
    tally = Tally("q")
    tally.take(
        [
            '{"runId": "r", "batchId": 3, "numInputRows": 8, "sources": [{"numInputRows": 7, "endOffset": {"files": 2}},'
            '{"numInputRows": 1, "endOffset": "{\\"end\\": 4}"}], "observedMetrics": {"transom_out": {"rows": 2}, "transom":'
            '{"shards": ["{\\"used\\": 11, \\"late\\": 3, \\"dropped\\": 2, \\"outside\\": 0, \\"held\\": 4,'
            '\\"before\\": {\\"used\\": 5, \\"late\\": 1, \\"dropped\\": 1},'
            '\\"frontier\\": \\"2026-01-05 14:03:00.250000+00:00\\"}"]}}}'
        ]
    )
    assert tally.line(2.0) == "in 7 rows, 4 rows/s, frontier 2026-01-05 14:03:00.25, state 4 rows, late 2"
    assert tally.summary() == "in 7 rows, out 2, late 2, dropped 1, outside 0"


def test_quotes_and_comments_hide_semicolons() -> None:
    pieces = Pieces()
    found = [piece for line in ["SELECT 'a;\n", "b' /* ; \n", "*/ ; DROP\n", "STREAM s;"] for piece in pieces.take(line)]
    assert found == [(1, "SELECT 'a;\nb' /* ; \n*/ ;"), (3, " DROP\nSTREAM s;")]


def test_the_shell_answers_a_pipe_and_goes_on_after_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    text = TRAFFIC.format(folder="/nowhere") + (
        "SHOW STREAMS;\nSELECT sped FROM traffic;\nDESCRIBE STREAM traffic;\nCHECK SELECT speed FROM traffic;\n"
        "EXPLAIN SELECT max(speed) AS hi FROM traffic [TUMBLE 1 MINUTE];\nquit;\nSHOW STREAMS;"
    )
    assert shell("table", None, {}, given=io.StringIO(text)) == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[2] == "traffic  external  ts SLACK 30 SECONDS  FILE '/nowhere/in' csv"
    assert "speed       DOUBLE" in out
    assert "strategy: panes" in out
    assert out.count("source") == 1
    assert err.startswith("UnknownColumn: ")
    assert "  line 4: SELECT sped FROM traffic;\n                 ^^^^\n" in err
    assert err.endswith("all well\n")


def test_a_name_alone_asks_about_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = TRAFFIC.format(folder="/nowhere") + (
        "CREATE STREAM q AS SELECT max(speed) AS hi FROM traffic [TUMBLE 1 MINUTE];\n"
        "EXPLAIN q;\nCHECK `q`;\nEXPLAIN nothing;\nEXPLAIN 'q';\nEXPLAIN;"
    )
    assert shell("table", None, {}, given=io.StringIO(text)) == 2
    out, err = capsys.readouterr()
    assert "Derived q" in out
    assert "strategy: panes" in out
    assert err.startswith("all well\nUnknownStream: there is no stream or table 'nothing'\n")
    assert err.count("SyntaxMistake: expected a SELECT") == 2


@pytest.mark.parametrize(
    "arguments", [["run"], ["run", "x.sql", "--once", "--drain"], ["run", "x.sql", "--conf", "a"], ["run", "no-such-file.sql"]]
)
def test_bad_arguments_have_exit_code_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, arguments).exit_code == 2
