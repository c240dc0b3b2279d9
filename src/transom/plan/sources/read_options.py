"""OPTIONS of a source, checked and with their defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from transom.errors import BadOption, nearest
from transom.spark.sources.zone import zone_of

FORMATS = ("csv", "json", "jsonl", "parquet")
POLICIES = ("fail", "drop", "reject")
MODES = {"failfast": "fail", "dropmalformed": "drop"}
COMPRESSIONS = (".gz", ".bz2", ".zst", ".lz4")

OURS = (
    *("path", "format", "header", "sep", "delimiter", "quote", "escape", "nullValue", "multiLine", "encoding", "charset"),
    *("timestampFormat", "timestampNTZFormat", "dateFormat", "timeZone", "maxFilesPerTrigger", "maxBytesPerTrigger"),
    *("malformed", "mode", "rejects", "pathGlobFilter", "parallelism", "host", "port"),
)
WITHOUT_EFFECT = (
    "inferSchema",
    "enforceSchema",
    "recursiveFileLookup",
    "samplingRatio",
    "maxFileAge",
    "fileNameOnly",
    "mergeSchema",
)


@dataclass(frozen=True)
class ReadOptions:
    """How records are read: what a file or a line means, and what becomes of those that mean nothing."""

    path: str = ""
    format: str = "csv"
    header: bool = False
    separator: str = ","
    quote: str | None = '"'
    escape: str | None = None
    null: str = ""
    multi_line: bool = False
    encoding: str = "utf-8"
    timestamp_format: str | None = None
    date_format: str | None = None
    zone: str = "UTC"
    max_files: int | None = None
    max_bytes: int | None = None
    malformed: str = "fail"
    rejects: str | None = None
    glob: str | None = None
    parallelism: int | None = None
    host: str = ""
    port: int = 0

    def __post_init__(self) -> None:
        zone_of(self.zone)
        if self.malformed == "reject" and not self.rejects:
            raise BadOption(
                "malformed 'reject' needs a folder to write to",
                given="malformed 'reject'",
                remedy="add OPTIONS (rejects 'folder'), or say malformed 'drop'",
            )


def read_options(given: Mapping[str, str]) -> ReadOptions:
    """The options as given, names in any case.

    >>> read_options({"path": "data/x.csv", "HEADER": "true", "mode": "DROPMALFORMED"}).malformed
    'drop'
    """
    options = {name.lower(): value for name, value in given.items()}
    known = [*OURS, *WITHOUT_EFFECT]
    for name in given:
        if name.lower() not in {one.lower() for one in known}:
            raise BadOption(f"a file source has no option {name!r}", given=name, exists=sorted(OURS), remedy=nearest(name, known))
    escape = _character(options, "escape")
    quote = _character(options, "quote") if "quote" in options else '"'
    return ReadOptions(
        path=options.get("path", ""),
        format=format_of(options.get("path"), options.get("format")),
        header=_flag(options, "header"),
        separator=_separator(options.get("sep", options.get("delimiter", ","))),
        quote=quote,
        escape=None if escape == quote else escape,
        null=options.get("nullvalue", ""),
        multi_line=_flag(options, "multiline"),
        encoding=options.get("encoding", options.get("charset", "utf-8")),
        timestamp_format=options.get("timestampformat"),
        date_format=options.get("dateformat"),
        zone=options.get("timezone", "UTC"),
        max_files=_count(options, "maxFilesPerTrigger"),
        max_bytes=_count(options, "maxBytesPerTrigger"),
        malformed=policy_of(options),
        rejects=options.get("rejects"),
        glob=options.get("pathglobfilter"),
        parallelism=_count(options, "parallelism"),
        host=options.get("host", ""),
        port=_count(options, "port") or 0,
    )


def format_of(path: str | None, given: str | None) -> str:
    """The format that was named, or the one that the path ends in.

    >>> format_of("data/traffic.csv.gz", None), format_of("data/*.parquet", None), format_of("data", "JSON")
    ('csv', 'parquet', 'json')
    """
    name = given
    if name is None and path:
        suffixes = [suffix for suffix in PurePosixPath(path).suffixes if suffix.lower() not in COMPRESSIONS]
        name = suffixes[-1][1:] if suffixes else None
    if name is None or name.lower() not in FORMATS:
        raise BadOption(
            "which format the files have is neither said nor to be seen from the path",
            given=given or path,
            exists=FORMATS,
            remedy="add FORMAT csv, or another of those that exist",
        )
    return name.lower()


def policy_of(options: Mapping[str, str], supported: Iterable[str] = POLICIES) -> str:
    """What becomes of malformed records: `malformed`, or Spark's `mode`; names in lower case."""
    policies = list(supported)
    if "malformed" not in options and "mode" in options:
        mode = options["mode"].lower()
        if mode not in MODES:
            raise BadOption(
                "this mode would turn malformed records into rows of NULLs",
                given=f"mode {options['mode']!r}",
                exists=[name.upper() for name in MODES],
                remedy="name one of those, or say OPTIONS (malformed 'reject', rejects 'folder')",
            )
        return MODES[mode]
    policy = options.get("malformed", "fail").lower()
    if policy not in policies:
        raise BadOption(
            "nothing of that name can be done with malformed records here",
            given=f"malformed {policy!r}",
            exists=policies,
            remedy=nearest(policy, policies),
        )
    return policy


def _flag(options: Mapping[str, str], name: str) -> bool:
    text = options.get(name, "false").lower()
    if text not in ("true", "false"):
        raise BadOption(f"option {name!r} is true or false", given=text, exists=["true", "false"], remedy="say one of them")
    return text == "true"


def _count(options: Mapping[str, str], name: str) -> int | None:
    text = options.get(name.lower())
    if text is None:
        return None
    if not text.isdecimal() or int(text) == 0:
        raise BadOption(f"option {name!r} is a whole number above zero", given=text, remedy="give such a number")
    return int(text)


def _separator(text: str) -> str:
    character = "\t" if text in ("\\t", "tab") else text
    if len(character) != 1 or character in "\r\n":
        raise BadOption("the separator is one character", given=text, remedy="give one, such as ',' or '\\t'")
    return character


def _character(options: Mapping[str, str], name: str) -> str | None:
    text = options.get(name, "")
    if len(text) > 1:
        raise BadOption(f"option {name!r} is one character, or empty for none", given=text, remedy="give one character")
    return text or None
