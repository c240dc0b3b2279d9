"""The command line: what goes where, and with which exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STREAM = "CREATE STREAM s (x DOUBLE, ts TIMESTAMP) ORDER BY ts;\n"


def transom(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "transom", *arguments], capture_output=True, text=True, check=False)


def write(folder: Path, sql: str) -> str:
    path = folder / "q.sql"
    path.write_text(sql, encoding="utf-8")
    return str(path)


def test_check_says_all_is_well_on_stderr(tmp_path: Path) -> None:
    done = transom("check", write(tmp_path, STREAM + "SELECT max(x) AS hi FROM s [TUMBLE 5 MINUTES];"))
    assert (done.returncode, done.stdout) == (0, "")
    assert "2 statements, 1 query:" in done.stderr


def test_explain_prints_lines_a_program_can_find(tmp_path: Path) -> None:
    done = transom("explain", write(tmp_path, STREAM + "SELECT max(x) AS hi FROM s [RANGE 5 MINUTES SLIDE 1 MINUTE];"))
    assert done.returncode == 0
    assert done.stderr == ""
    first_words = {line.split(":")[0] for line in done.stdout.splitlines()}
    assert {"plan", "class", "monotonicity", "punctuation", "strategy", "state per key"} <= first_words


@pytest.mark.parametrize("command", ["check", "explain"])
@pytest.mark.parametrize(
    ("sql", "name"),
    [
        (STREAM + "SELECT max(y) AS hi FROM s [TUMBLE 5 MINUTES];", "UnknownColumn"),
        (STREAM + "SELECT max(x AS hi FROM s [TUMBLE 5 MINUTES];", "SyntaxMistake"),
        (STREAM + "SELECT x FROM s [TUMBLE 0 MINUTES];", "NotPositive"),
    ],
)
def test_a_bad_query_is_told_on_stderr_with_exit_code_2(tmp_path: Path, command: str, sql: str, name: str) -> None:
    done = transom(command, write(tmp_path, sql))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{name}: ")
    assert "^" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_script_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    sql = "\ufeff" + STREAM + "SELECT max(x) AS hi FROM s [TUMBLE 5 MINUTES];"
    for command in ("check", "explain"):
        assert transom(command, write(tmp_path, sql)).returncode == 0


def test_a_file_that_is_not_there_has_exit_code_2(tmp_path: Path) -> None:
    done = transom("check", str(tmp_path / "missing.sql"))
    assert done.returncode == 2
    assert done.stderr.startswith("BadQuery: ")


def test_bad_arguments_have_exit_code_2() -> None:
    assert transom("chekc", "x.sql").returncode == 2
