"""Blocks of records: cut anywhere, they are the same records."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from transom.spark.sources.text.record_lines import blocks


def records(text: bytes, quote: int | None, size: int) -> list[tuple[int, bytes]]:
    return [record for lines in blocks(io.BytesIO(text), quote, size=size) for record in lines.records()]


@given(st.lists(st.sampled_from([b"", b"a", b"bc,d", b"\r", b"e\r"])), st.booleans(), st.integers(1, 9))
def test_lines_and_their_numbers(lines: list[bytes], ended: bool, size: int) -> None:
    text = b"\n".join(lines) + (b"\n" if ended else b"")
    expected = [(n, line.rstrip(b"\r")) for n, line in enumerate(text.split(b"\n"), start=1) if line not in (b"", b"\r")]
    assert records(text, None, size) == expected


@given(st.lists(st.text('ab\n",', max_size=4), min_size=1), st.integers(1, 9))
def test_newlines_inside_of_quotes_are_part_of_a_record(values: list[str], size: int) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([value] for value in values)
    found = records(out.getvalue().encode(), ord('"'), size)
    assert [next(csv.reader(io.StringIO(record.decode(), newline="")))[0] for _, record in found] == values
