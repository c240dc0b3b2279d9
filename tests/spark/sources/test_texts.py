"""Records of text, cut for Spark to parse: which there are, what each says, and which cannot be parsed at all."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom.plan.sources.read_options import ReadOptions
from transom.spark.sources.text.texts import document, records_of

Found = list[tuple[int, str, str | None]]


def found(text: bytes, columns: list[str] | None = None, **options: Any) -> Found:
    records = records_of(io.BytesIO(text), columns or [], ReadOptions(**options))
    return [row for one in records for row in zip(one.numbers, one.texts.to_pylist(), one.reasons.to_pylist(), strict=True)]


def test_lines_of_white_space_and_comments_are_no_records() -> None:
    assert found(b"a\n \n#b\n\t\r\n c\r\n", comment="#") == [(1, "a", None), (5, " c", None)]


def test_a_byte_order_mark_is_no_part_of_a_header_or_a_record() -> None:
    assert found(b"\xef\xbb\xbfa,b\n1,2\n", ["a", "b"], header=True) == [(2, "1,2", None)]
    assert found(b"\xef\xbb\xbf1,2\n") == [(1, "1,2", None)]


def test_what_is_not_utf_8_is_shown_with_escapes() -> None:
    assert found(b"a\n\xff\nb\n") == [(1, "a", None), (2, "\\xff", "it is not UTF-8"), (3, "b", None)]


def test_fields_are_chosen_by_the_header_as_they_are_written() -> None:
    text = b'x,B,a\n1,"2,""2",3\n1,2\n4,"5\\",5",6,7\n\n1,,""\n'
    assert found(text, ["a", "b", "c"], header=True) == [
        (2, '3,"2,""2",', None),
        (3, "1,2", "fields: 3 in the header, 2 in this record"),
        (4, '4,"5\\",5",6,7', "fields: 3 in the header, 4 in this record"),
        (6, '"",,', None),
    ]
    assert found(b"a;b\n1;2\n", ["b", "a", "c"], header=True, separator=";", null="NA") == [(2, "2;1;NA", None)]
    assert found(b"b,c\n,\n2,\n", ["b", "__pad"], header=True) == [(2, ",", None), (3, "2,", None)]


FIELD = st.text('ab\\",\n;', max_size=3)


@given(st.lists(st.lists(FIELD, min_size=4, max_size=4), max_size=9), st.permutations([0, 1, 2, 3]), st.integers(1, 4))
def test_any_choice_of_fields_is_that_of_the_fields(rows: list[list[str]], order: list[int], count: int) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([["f0", "f1", "f2", "f3"], *rows])
    chosen = [f"F{place}" for place in order[:count]]
    options: dict[str, Any] = {"header": True, "multi_line": True, "escape": '"'}
    picked = found(out.getvalue().encode(), chosen, **options)
    assert [reason for *_, reason in picked] == [None] * len(rows)
    read = [next(csv.reader(io.StringIO(text, newline=""))) for _, text, _ in picked]
    assert read == [[row[place] for place in order[:count]] for row in rows]


def test_a_second_json_value_in_a_line_is_not_lost() -> None:
    text = b'{"a": {"b": 1}}\n{"a": 1} {"a": 2}\n{"a": "} {"}\n'
    assert [reason for *_, reason in found(text, format="json")] == [None, "it is more than one JSON value", None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'[{"a": 1.50}, {"a": 2}]', ['{"a": 1.50}', '{"a": 2}']),
        (b' \n{"a": [1,\n2]} \n', ['{"a": [1,\n2]}']),
        (b"[]", []),
        (b"\xef\xbb\xbf [ 1 , null ]", ["1", "null"]),
        (b"", []),
    ],
)
def test_a_document_has_elements_as_they_are_written(text: bytes, expected: list[str]) -> None:
    records = document(text)
    assert records.texts.to_pylist() == expected
    assert records.numbers.tolist() == list(range(1, len(expected) + 1))


@pytest.mark.parametrize("text", [b"[1, 2", b"[1 2]", b"[1] 2", b"{} {}", b"[1,]", b"{", b"\xff"])
def test_a_broken_document_is_one_malformed_record(text: bytes) -> None:
    (reason,) = document(text).reasons.to_pylist()
    assert reason.startswith("it is no JSON: ")
