"""Transcripts: tuples, punctuation and the rows that leave, as a YAML file that runs on every engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transom.column_names import FRONTIER
from transom.errors import BadTranscript, TransomError, nearest
from transom.language import bind_script
from transom.reference.history import End, Item, Promise
from transom.reference.of_plan import lower
from transom.reference.outcome import Row
from transom.reference.query import Query
from transom.reference.stream import ReferenceStream
from transom.testing.source import Scripted, ScriptedSource, Wait
from transom.testing.transcript_clauses import coerce, duration, mapping, query_of, sequence, stream_of
from transom.testing.yaml_values import read_yaml

STEPS = ("tuples", "punctuation", "wait", "expect", "end")


@dataclass(frozen=True)
class Expectation:
    """The rows that have left after the first `after` items, all expectations before it taken together."""

    after: int
    step: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Transcript:
    """What happens, and what must come of it."""

    name: str
    about: str
    stream: ReferenceStream
    query: Query
    items: tuple[Item, ...]
    expectations: tuple[Expectation, ...]
    late: tuple[Row, ...] | None = None
    counts: Mapping[str, int] | None = None


def load_transcript(path: str | Path) -> Transcript:
    """Read a transcript from a file."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadTranscript("the file cannot be read", given=f"{path}: {error}", remedy="name a readable UTF-8 file") from None
    return parse_transcript(text, name=path.stem)


def parse_transcript(text: str, name: str = "transcript") -> Transcript:
    """Read a transcript from text."""
    try:
        return _transcript(mapping(read_yaml(text, name), "a transcript", _KEYS), name)
    except TransomError as error:
        error.add_note(f"in transcript {name!r}")
        raise


_KEYS = ("about", "sql", "stream", "query", "steps", "late", "counts")
_COUNTS = ("arrived", "used", "dropped", "outside", "late", "above_max")


def _transcript(document: Mapping[str, Any], name: str) -> Transcript:
    for key in ("steps",) if "sql" in document else ("stream", "query", "steps"):
        if key not in document:
            raise BadTranscript(f"a transcript needs {key!r}", given=", ".join(document), remedy=f"add {key!r}")
    query, stream = _asked(document, name)
    items, expectations = _Steps(stream, query).read(document["steps"])
    late = document.get("late")
    return Transcript(
        name=name,
        about=str(document.get("about", name)),
        stream=stream,
        query=query,
        items=tuple(items),
        expectations=tuple(expectations),
        late=None if late is None else tuple(_row([*stream.columns, FRONTIER], row) for row in sequence(late, "late")),
        counts=None if "counts" not in document else mapping(document["counts"], "counts", _COUNTS),
    )


def _asked(document: Mapping[str, Any], name: str) -> tuple[Query, ReferenceStream]:
    """The query and its stream: a SQL script, or the two spelled out."""
    if "sql" not in document:
        stream = stream_of(document["stream"], name)
        return query_of(document["query"], stream), stream
    if "stream" in document or "query" in document:
        raise BadTranscript("a transcript has 'sql', or 'stream' and 'query'", given=", ".join(document), remedy="keep one form")
    queries = bind_script(str(document["sql"])).queries
    if not queries:
        raise BadTranscript("the script has no query", given=document["sql"], remedy="end it with a SELECT")
    return lower(queries[-1])


def _row(names: list[str], values: Any) -> Row:
    values = sequence(values, "a row")
    if len(values) != len(names):
        raise BadTranscript(
            "a row has one value for each column",
            given=values,
            exists=names,
            remedy=f"give {len(names)} values, null where there is none",
        )
    return dict(zip(names, values, strict=True))


class _Steps:
    """Reads steps into a script and the expectations along it."""

    def __init__(self, stream: ReferenceStream, query: Query) -> None:
        self.stream, self.query = stream, query
        self.script: list[Scripted] = []
        self.expectations: list[Expectation] = []

    def read(self, steps: Any) -> tuple[list[Item], list[Expectation]]:
        for number, step in enumerate(sequence(steps, "steps"), start=1):
            try:
                self._step(number, step)
            except TransomError as error:
                error.problem = f"step {number}: {error.problem}"
                raise
        if not self.expectations:
            raise BadTranscript("a transcript that expects nothing cannot fail", given="no 'expect' step", remedy="add one")
        return ScriptedSource(self.script).items(), self.expectations

    def _step(self, number: int, step: Any) -> None:
        kind, value = self._kind(step)
        if kind == "expect":
            self._expect(number, sequence(value or [], "expect"))
        else:
            self.script += self._events(kind, value)

    def _kind(self, step: Any) -> tuple[str, Any]:
        if step == "end":
            return "end", None
        if not isinstance(step, Mapping) or len(step) != 1 or next(iter(step)) not in STEPS:
            if isinstance(step, Mapping) and len(step) > 1:
                raise BadTranscript(
                    "a step has one key", given=", ".join(map(str, step)), exists=STEPS, remedy="begin each with '- '"
                )
            wrong = next(iter(step)) if isinstance(step, Mapping) and step else str(step)
            raise BadTranscript("a step is one of those that exist", given=step, exists=STEPS, remedy=nearest(str(wrong), STEPS))
        return next(iter(step.items()))

    def _expect(self, number: int, rows: list[Any]) -> None:
        items = sum(not isinstance(event, Wait) for event in self.script)
        self.expectations.append(Expectation(items, number, tuple(_row(list(self.query.select), row) for row in rows)))

    def _events(self, kind: str, value: Any) -> list[Scripted]:
        if kind == "end":
            return [End()]
        if kind == "wait":
            return [Wait(duration(value))]
        if kind == "punctuation":
            if not self.stream.punctuation:
                raise BadTranscript(
                    "the stream declares no punctuation",
                    given=value,
                    remedy="add punctuation: [column, ...] to the stream, the attribute last",
                )
            values = [None if one == "*" else one for one in sequence(value, "punctuation")]
            return [Promise(self._typed(_row(list(self.stream.punctuation), values)))]
        return [self._typed(_row(list(self.stream.columns), row)) for row in sequence(value, "tuples")]

    def _typed(self, row: Row) -> dict[str, Any]:
        return {column: coerce(value, self.stream.type(column)) for column, value in row.items()}
