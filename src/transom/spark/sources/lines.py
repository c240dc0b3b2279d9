"""A block of text, cut into the records that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

BLOCK_BYTES = 4 << 20
NEWLINE, RETURN = 0x0A, 0x0D
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Integers = npt.NDArray[np.int64]


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class Lines:
    """Records from `starts` to `ends` of a text, none of them empty, and the number of the line that each begins in."""

    text: bytes
    starts: Integers
    ends: Integers
    numbers: Integers

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, which: slice) -> Lines:
        return Lines(self.text, self.starts[which], self.ends[which], self.numbers[which])

    @property
    def stretch(self) -> memoryview:
        """From the first record to the last; there may be empty lines in it."""
        return memoryview(self.text)[int(self.starts[0]) : int(self.ends[-1])] if len(self) else memoryview(b"")

    def record(self, index: int) -> bytes:
        return self.text[int(self.starts[index]) : int(self.ends[index])].rstrip(b"\r\n")

    def records(self) -> Iterator[tuple[int, bytes]]:
        for index in range(len(self)):
            yield int(self.numbers[index]), self.record(index)


def cut(text: bytes, first: int, quote: int | None = None, escape: int | None = None) -> Lines:
    """The records of a text whose first line has the number `first`.

    A newline ends a record; with `quote`, only if it is not inside of quotes.
    """
    bytes_ = np.frombuffer(text, dtype=np.uint8)
    newlines = np.flatnonzero(bytes_ == NEWLINE).astype(np.int64)
    ends = newlines + 1
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]]) if len(ends) else ends
    numbers = np.arange(first, first + len(ends), dtype=np.int64)
    if quote is not None and len(ends):
        closed = _outside_quotes(bytes_, newlines, quote, escape)
        begins = np.concatenate([[True], closed[:-1]])
        ends, starts, numbers = ends[closed], starts[begins], numbers[begins]
        starts, numbers = starts[: len(ends)], numbers[: len(ends)]
    full = (ends - starts > 2) | ((ends - starts == 2) & (bytes_[starts] != RETURN))
    if not full.all():
        starts, ends, numbers = starts[full], ends[full], numbers[full]
    return Lines(text, starts, ends, numbers)


def _outside_quotes(bytes_: npt.NDArray[np.uint8], newlines: Integers, quote: int, escape: int | None) -> npt.NDArray[np.bool_]:
    marks = bytes_ == quote
    if escape is not None:
        marks[1:] &= bytes_[:-1] != escape
    counts: Integers = np.cumsum(marks, dtype=np.int64)[newlines]
    even: npt.NDArray[np.bool_] = counts % 2 == 0
    return even


def blocks(
    stream: Readable, quote: int | None = None, escape: int | None = None, before: int = 0, size: int = BLOCK_BYTES
) -> Iterator[Lines]:
    """A stream, in blocks of whole records."""
    rest, first, want = b"", before + 1, size
    while data := stream.read(want):
        if not rest and first == 1:
            data = data.removeprefix(BYTE_ORDER_MARK)
        text = rest + data
        lines = cut(text, first, quote, escape)
        end = int(lines.ends[-1]) if len(lines) else 0
        if end:
            yield lines
        first += text.count(b"\n", 0, end)
        rest = text[end:]
        want = size if end else 2 * want
    if rest.strip(b"\r\n"):
        yield from _last(rest if rest.endswith(b"\n") else rest + b"\n", first, quote, escape)


def _last(text: bytes, first: int, quote: int | None, escape: int | None) -> Iterator[Lines]:
    """What has no newline behind it, or a quote that is never closed: then it is one record to the end."""
    lines = cut(text, first, quote, escape)
    if len(lines):
        yield lines
    end = int(lines.ends[-1]) if len(lines) else 0
    if text[end:].strip(b"\r\n"):
        yield Lines(text, np.array([end]), np.array([len(text)]), np.array([first + text.count(b"\n", 0, end)]))
