"""Fields of csv records chosen by the names of a header, and put into the order of a stream's columns.

Spark's `from_csv` goes by position, and files may differ. The bytes of a field are kept as they are, quotes included.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from transom.plan.sources.read_options import ReadOptions
from transom.spark.sources.text.record_lines import Integers, RecordLines, outside_quotes, strings


def titles_of(record: bytes, options: ReadOptions) -> list[str]:
    """The fields of a header."""
    reader = csv.reader(
        [record.decode(errors="backslashreplace")],
        delimiter=options.separator,
        quotechar=options.quote,
        quoting=csv.QUOTE_MINIMAL if options.quote else csv.QUOTE_NONE,
        escapechar=None if options.escape == options.quote else options.escape,
    )
    return next(reader)


@dataclass(frozen=True)
class Selection:
    """Which of the fields of a record are wanted, in this order; None is a field that the file does not have."""

    places: tuple[int | None, ...]
    width: int
    options: ReadOptions

    @staticmethod
    def of(titles: list[str], columns: list[str], options: ReadOptions) -> Selection | None:
        """What makes the columns of the titles; None if the fields are the columns already."""
        places = [place_of(name, titles) for name in columns]
        if places == list(range(len(titles))):
            return None
        return Selection(tuple(places), len(titles), options)

    def pick(self, lines: RecordLines) -> tuple[pa.Array, pa.Array]:
        """The records with these fields alone, and why some cannot be: they have more or fewer fields than the header."""
        bytes_ = np.frombuffer(lines.text, dtype=np.uint8)
        ends = lines.content_ends()
        places = self._separators(bytes_, lines, ends)
        rows = np.searchsorted(lines.starts, places, side="right") - 1
        counts = np.bincount(rows, minlength=len(lines))
        good = counts == self.width - 1
        inner = places[good[rows]].reshape(int(good.sum()), self.width - 1)
        starts = np.column_stack([lines.starts[good], inner + 1])
        stops = np.column_stack([inner, ends[good]])
        picked = self._joined(bytes_, starts, stops)
        if good.all():
            return picked, pa.nulls(len(lines), pa.string())
        bad = np.flatnonzero(~good)
        raw = pa.array([lines.record(int(index)) for index in bad], pa.binary())
        order = np.argsort(np.concatenate([np.flatnonzero(good), bad]))
        reasons = [f"fields: {self.width} in the header, {counts[index] + 1} in this record" for index in bad]
        nothing = pa.nulls(int(good.sum()), pa.string())
        texts = pa.concat_arrays([picked.cast(pa.binary()), raw]).take(pa.array(order))
        return unchecked(texts), pa.concat_arrays([nothing, pa.array(reasons, pa.string())]).take(pa.array(order))

    def _separators(self, bytes_: np.ndarray, lines: RecordLines, ends: Integers) -> Integers:
        """Where a separator stands in a record, outside of quotes."""
        places: Integers = np.flatnonzero(bytes_ == ord(self.options.separator)).astype(np.int64)
        rows = np.searchsorted(lines.starts, places, side="right") - 1
        within = (rows >= 0) & (places < ends[rows])
        places, rows = places[within], rows[within]
        if self.options.quote and self.options.quote.encode() in lines.text:
            escape = self.options.escape if self.options.escape != self.options.quote else None
            quote = ord(self.options.quote)
            places = places[outside_quotes(bytes_, places, quote, None if escape is None else ord(escape), lines.starts[rows])]
        return places

    def _joined(self, bytes_: np.ndarray, starts: Integers, stops: Integers) -> pa.Array:
        """The wanted fields of each record with separators between, gathered from the bytes and what stands for no field."""
        separator, null = self.options.separator.encode(), self.options.null.encode()
        pool = np.concatenate([bytes_, np.frombuffer(separator + null, dtype=np.uint8)])
        rows, between = len(starts), len(bytes_)
        begins = np.empty((rows, 2 * len(self.places) - 1), np.int64)
        lengths = np.empty_like(begins)
        begins[:, 1::2], lengths[:, 1::2] = between, 1
        for at, place in enumerate(self.places):
            begins[:, 2 * at] = between + 1 if place is None else starts[:, place]
            lengths[:, 2 * at] = len(null) if place is None else stops[:, place] - starts[:, place]
        flat = lengths.ravel()
        ahead = np.cumsum(flat) - flat
        which = np.repeat(begins.ravel() - ahead, flat) + np.arange(int(flat.sum()))
        offsets = np.concatenate([[0], np.cumsum(lengths.sum(axis=1))])
        return strings(pool[which].tobytes(), offsets)


def unchecked(texts: pa.Array) -> pa.Array:
    """Bytes as texts, whether they are UTF-8 or not."""
    return pa.Array.from_buffers(pa.string(), len(texts), texts.buffers(), offset=texts.offset)


def place_of(name: str, titles: list[str]) -> int | None:
    """Where a column stands in a header: under its name, or under its name in another case."""
    if name in titles:
        return titles.index(name)
    return next((place for place, title in enumerate(titles) if title.strip().lower() == name.lower()), None)
