"""`transom report`: a page of a record, and what is no record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.quality.reports import report
from transom.cli import main
from transom.errors import BadOption
from transom.quality.record import Recorder, read_record


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["report", *arguments])


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    recorder = Recorder(str(path), anew=True)
    for n in range(3):
        recorder.report("FILE out", report(n, n))
    return path


def test_a_page_is_written_beside_the_record(record: Path) -> None:
    done = run(str(record))
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "FILE out: late 0.067 % of 1 % allowed, delay 2.5 s",
        f"written: {record.with_suffix('.html')}",
    ]
    assert "0.067 % of 3,000 tuples came late, 1 % is allowed." in record.with_suffix(".html").read_text(encoding="utf-8")


def test_a_page_is_written_where_it_is_asked_for(record: Path, tmp_path: Path) -> None:
    assert run(str(record), "-o", str(tmp_path / "page.html")).exit_code == 0
    done = run(str(record), "-o", "-")
    assert done.stdout == (tmp_path / "page.html").read_text(encoding="utf-8")


def test_reports_that_others_have_written_will_do(tmp_path: Path) -> None:
    path = tmp_path / "listened.jsonl"
    path.write_text(json.dumps({**report(0, 1), "name": "speeds"}) + "\n\n", encoding="utf-8")
    assert [quality.title for quality in read_record(str(path))] == ["speeds"]


def test_a_record_is_added_to_or_begun_anew(record: Path) -> None:
    Recorder(str(record), anew=False).report("query 2", report(3, 0))
    assert [len(quality.moments) for quality in read_record(str(record))] == [3, 1]
    Recorder(str(record), anew=True).report("query 2", report(3, 0))
    assert [len(quality.moments) for quality in read_record(str(record))] == [1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "the record cannot be read"),
        ("", "the record is empty"),
        ("\n\n", "the record is empty"),
        ("seg_id,speed\n", "a line is no progress report of Spark"),
        ('{"seg_id": "s1"}\n', "a line is no progress report of Spark"),
        ("[1]\n", "a line is no progress report of Spark"),
        ('{"batchId": 0, "observedMetrics": {}}\n', "the record has no line about windows"),
        ('{"batchId": 0, "observedMetrics": {"transom": {"shards": ["x"]}}}\n', "the record was not written by Transom"),
        ('{"batchId": 0, "observedMetrics": {"transom": 5}}\n', "the record was not written by Transom"),
    ],
)
def test_what_is_no_record_is_told(tmp_path: Path, text: str | None, problem: str) -> None:
    path = tmp_path / "run.jsonl"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = run(str(path))
    assert (done.exit_code, done.stdout) == (2, "")
    told = done.stderr.splitlines()
    assert told[0] == f"BadRecord: {problem}"
    assert str(path) in told[1]
    assert told[-1].startswith("  remedy: ")
    assert not path.with_suffix(".html").exists()


def test_a_page_or_a_record_that_cannot_be_written_is_told(record: Path, tmp_path: Path) -> None:
    done = run(str(record), "-o", str(tmp_path / "missing" / "page.html"))
    assert done.exit_code == 2
    assert done.stderr.startswith("BadOption: the page cannot be written")
    with pytest.raises(BadOption, match="the record cannot be written"):
        Recorder(str(tmp_path / "missing" / "run.jsonl"), anew=True)
