"""Date patterns as Spark's options write them (`yyyy-MM-dd HH:mm:ss.SSS`), for strptime."""

from __future__ import annotations

import re
from functools import lru_cache

from transom.errors import BadOption

_LETTERS = {
    **{"yyyy": "%Y", "uuuu": "%Y", "yy": "%y", "MM": "%m", "M": "%m", "MMM": "%b", "MMMM": "%B", "dd": "%d", "d": "%d"},
    **{"HH": "%H", "H": "%H", "hh": "%I", "h": "%I", "a": "%p", "mm": "%M", "m": "%M", "ss": "%S", "s": "%S"},
    **{"XXX": "%z", "XX": "%z", "X": "%z", "xxx": "%z", "xx": "%z", "Z": "%z", "EEE": "%a", "E": "%a", "EEEE": "%A"},
    **dict.fromkeys(("S", "SS", "SSS", "SSSS", "SSSSS", "SSSSSS"), "%f"),
}
_TOKEN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[\[\]]|.", re.DOTALL)


@lru_cache
def strptime_format(pattern: str) -> str:
    """The pattern in strptime's letters.

    >>> strptime_format("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
    '%Y-%m-%dT%H:%M:%S.%f%z'
    """
    written = []
    for token in _TOKEN.finditer(pattern):
        text = token.group()
        if token[1] is not None:
            written.append(token[1].replace("''", "'").replace("%", "%%") or "'")
        elif text.isalpha():
            if text not in _LETTERS:
                raise _unreadable(pattern, text)
            written.append(_LETTERS[text])
        elif text in "[]":
            raise _unreadable(pattern, text)
        else:
            written.append(text.replace("%", "%%"))
    return "".join(written)


def _unreadable(pattern: str, part: str) -> BadOption:
    return BadOption(
        f"a pattern with {part!r} is not supported here",
        given=pattern,
        exists=sorted(_LETTERS),
        remedy="leave the format out where the data are ISO 8601, or declare a STRING and convert it in a query",
    )
