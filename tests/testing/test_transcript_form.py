"""Transcripts that make no sense are refused with what is wrong, and the form is documented."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from transom import TransomError, errors
from transom.semantics import Bracket
from transom.testing import load_transcript, parse_transcript, replay
from transom.testing.transcript import _COUNTS, _KEYS, STEPS
from transom.testing.transcript_clauses import _FRAME, _QUERY, _STREAM

GOOD = """
stream:
  columns: {a: bigint}
  order_by: a
  punctuation: [a]
query:
  window: {tumble: 10}
  select: {n: count(*)}
steps:
  - tuples: [[1], [2]]
  - end
  - expect: [[2]]
"""

BROKEN = [
    ("BadTranscript", "stream:\n", "streams:\n"),
    ("BadTranscript", "steps:\n", "stpes:\n"),
    ("BadTranscript", "  - end\n", "  - ende\n"),
    ("BadTranscript", "  - end\n", "  - wait: 1 second\n    end:\n"),
    ("BadTranscript", "  order_by: a\n", "  order_by: a\n  order_by: a\n"),
    ("BadTranscript", "  - end\n", "  - expct: []\n"),
    ("BadTranscript", "[[1], [2]]", "[[1, 2]]"),
    ("BadTranscript", "[[1], [2]]", "1"),
    ("BadTranscript", "- expect: [[2]]", "- end"),
    ("BadTranscript", "- expect: [[2]]", "- expect: [[2, 3]]"),
    ("BadTranscript", "  - end\n", "  - punctuation: [1, 2]\n"),
    ("BadTranscript", "{a: bigint}", "[a]"),
    ("BadTranscript", "{tumble: 10}", "tumble 10"),
    ("BadTranscript", "{tumble: 10}", "{tumble: 10}\n  late: sometimes"),
    ("BadTranscript", "{n: count(*)}", "[n]"),
    ("BadTranscript", "{n: count(*)}", "{n: {over: count(*)}}"),
    ("BadTranscript", "{n: count(*)}", "{n: {over: count(*), unbounded: yes}}"),
    ("BadTranscript", "punctuation: [a]", "ordered: true\n  slack: 5"),
    ("BadTranscript", "{a: bigint}", "{a: bigint"),
    ("BadTranscript", "  punctuation: [a]\n", "  punctuation: [a]\ncounts: {lost: 1}\n"),
    ("UnknownClause", "{tumble: 10}", "{tumbel: 10}"),
    ("UnknownType", "bigint", "bigit"),
    ("UnknownColumn", "order_by: a", "order_by: b"),
    ("BadDuration", "{tumble: 10}", "{tumble: ten}"),
    ("NotPositive", "{tumble: 10}", "{tumble: -10}"),
    ("MissingClause", "{tumble: 10}", "{range: CASE WHEN window_end > 5 THEN 5 ELSE 10 END, slide: 5}"),
    ("WrongUnit", "{tumble: 10}", "{tumble: 10 minutes}"),
    ("BadTuple", "[[1], [2]]", "[[one], [2]]"),
]


def run(text: str) -> None:
    replay(parse_transcript(text))


def test_the_good_one_is_good() -> None:
    run(GOOD)


@pytest.mark.parametrize(("name", "part", "instead"), BROKEN, ids=[f"{n}-{case[0]}" for n, case in enumerate(BROKEN)])
def test_nonsense_is_refused_by_name_with_a_remedy(name: str, part: str, instead: str) -> None:
    assert part in GOOD
    with pytest.raises(getattr(errors, name)) as caught:
        run(GOOD.replace(part, instead))
    assert isinstance(caught.value, TransomError)
    assert caught.value.remedy


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.BadTranscript):
        load_transcript(tmp_path / "missing.yaml")


def test_an_error_names_its_step() -> None:
    with pytest.raises(errors.BadTranscript, match="step 1: "):
        run(GOOD.replace("[[1], [2]]", "[[1, 2]]"))


def test_empty_text_is_refused() -> None:
    with pytest.raises(errors.BadTranscript):
        parse_transcript("")


def test_every_key_of_a_transcript_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "transcripts.md").read_text(encoding="utf-8")
    clauses = [clause.name for clause in fields(Bracket) if clause.name != "order"]
    keys = {*_KEYS, *STEPS, *_STREAM, *_QUERY, *_FRAME, *_COUNTS, *clauses}
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []
