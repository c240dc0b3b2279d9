"""Whether a source, or where results go, is one that can be: asked while the query is bound, and again before it is read."""

from __future__ import annotations

from transom.errors import BadOption, NotSupported, nearest
from transom.plan.nodes.stream import Endpoint
from transom.plan.sources.known_options import FORMATS, RATE, check_names
from transom.plan.sources.read_options import POLICIES, ending, format_of, policy_of, read_options
from transom.plan.sources.target_options import check_written

KINDS = ("FILE", "KAFKA", "SOCKET", "RATE", "TABLE")
TARGETS = ("FILE", "TABLE", "KAFKA", "CONSOLE", "VIEW")
TARGET_FORMATS = ("csv", "json", "jsonl", "parquet")


def check_source(source: Endpoint) -> None:
    """Refuse an unknown kind, format or option of a source."""
    kind = source.kind.upper()
    if kind not in KINDS:
        raise NotSupported("there is no such source", given=source.kind, exists=KINDS, remedy="name one of those that exist")
    form = _format(kind, source)
    check_names(kind, form, (name for name, _ in source.options))
    lower = {name.lower(): value for name, value in source.options}
    if kind in ("FILE", "SOCKET") and form is not None:
        read_options({**dict(source.options), "format": form})
    if kind in ("KAFKA", "SOCKET"):
        policy_of(lower, [policy for policy in POLICIES if policy != "reject"])
    if kind == "RATE":
        _check_numbers(lower)


def check_target(target: Endpoint) -> None:
    """Refuse an unknown kind, format or option of where results go."""
    if target.kind.upper() not in TARGETS:
        raise NotSupported("results cannot go there", given=target.kind, exists=TARGETS, remedy="name one of those that exist")
    if target.kind.upper() == "VIEW" and (target.format is not None or target.options):
        raise BadOption(
            "a concrete view has no format and no options", given=target.format or target.options[0][0], remedy="leave it out"
        )
    if target.kind.upper() == "FILE" and target.format is not None and target.format.lower() not in TARGET_FORMATS:
        raise BadOption(
            "no such format can be written", given=target.format, exists=TARGET_FORMATS, remedy="name one of those that exist"
        )
    if target.kind.upper() == "FILE":
        named = target.format or ending(target.name) or "jsonl"
        check_written(named.lower() if named.lower() in TARGET_FORMATS else "jsonl", (name for name, _ in target.options))


def _format(kind: str, source: Endpoint) -> str | None:
    """The format of files, or of the values of a topic or the lines of a connection; None where the path does not tell."""
    option = next((value for name, value in source.options if name.lower() == "format"), None)
    named = option or source.format
    if kind == "FILE":
        return format_of(source.name, named) if named or ending(source.name) else None
    if kind in ("RATE", "TABLE"):
        if source.format is not None:
            raise BadOption(f"{kind} has no FORMAT", given=source.format, remedy="leave FORMAT out")
        return None
    form = (named or ("json" if kind == "KAFKA" else "csv")).lower()
    exists = [name for name in FORMATS if name != "parquet"]
    if form not in exists:
        raise BadOption(f"{kind} has no such format", given=form, exists=exists, remedy=nearest(form, exists))
    return form


def _check_numbers(options: dict[str, str]) -> None:
    for name in RATE:
        text = options.get(name.lower())
        if name != "rampUpTime" and text is not None and not (text.isdecimal() and int(text)):
            raise BadOption(f"option {name!r} is a whole number above zero", given=text, remedy="give such a number")
