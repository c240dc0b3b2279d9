"""A block of text, cut into the records that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

BLOCK_BYTES = 4 << 20
NEWLINE, RETURN = 0x0A, 0x0D
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Integers = npt.NDArray[np.int64]


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class RecordLines:
    """Records from `starts` to `ends` of a text, none of them empty, and the number of the line that each begins in."""

    text: bytes
    starts: Integers
    ends: Integers
    numbers: Integers

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, which: slice) -> RecordLines:
        return RecordLines(self.text, self.starts[which], self.ends[which], self.numbers[which])

    def where(self, kept: npt.NDArray[np.bool_]) -> RecordLines:
        return self if kept.all() else RecordLines(self.text, self.starts[kept], self.ends[kept], self.numbers[kept])

    def content_ends(self) -> Integers:
        """Where each record ends without its newline."""
        bytes_ = np.frombuffer(self.text, dtype=np.uint8)
        ends = self.ends - (bytes_[self.ends - 1] == NEWLINE)
        content: Integers = ends - (bytes_[ends - 1] == RETURN)
        return content

    def strings(self) -> pa.Array:
        """The records without their newlines, whether they are UTF-8 or not."""
        if len(self) and (self.starts[1:] == self.ends[:-1]).all():  # nothing left out between: no need to copy
            whole = strings(self.text, np.append(self.starts, self.ends[-1]))
            return pc.ascii_rtrim(whole, characters="\r\n")
        taken = [self.record(index) for index in range(len(self))]
        return strings(b"".join(taken), np.cumsum([0, *map(len, taken)]))

    def record(self, index: int) -> bytes:
        return self.text[int(self.starts[index]) : int(self.ends[index])].rstrip(b"\r\n")

    def records(self) -> Iterator[tuple[int, bytes]]:
        for index in range(len(self)):
            yield int(self.numbers[index]), self.record(index)


def cut(text: bytes, first: int, quote: int | None = None, escape: int | None = None) -> RecordLines:
    """The records of a text whose first line has the number `first`.

    A newline ends a record; with `quote`, only if it is not inside of quotes.
    """
    bytes_ = np.frombuffer(text, dtype=np.uint8)
    newlines = np.flatnonzero(bytes_ == NEWLINE).astype(np.int64)
    ends = newlines + 1
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]]) if len(ends) else ends
    numbers = np.arange(first, first + len(ends), dtype=np.int64)
    if quote is not None and len(ends):
        closed = outside_quotes(bytes_, newlines, quote, escape)
        begins = np.concatenate([[True], closed[:-1]])
        ends, starts, numbers = ends[closed], starts[begins], numbers[begins]
        starts, numbers = starts[: len(ends)], numbers[: len(ends)]
    full = (ends - starts > 2) | ((ends - starts == 2) & (bytes_[starts] != RETURN))
    if not full.all():
        starts, ends, numbers = starts[full], ends[full], numbers[full]
    return RecordLines(text, starts, ends, numbers)


def outside_quotes(
    bytes_: npt.NDArray[np.uint8], places: Integers, quote: int, escape: int | None, since: Integers | int = 0
) -> npt.NDArray[np.bool_]:
    """Whether an even number of quotes stands between `since` and each place."""
    marks = bytes_ == quote
    if escape is not None:
        marks[1:] &= bytes_[:-1] != escape
    before: Integers = np.concatenate([[0], np.cumsum(marks, dtype=np.int64)])
    even: npt.NDArray[np.bool_] = (before[places] - before[since]) % 2 == 0
    return even


def strings(text: bytes, offsets: Integers) -> pa.Array:
    """The stretches of a text between offsets."""
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(text))


def blocks(
    stream: Readable, quote: int | None = None, escape: int | None = None, before: int = 0, size: int = BLOCK_BYTES
) -> Iterator[RecordLines]:
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


def _last(text: bytes, first: int, quote: int | None, escape: int | None) -> Iterator[RecordLines]:
    """What has no newline behind it, or a quote that is never closed: then it is one record to the end."""
    lines = cut(text, first, quote, escape)
    if len(lines):
        yield lines
    end = int(lines.ends[-1]) if len(lines) else 0
    if text[end:].strip(b"\r\n"):
        yield RecordLines(text, np.array([end]), np.array([len(text)]), np.array([first + text.count(b"\n", 0, end)]))
