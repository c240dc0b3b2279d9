"""The options that each source and each format takes, Spark's and ours."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from transom.errors import BadOption, nearest

POLICY = ("malformed", "mode")
TIMES = ("timestampFormat", "timestampNTZFormat", "dateFormat", "timeZone", "locale", "enableDateTimeParsingFallback")

CSV = (
    *("sep", "delimiter", "quote", "escape", "charToEscapeQuoteEscaping", "unescapedQuoteHandling", "comment", "multiLine"),
    *("nullValue", "emptyValue", "nanValue", "positiveInf", "negativeInf", "ignoreLeadingWhiteSpace"),
    *("ignoreTrailingWhiteSpace", "maxColumns", "maxCharsPerColumn", *TIMES),
)
"""What `from_csv` takes."""

JSON = (
    *("multiLine", "primitivesAsString", "allowComments", "allowUnquotedFieldNames", "allowSingleQuotes"),
    *("allowNumericLeadingZeros", "allowBackslashEscapingAnyCharacter", "allowUnquotedControlChars"),
    *("allowNonNumericNumbers", "maxNestingDepth", "maxNumLen", "maxStringLen", *TIMES),
)
"""What `from_json` takes."""

FILES = ("format", "pathGlobFilter", "maxFilesPerTrigger", "maxBytesPerTrigger", "parallelism", "rejects", *POLICY)
WITHOUT_EFFECT = (
    *("inferSchema", "enforceSchema", "recursiveFileLookup", "samplingRatio", "mergeSchema", "maxFileAge", "fileNameOnly"),
    "latestFirst",
)
"""Options of Spark's file source that change nothing here: columns are declared, folders are read with all below them."""

FORMATS = {
    "csv": ("header", "encoding", "charset", *CSV),
    "json": ("encoding", "charset", *JSON),
    "jsonl": ("encoding", "charset", *JSON),
    "parquet": ("timeZone",),
}
"""The formats of files, and what else each of them takes."""

KAFKA = (
    *("startingOffsets", "startingOffsetsByTimestamp", "startingTimestamp", "startingOffsetsByTimestampStrategy"),
    *("endingOffsets", "endingOffsetsByTimestamp", "endingTimestamp", "failOnDataLoss", "kafkaConsumer.pollTimeoutMs"),
    *("fetchOffset.numRetries", "fetchOffset.retryIntervalMs", "maxOffsetsPerTrigger", "minOffsetsPerTrigger"),
    *("maxTriggerDelay", "minPartitions", "maxRecordsPerPartition", "groupIdPrefix", "includeHeaders"),
    *("kafka.bootstrap.servers", "kafka.group.id", "kafka.security.protocol", "kafka.sasl.mechanism", "kafka.sasl.jaas.config"),
)
KAFKA_CLIENT = "kafka."
"""Spark hands options that begin so to Kafka's consumer, which knows them better."""

RATE = ("rowsPerSecond", "rampUpTime", "numPartitions")

TABLE = (
    *("maxFilesPerTrigger", "maxBytesPerTrigger", "startingVersion", "startingTimestamp", "ignoreDeletes", "ignoreChanges"),
    *("skipChangeCommits", "readChangeFeed", "failOnDataLoss", "withEventTimeOrder", "schemaTrackingLocation"),
    *("pathGlobFilter", "recursiveFileLookup", "mergeSchema", "latestFirst", "maxFileAge", "fileNameOnly", "cleanSource"),
)


def options_of(kind: str, form: str | None) -> tuple[str, ...]:
    """The options that a source of this kind and format takes.

    >>> "header" in options_of("FILE", "csv"), "header" in options_of("FILE", "parquet")
    (True, False)
    """
    parsing = {"csv": CSV, "json": JSON, "jsonl": JSON}.get((form or "").lower(), ())
    known: dict[str, tuple[str, ...]] = {
        "FILE": (*FILES, *FORMATS.get((form or "").lower(), ())),
        "KAFKA": (*KAFKA, "format", *POLICY, *parsing),
        "SOCKET": ("format", *POLICY, *parsing),
        "RATE": RATE,
        "TABLE": TABLE,
    }
    return known[kind]


def check_names(kind: str, form: str | None, given: Iterable[str]) -> None:
    """Refuse options that the source does not have.

    The source behind a table is not known before Spark starts and may have options of its own, so of TABLE only a name that
    is nearly one of Spark's is refused.
    """
    exists = options_of(kind, form)
    also = WITHOUT_EFFECT if kind == "FILE" else ()
    lower = {name.lower() for name in (*exists, *also)}
    for name in given:
        if name.lower() in lower or (kind == "KAFKA" and name.lower().startswith(KAFKA_CLIENT)):
            continue
        if kind == "TABLE" and not difflib.get_close_matches(name, TABLE, cutoff=0.8):
            continue
        raise BadOption(_problem(kind, form, name), given=name, exists=sorted(exists), remedy=_remedy(kind, name, exists))


def _problem(kind: str, form: str | None, name: str) -> str:
    others = [other for other, names in FORMATS.items() if name.lower() in {one.lower() for one in names}]
    if kind == "FILE" and others:
        return f"{name!r} is an option of FORMAT {' and '.join(others)}, not of {form}"
    return f"{kind} has no option {name!r}"


def _remedy(kind: str, name: str, exists: Iterable[str]) -> str:
    """The nearest name; a name of Kafka's without its prefix, or with underscores, is near enough."""
    if kind == "KAFKA":
        plain = name.lower().replace("_", ".").removeprefix(KAFKA_CLIENT)
        for one in exists:
            if one.lower().removeprefix(KAFKA_CLIENT) in (plain, plain.replace(".", "")):
                return f"did you mean {one!r}?"
    return nearest_option(name, exists)


def nearest_option(name: str, exists: Iterable[str]) -> str:
    """The option that was meant, in whatever case it was written."""
    lower = {one.lower(): one for one in exists}
    close = difflib.get_close_matches(name.lower(), lower, n=1)
    return f"did you mean {lower[close[0]]!r}?" if close else nearest(name, exists)
