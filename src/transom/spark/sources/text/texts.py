"""Records of text, as Spark is to parse them: what each says, or why it cannot be parsed, and the line it begins in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from transom.plan.sources.read_options import ReadOptions
from transom.spark.sources.text.record_lines import Readable, RecordLines, blocks
from transom.spark.sources.text.selection import Selection, titles_of

SPACE = 0x20
_OBJECT_BEHIND_ANOTHER = r"\}\s*\{"


@dataclass(frozen=True)
class Records:
    """Texts, the reasons of those that are malformed whatever Spark says of them (NULL: none), and line numbers."""

    texts: pa.Array
    reasons: pa.Array
    numbers: npt.NDArray[np.int64]


def records_of(stream: Readable, columns: list[str], options: ReadOptions, before: int = 0) -> Iterator[Records]:
    """The records of a stream of bytes, without empty lines, comments and header; `before` lines have come before it."""
    csv = options.format == "csv"
    quote = ord(options.quote) if csv and options.multi_line and options.quote else None
    escape = ord(options.escape) if options.escape and options.escape != options.quote else None
    selection: Selection | None = None
    headed = not (csv and options.header)
    for lines in blocks(stream, quote, escape, before):
        lines = lines.where(~_skipped(lines, options.comment if csv else None))
        if not headed and len(lines):
            headed = True
            selection = Selection.of(titles_of(lines.record(0), options), columns, options)
            lines = lines[1:]
        if len(lines):
            yield checked(lines, selection, csv)


def checked(lines: RecordLines, selection: Selection | None, csv: bool) -> Records:
    """Lines as texts: with the fields that are wanted, in UTF-8, one JSON value in each."""
    if selection is not None:
        texts, reasons = selection.pick(lines)
    else:
        texts, reasons = lines.strings(), pa.nulls(len(lines), pa.string())
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        texts, reasons = _decoded(texts, reasons)
    return Records(texts, reasons if csv else _single(texts, reasons), lines.numbers)


def _skipped(lines: RecordLines, comment: str | None) -> npt.NDArray[np.bool_]:
    """Lines of nothing but white space, and comments."""
    first = np.frombuffer(lines.text, dtype=np.uint8)[lines.starts]
    skipped: npt.NDArray[np.bool_] = first <= SPACE
    for index in np.flatnonzero(skipped):
        skipped[index] = not lines.record(int(index)).strip()
    return skipped if comment is None else skipped | (first == ord(comment))


def _decoded(texts: pa.Array, reasons: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Texts some of which are not UTF-8: those are malformed, and shown with escapes."""
    decoded, found = [], reasons.to_pylist()
    for index, raw in enumerate(texts.cast(pa.binary()).to_pylist()):
        try:
            decoded.append(raw.decode())
        except UnicodeDecodeError:
            decoded.append(raw.decode(errors="backslashreplace"))
            found[index] = "it is not UTF-8"
    return pa.array(decoded, pa.string()), pa.array(found, pa.string())


def _single(texts: pa.Array, reasons: pa.Array) -> pa.Array:
    """Spark parses the first JSON value of a text and says nothing of a second, which would be lost."""
    suspects = pc.indices_nonzero(pc.match_substring_regex(texts, _OBJECT_BEHIND_ANOTHER)).to_pylist()
    if not suspects:
        return reasons
    found = reasons.to_pylist()
    for index in suspects:
        text = texts[index].as_py().strip()
        try:
            _, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            continue  # Spark takes more than Python does, such as single quotes
        if end < len(text):
            found[index] = "it is more than one JSON value"
    return pa.array(found, pa.string())


def document(text: bytes) -> Records:
    """One JSON text, as `multiLine` says: an object, or an array of them, which are numbered."""
    try:
        values = list(_elements(text.decode("utf-8-sig"))) if text.strip() else []
    except (ValueError, RecursionError) as error:
        whole = text[:1000].decode(errors="backslashreplace")
        return Records(pa.array([whole]), pa.array([f"it is no JSON: {error}"]), np.ones(1, np.int64))
    return Records(
        pa.array(values, pa.string()), pa.nulls(len(values), pa.string()), np.arange(1, len(values) + 1, dtype=np.int64)
    )


_TEXT_OF_NUMBERS = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_BLANK = re.compile(r"[ \t\r\n]*")


def _elements(text: str) -> Iterator[str]:
    """The texts of the elements, as they are written."""

    def beyond_blanks(place: int) -> int:
        return _BLANK.match(text, place).end()  # type: ignore[union-attr]

    place = beyond_blanks(0)
    many = text.startswith("[", place)
    place = beyond_blanks(place + many)
    while not (many and text.startswith("]", place)):
        _, end = _TEXT_OF_NUMBERS.raw_decode(text, place)
        yield text[place:end]
        place = beyond_blanks(end)
        if not many:
            break
        if text.startswith(",", place):
            place = beyond_blanks(place + 1)
            if text.startswith("]", place):
                raise ValueError(f"nothing stands behind a comma: character {place}")
        elif not text.startswith("]", place):
            raise ValueError(f"a comma is missing: character {place}")
    if beyond_blanks(place + many) != len(text):
        raise ValueError(f"something follows: character {place + many}")
