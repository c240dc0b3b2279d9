"""The project of `transom tutorial`: what it says works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.cli.scripts import written
from transom.cli import main
from transom.cli.run import Request, run
from transom.cli.tutorial import make_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make_project(tmp_path / "first")
    return tmp_path / "first"


def test_its_readme_names_every_file(project: Path) -> None:
    readme = (project / "README.md").read_text(encoding="utf-8")
    assert all(path.name in readme for path in project.iterdir() if path.name != "README.md")


def test_its_tests_pass(project: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert "3 passed" in done.stdout, done.stdout


def test_a_folder_that_holds_something_is_refused(project: Path) -> None:
    result = CliRunner().invoke(main, ["tutorial", str(project)])
    assert result.exit_code == 2
    assert result.output.startswith("BadOption: the folder is not empty")


@pytest.mark.spark
def test_its_query_runs_and_its_late_readings_are_kept(
    project: Path, spark: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    assert run(Request(Path("speeds.sql").read_text(encoding="utf-8"), mode="drain", spark=spark)) == 0
    assert re.search(r"in 150 rows, out (\d+), late \d+, dropped 0, outside 0", capsys.readouterr().err)
    speeds, missed = written(project / "out" / "speeds"), written(project / "out" / "missed")
    assert {row["seg_id"] for row in speeds} == {"s1", "s2", "s3"}
    assert missed
    assert all(row["ts"] < row["frontier"] for row in missed)


@pytest.mark.spark
@pytest.mark.long
def test_its_python_program_runs(project: Path) -> None:
    done = subprocess.run([sys.executable, "features.py"], cwd=project, capture_output=True, text=True, check=False)
    assert "AVG(speed) OVER (PARTITION BY seg_id RANGE 2 MINUTES PRECEDING) AS mean" in done.stdout, done.stderr
