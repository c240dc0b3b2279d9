"""The clauses of a transcript: streams, windows and queries spelled in YAML, with the words of the language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from transom.column_names import WINDOW_END
from transom.disorder.at_end import AtEnd
from transom.disorder.buffer_size import Buffered
from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.generator import Generator
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.errors import BadTranscript, nearest
from transom.reference.of_plan import condition
from transom.reference.query import Late, Over, Query, Stamp
from transom.reference.stream import ReferenceStream
from transom.scalar.evaluation import Scope, evaluate
from transom.scalar.value_types import value_on_axis
from transom.semantics.bracket import Bracket
from transom.semantics.function import Function
from transom.semantics.length import Length, Rows
from transom.semantics.time import Duration, parse_duration
from transom.semantics.tuples import Rank
from transom.semantics.windows.window import Window


def mapping(value: Any, what: str, keys: Sequence[str]) -> Mapping[str, Any]:
    """A mapping that has no other keys than these."""
    if not isinstance(value, Mapping):
        raise BadTranscript(f"{what} is a mapping", given=repr(value), exists=keys, remedy="write 'key: value' lines")
    for key in value:
        if key not in keys:
            raise BadTranscript(f"{what} has no {key!r}", given=key, exists=keys, remedy=nearest(str(key), keys))
    return value


def sequence(value: Any, what: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise BadTranscript(f"{what} is a list", given=repr(value), remedy="write it as [a, b, ...]")
    return value


def names(value: Any) -> tuple[str, ...]:
    """One name or a list of them."""
    return tuple(str(name) for name in (value if isinstance(value, list) else [value]))


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def duration(value: Any) -> Duration:
    """A length of time."""
    return parse_duration(str(value))


def length(value: Any) -> Length:
    """A length: `5 minutes`, `100 rows`, or a number."""
    if isinstance(value, int | Decimal | float) and not isinstance(value, bool):
        return value
    counted = re.fullmatch(r"(-?\d+)\s+rows?", str(value).strip(), re.IGNORECASE)
    return Rows(int(counted[1])) if counted else duration(value)


def coerce(value: Any, kind: str) -> Any:
    """A YAML value as one of a column's type, where the spelling leaves a choice."""
    if kind == "double" and isinstance(value, Decimal):
        return float(value)
    if kind == "timestamp" and isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value


_GENERATORS = ("ordered", "slack", "heartbeat", "dratio", "bounded")
_STREAM = (
    "columns",
    "order_by",
    "punctuation",
    "from",
    *_GENERATORS,
    "normal",
    "bfsize",
    "arrival_by",
    "per_source",
    "idle_after",
    "ahead",
)


def stream_of(value: Any, name: str) -> ReferenceStream:
    """A stream: columns, order, and at most one of punctuation and the generators."""
    clauses = mapping(value, "a stream", _STREAM)
    columns = clauses.get("columns")
    if not isinstance(columns, Mapping) or not columns:
        raise BadTranscript("a stream has columns", given=repr(columns), remedy="write columns: {name: type, ...}")
    return ReferenceStream(
        name=name,
        columns={str(column): str(kind) for column, kind in columns.items()},
        order_by=_text(clauses.get("order_by")),
        punctuation=names(clauses["punctuation"]) if "punctuation" in clauses else (),
        substreams=tuple(tuple(one if isinstance(one, list) else [one]) for one in sequence(clauses.get("from", []), "from")),
        generator=_generator(clauses),
        arrival_by=_text(clauses.get("arrival_by")),
        per_source=names(clauses["per_source"]) if "per_source" in clauses else (),
        idle_after=duration(clauses["idle_after"]) if "idle_after" in clauses else None,
        ahead=duration(clauses["ahead"]) if "ahead" in clauses else None,
    )


def _generator(clauses: Mapping[str, Any]) -> Generator | None:
    given = [name for name in _GENERATORS if name in clauses]
    if len(given) > 1:
        raise BadTranscript(
            "one clause alone says how far the frontier has come",
            given=" and ".join(given),
            exists=_GENERATORS,
            remedy="keep one",
        )
    made = _unlimited(clauses)
    return Buffered(made, int(clauses["bfsize"])) if made is not None and "bfsize" in clauses else made


def _unlimited(clauses: Mapping[str, Any]) -> Generator | None:
    if "heartbeat" in clauses:
        return Heartbeat(average=clauses["heartbeat"] == "average")
    if "dratio" in clauses:
        return DropRatio(float(str(clauses["dratio"]).rstrip("% ")) / 100, bool(clauses.get("normal")))
    if "slack" in clauses:
        return Slack(length(clauses["slack"]))
    if clauses.get("bounded"):
        return AtEnd()
    if "ordered" in clauses:
        return Ordered() if clauses["ordered"] is True else Ordered(per=names(clauses["ordered"]))
    return None


_QUERY = ("window", "prefilter", "group_by", "select", "having", "late", "timestamp")
_LENGTHS = ("slide", "tumble", "offset", "lag", "max", "every", "gap")


def query_of(value: Any, stream: ReferenceStream) -> Query:
    """A query: a window with its select list, or OVER frames."""
    clauses = mapping(value, "a query", _QUERY)
    select = clauses.get("select")
    if not isinstance(select, Mapping):
        raise BadTranscript("a query selects", given=repr(select), remedy="write select: {name: expression, ...}")
    return Query(
        select={str(name): _over(item) if isinstance(item, Mapping) else str(item) for name, item in select.items()},
        window=window_of(clauses["window"], stream) if "window" in clauses else None,
        prefilter=_text(clauses.get("prefilter")),
        group_by=names(clauses["group_by"]) if "group_by" in clauses else (),
        having=_text(clauses.get("having")),
        late=_choice(Late, clauses.get("late", "generous")),
        timestamp=_choice(Stamp, clauses.get("timestamp", "instant")),
    )


def _choice(kind: Any, value: Any) -> Any:
    options = [option.name.lower() for option in kind]
    if value not in options:
        raise BadTranscript("this is not a choice", given=value, exists=options, remedy=nearest(str(value), options))
    return kind[value.upper()]


_FRAME = ("over", "rows", "range", "unbounded", "partition_by", "order_by", "slide")


def _over(value: Any) -> Over:
    clauses = mapping(value, "a frame", _FRAME)
    if "over" not in clauses or sum(key in clauses for key in ("rows", "range", "unbounded")) != 1:
        raise BadTranscript(
            "a frame has an aggregate and one of rows, range, unbounded",
            given=dict(clauses),
            exists=_FRAME,
            remedy="give exactly one",
        )
    preceding: Length | None = None
    if "rows" in clauses:
        preceding = Rows(clauses["rows"])
    elif "range" in clauses:
        preceding = length(clauses["range"])
    return Over(
        aggregate=str(clauses["over"]),
        preceding=preceding,
        partition_by=names(clauses["partition_by"]) if "partition_by" in clauses else (),
        order_by=_text(clauses.get("order_by")),
        slide=length(clauses["slide"]) if "slide" in clauses else None,
        peers=_unbounded(clauses),
    )


def _unbounded(clauses: Mapping[str, Any]) -> bool:
    kinds = ("rows", "range")
    kind = clauses.get("unbounded", "rows")
    if kind not in kinds:
        raise BadTranscript("an unbounded frame is of rows or of a range", given=kind, exists=kinds, remedy="name one of those")
    return bool(kind == "range")


def window_of(value: Any, stream: ReferenceStream) -> Window:
    """A window, from the clauses of its bracket."""
    if not isinstance(value, Mapping):
        known = [clause.name for clause in fields(Bracket) if clause.name != "order"]
        raise BadTranscript(
            "a window is a mapping of clauses", given=repr(value), exists=known, remedy="write {range: ..., slide: ...}"
        )
    clauses: dict[str, Any] = dict(value)
    clauses |= {clause: length(clauses[clause]) for clause in _LENGTHS if clause in clauses}
    clauses |= {clause: _order(clauses[clause]) for clause in ("wattr", "sattr") if clause in clauses}
    if "range" in clauses:
        varies = "max" in clauses or WINDOW_END in str(clauses["range"])
        clauses["range"] = _varying(clauses, stream) if varies else length(clauses["range"])
    if "pattr" in clauses:
        clauses["pattr"] = names(clauses["pattr"])
    if "band" in clauses:
        band = sequence(clauses["band"], "band")
        if len(band) != 2:
            raise BadTranscript("a band has two bounds", given=band, remedy="write band: [x, y]")
        clauses["band"] = tuple(band)
    if "where" in clauses:
        clauses["where"] = condition(str(clauses["where"]))
    return Bracket.of(order=stream.order, **clauses).window()


def _varying(clauses: Mapping[str, Any], stream: ReferenceStream) -> Function:
    text = str(clauses["range"])
    kind = stream.type(str(clauses.get("wattr") or stream.order))
    return Function(text, lambda end: evaluate(text, Scope({WINDOW_END: value_on_axis(end, kind)})))


def _order(value: Any) -> str | Rank:
    ranked = re.fullmatch(r"rank\((\w+)\)", str(value).strip())
    return Rank(ranked[1]) if ranked else str(value)
