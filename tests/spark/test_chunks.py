"""Bucket takes many batches at a time, but no more rows or bytes than one slice should have."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from transom.spark.workers import operate


def batches(count: int, rows: int, text: str) -> Iterator[pa.RecordBatch]:
    for n in range(count):
        yield pa.RecordBatch.from_pydict({"n": list(range(n * rows, (n + 1) * rows)), "text": [text] * rows})


@pytest.mark.parametrize(
    ("rows", "size", "text", "expected"),
    [(1 << 20, 64 << 20, "x", [1000]), (250, 64 << 20, "x", [300, 300, 300, 100]), (1 << 20, 100_000, "x" * 800, [200] * 5)],
    ids=["all at once", "by rows", "by bytes"],
)
def test_chunks_end_by_rows_or_by_bytes(
    rows: int, size: int, text: str, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operate, "CHUNK", rows)
    monkeypatch.setattr(operate, "BYTES", size)
    found = list(operate.chunks(batches(10, 100, text)))
    assert [table.num_rows for table in found] == expected
    assert [n for table in found for n in table["n"].to_pylist()] == list(range(1000))
