"""The options that Spark's file sink takes, format by format."""

from __future__ import annotations

from collections.abc import Iterable

from transom.errors import BadOption
from transom.plan.sources.known_options import nearest_option

TIMES = ("dateFormat", "timestampFormat", "timestampNTZFormat", "timeZone", "locale")
ANY = ("compression", "path")
JSON = (*ANY, *TIMES, "encoding", "lineSep", "ignoreNullFields", "writeNonAsciiCharacterAsCodePoint")
CSV = (
    *(*ANY, *TIMES, "sep", "delimiter", "encoding", "quote", "quoteAll", "escape", "escapeQuotes", "header", "nullValue"),
    *("emptyValue", "charToEscapeQuoteEscaping", "ignoreLeadingWhiteSpace", "ignoreTrailingWhiteSpace", "lineSep"),
)
PARQUET = (*ANY, "parquet.compression")
PARQUET_WRITER = "parquet."
"""Options that begin so go to Parquet's writer, which knows them better."""

WRITTEN = {"json": JSON, "jsonl": JSON, "csv": CSV, "parquet": PARQUET}


def check_written(form: str, given: Iterable[str]) -> None:
    """Refuse options that files of a format are not written with."""
    exists = WRITTEN[form]
    lower = {name.lower() for name in exists}
    for name in given:
        if name.lower() in lower or (form == "parquet" and name.lower().startswith(PARQUET_WRITER)):
            continue
        raise BadOption(
            f"files of format {form} are written without an option {name!r}",
            given=name,
            exists=sorted(exists),
            remedy=nearest_option(name, exists),
        )
