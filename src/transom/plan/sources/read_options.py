"""OPTIONS of a FILE or SOCKET source, checked and with their defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from transom.errors import BadOption, nearest
from transom.plan.sources.known_options import CSV, FORMATS, JSON

POLICIES = ("fail", "drop", "reject")
MODES = {"failfast": "fail", "dropmalformed": "drop"}
COMPRESSIONS = (".gz", ".bz2", ".zst", ".lz4")


@dataclass(frozen=True)
class ReadOptions:
    """How files are cut into records, and what becomes of those that mean nothing. What a record means is up to Spark."""

    path: str = ""
    format: str = "csv"
    header: bool = False
    separator: str = ","
    quote: str | None = '"'
    escape: str | None = "\\"
    comment: str | None = None
    null: str = ""
    multi_line: bool = False
    encoding: str = "utf-8"
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
    if options.get("latestfirst", "false").lower() != "false":
        raise BadOption("files are read in the order of their names", given="latestFirst", remedy="leave latestFirst out")
    return ReadOptions(
        path=options.get("path", ""),
        format=format_of(options.get("path"), options.get("format")),
        header=_flag(options, "header"),
        separator=_separator(options.get("sep", options.get("delimiter", ","))),
        quote=_character(options, "quote", '"'),
        escape=_character(options, "escape", "\\"),
        comment=_character(options, "comment", ""),
        null=options.get("nullvalue", ""),
        multi_line=_flag(options, "multiline"),
        encoding=options.get("encoding", options.get("charset", "utf-8")),
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


def parsing_options(form: str, given: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Those options that Spark's `from_csv` or `from_json` takes.

    >>> parsing_options("csv", [("sep", "\\\\t"), ("header", "true"), ("nullValue", "NA")])
    {'nullValue': 'NA', 'sep': '\\t'}
    """
    known = {name.lower() for name in (CSV if form == "csv" else JSON)}
    names = {"sep", "delimiter"} | ({"multiline"} if form != "csv" else set())
    found = {name: value for name, value in given if name.lower() in known - names}
    separator = next((value for name, value in given if name.lower() in ("sep", "delimiter")), None)
    return found if separator is None or form != "csv" else {**found, "sep": _separator(separator)}


def format_of(path: str | None, given: str | None) -> str:
    """The format that was named, or the one that the path ends in.

    >>> format_of("data/traffic.csv.gz", None), format_of("data/*.parquet", None), format_of("data", "JSON")
    ('csv', 'parquet', 'json')
    """
    name = given or ending(path)
    if name is None:
        raise BadOption(
            "which format the files have is neither said nor to be seen from the path",
            given=path,
            exists=FORMATS,
            remedy="add FORMAT csv, or another of those that exist",
        )
    if name.lower() not in FORMATS:
        raise BadOption("there is no such format of files", given=name, exists=FORMATS, remedy=nearest(name.lower(), FORMATS))
    return name.lower()


def ending(path: str | None) -> str | None:
    """What a path ends in, if that is a format.

    >>> ending("data/traffic.csv.gz"), ending("data/traffic"), ending("data/v1.2")
    ('csv', None, None)
    """
    suffixes = [suffix for suffix in PurePosixPath(path or "").suffixes if suffix.lower() not in COMPRESSIONS]
    return suffixes[-1][1:] if suffixes and suffixes[-1][1:].lower() in FORMATS else None


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
    text = options.get(name.lower(), "false").lower()
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
    if len(character) != 1 or not character.isascii() or character in "\r\n":
        raise BadOption("the separator is one character of ASCII", given=text, remedy="give one, such as ',' or '\\t'")
    return character


def _character(options: Mapping[str, str], name: str, otherwise: str) -> str | None:
    text = options.get(name, otherwise)
    if len(text) > 1 or not text.isascii():
        raise BadOption(f"option {name!r} is one character of ASCII, or empty for none", given=text, remedy="give one character")
    return text or None
