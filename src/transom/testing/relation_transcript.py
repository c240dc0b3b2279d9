"""Transcripts of queries over several streams: tuples of each, and the rows that leave (see docs/transcripts.md)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from transom.column_names import FRONTIER
from transom.errors import BadTranscript, TranscriptFailed, TransomError
from transom.language import bind_script
from transom.plan.nodes.disorder import Disorder
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.stream import StreamDefinition
from transom.reference.history import Arrival, End, Item, Promise
from transom.reference.of_plan import TYPES, stream_of
from transom.reference.outcome import Row
from transom.reference.relations.relation_answer import Answer, answer
from transom.scalar.value_types import value_on_axis
from transom.semantics.sql_type import SqlType
from transom.testing.compare import difference, row_key, show_difference
from transom.testing.transcript_clauses import coerce, mapping, sequence
from transom.testing.yaml_values import read_yaml

Timed = tuple[str, Item]
KEYS = ("about", "sql", "tables", "steps", "late", "counts")
STEPS = ("tuples", "punctuation", "expect", "end")


@dataclass(frozen=True)
class Expected:
    """The rows that have left after the first `after` items, since the expectation before."""

    after: int
    step: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class RelationTranscript:
    """What arrives on each stream, and what must come of it."""

    name: str
    about: str
    plan: Node
    items: tuple[Timed, ...]
    expectations: tuple[Expected, ...]
    tables: Mapping[str, list[Row]] = field(default_factory=dict)
    late: Mapping[str, list[Row]] | None = None
    counts: Mapping[str, Mapping[str, int]] | None = None


class RelationExecution(Protocol):
    """A plan at work, fed micro-batch by micro-batch."""

    def feed(self, batch: Sequence[Timed]) -> list[Row]:
        """Take a micro-batch in; return the rows that leave in it."""
        ...

    def late(self) -> Mapping[str, list[Row]]:
        """Of each input the tuples that were left out so far, with the column `frontier`."""
        ...

    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """How the tuples of each input fared."""
        ...


class RelationEngine(Protocol):
    """Something that executes plans over several streams."""

    def start(self, plan: Node, tables: Mapping[str, list[Row]]) -> RelationExecution:
        """Begin."""
        ...


class ReferenceRelations:
    """The reference, from scratch after every micro-batch."""

    def start(self, plan: Node, tables: Mapping[str, list[Row]]) -> RelationExecution:
        return _Execution(plan, tables)


class _Execution:
    def __init__(self, plan: Node, tables: Mapping[str, list[Row]]) -> None:
        self.plan, self.tables = plan, tables
        self.items: list[Timed] = []
        self.ends: list[int] = []
        self.answer = Answer()

    def feed(self, batch: Sequence[Timed]) -> list[Row]:
        start = len(self.items)
        known = [(one.left_at, row_key(one.row)) for one in self.answer.results]
        self.items += batch
        self.ends.append(len(self.items))
        self.answer = answer(self.plan, self.items, self.tables, self.ends)
        if [(one.left_at, row_key(one.row)) for one in self.answer.results if one.left_at < start] != known:
            raise TranscriptFailed("what arrived later changed results that had left", given=f"{len(self.items)} items")
        return [one.row for one in self.answer.results if one.left_at >= start]

    def late(self) -> Mapping[str, list[Row]]:
        return {
            name: [{**each.tuple.values, FRONTIER: value_on_axis(each.frontier, heard.kinds[heard.axis])} for each in heard.late]
            for name, heard in self.answer.inputs.items()
        }

    def counts(self) -> Mapping[str, Mapping[str, int]]:
        return {name: vars(heard.counts) for name, heard in self.answer.inputs.items()}


def load_relation_transcript(path: str | Path) -> RelationTranscript:
    """Read a transcript over several streams from a file."""
    path = Path(path)
    try:
        return parse_relation_transcript(path.read_text(encoding="utf-8"), path.stem)
    except OSError as error:
        raise BadTranscript("the file cannot be read", given=f"{path}: {error}", remedy="name a readable file") from None


def parse_relation_transcript(text: str, name: str = "transcript") -> RelationTranscript:
    """Read a transcript over several streams from text."""
    try:
        return _TranscriptReading(mapping(read_yaml(text, name), "a transcript", KEYS), name).made()
    except TransomError as error:
        error.add_note(f"in transcript {name!r}")
        raise


class _TranscriptReading:
    def __init__(self, document: Mapping[str, Any], name: str) -> None:
        if "sql" not in document or "steps" not in document:
            raise BadTranscript("a transcript has 'sql' and 'steps'", given=", ".join(document), remedy="add them")
        self.document, self.name = document, name
        script = bind_script(str(document["sql"]))
        if not script.queries:
            raise BadTranscript("the script has no query", given=document["sql"], remedy="end it with a SELECT")
        self.plan = script.queries[-1]
        self.schemas = script.catalog.tables
        self.streams: dict[str, StreamDefinition] = {
            node.stream.name: node.stream for node in self.plan.walk() if isinstance(node, Scan)
        }
        self.items: list[Timed] = []
        self.expectations: list[Expected] = []

    def made(self) -> RelationTranscript:
        for number, step in enumerate(sequence(self.document["steps"], "steps"), start=1):
            try:
                self._step(number, step)
            except TransomError as error:
                error.problem = f"step {number}: {error.problem}"
                raise
        if not self.expectations:
            raise BadTranscript("a transcript that expects nothing cannot fail", given="no 'expect' step", remedy="add one")
        late = self.document.get("late")
        return RelationTranscript(
            self.name,
            str(self.document.get("about", self.name)),
            self.plan,
            tuple(self.items),
            tuple(self.expectations),
            {table: self._table(table, rows) for table, rows in (self.document.get("tables") or {}).items()},
            None if late is None else {input: [self._late(input, row) for row in rows or []] for input, rows in late.items()},
            self.document.get("counts"),
        )

    def _table(self, table: str, rows: Any) -> list[Row]:
        columns = self.schemas[table].columns
        return [
            {column.name: coerce(value, _kind(column.type)) for column, value in zip(columns, row, strict=True)} for row in rows
        ]

    def _late(self, input: str, row: Any) -> Row:
        *values, frontier = row
        stream = self._stream_of(input)
        return {**self._row(stream, values), FRONTIER: frontier}

    def _stream_of(self, input: str) -> StreamDefinition:
        """An input goes by the name that the query has for it, which need not be its stream's."""
        for node in self.plan.walk():
            named = zip(getattr(node, "names", ()), node.inputs, strict=False)
            for called, below in named:
                if called == input:
                    return next(one.stream for one in below.chain() if isinstance(one, Scan))
        return self.streams[input]

    def _step(self, number: int, step: Any) -> None:
        kind, value = ("end", None) if step == "end" else self._kind(step)
        if kind == "expect":
            rows = [self._expected(row) for row in sequence(value or [], "expect")]
            self.expectations.append(Expected(len(self.items), number, tuple(rows)))
        elif kind == "end":
            self.items += [(name, End()) for name in ([value] if value else self.streams)]
        else:
            for name, rows in mapping(value, kind, tuple(self.streams)).items():
                made = self._promise if kind == "punctuation" else self._arrival
                given = [rows] if kind == "punctuation" else sequence(rows, kind)
                self.items += [(name, made(self.streams[name], row)) for row in given]

    def _kind(self, step: Any) -> tuple[str, Any]:
        if not isinstance(step, Mapping) or len(step) != 1 or next(iter(step)) not in STEPS:
            raise BadTranscript("a step is one of those that exist", given=step, exists=STEPS, remedy="begin each with '- '")
        return next(iter(step.items()))

    def _arrival(self, stream: StreamDefinition, row: Any) -> Item:
        return Arrival(self._row(stream, row))

    def _promise(self, stream: StreamDefinition, row: Any) -> Item:
        made = stream_of(stream, Disorder(), None)
        values = [None if one == "*" else one for one in row]
        return Promise({name: coerce(one, made.type(name)) for name, one in zip(made.punctuation, values, strict=True)})

    def _row(self, stream: StreamDefinition, values: Any) -> dict[str, Any]:
        if len(values) != len(stream.columns):
            names = [column.name for column in stream.columns]
            raise BadTranscript("a row has one value for each column", given=values, exists=names, remedy="give as many")
        pairs = zip(stream.columns, values, strict=True)
        return {column.name: coerce(value, _kind(column.type)) for column, value in pairs}

    def _expected(self, row: Any) -> Row:
        names = self.plan.schema.names
        if not isinstance(row, list) or len(row) != len(names):
            raise BadTranscript("a row has one value for each column", given=row, exists=names, remedy="give as many")
        return dict(zip(names, row, strict=True))


def _kind(kind: str) -> str:
    return TYPES.get(SqlType.of(kind).name, "string")


def replay_relation(
    transcript: RelationTranscript, engine: RelationEngine | None = None, cut: Sequence[int] | None = None
) -> None:
    """Run a transcript; without a cut, every item is a micro-batch of its own. Raises `TranscriptFailed`."""
    execution = (engine or ReferenceRelations()).start(transcript.plan, transcript.tables)
    left: list[Row] = []
    start = 0
    for end in range(1, len(transcript.items) + 1) if cut is None else cut:
        left += execution.feed(transcript.items[start:end])
        start = end
        _check(transcript, left, end)
    if transcript.late is not None:
        late = execution.late()
        for name, rows in transcript.late.items():
            _refuse(transcript, f"late tuples of {name}", *difference(late.get(name, []), rows))
    for name, counts in (transcript.counts or {}).items():
        found = {each: execution.counts()[name][each] for each in counts}
        if found != dict(counts):
            raise TranscriptFailed(f"{transcript.name}: counts of {name}", given=found, exists=[str(dict(counts))])


def _check(transcript: RelationTranscript, left: list[Row], end: int) -> None:
    """What is due has left, and nothing else that the next expectation does not speak of."""
    due = [row for one in transcript.expectations if one.after <= end for row in one.rows]
    horizon = min((one.after for one in transcript.expectations if one.after >= end), default=len(transcript.items))
    possible = [row for one in transcript.expectations if one.after <= horizon for row in one.rows]
    missing, _ = difference(left, due)
    _, unexpected = difference(left, possible)
    _refuse(transcript, f"after {end} of {len(transcript.items)} items", missing, unexpected)


def _refuse(transcript: RelationTranscript, what: str, missing: list[Row], unexpected: list[Row]) -> None:
    if missing or unexpected:
        raise TranscriptFailed(f"transcript {transcript.name!r}: {what}\n{show_difference(missing, unexpected)}")


def replay_relation_every_way(
    transcript: RelationTranscript, engine: RelationEngine | None = None, cuts: int = 6, seed: int = 0
) -> None:
    """Item by item, as a whole, and in random cuts."""
    replay_relation(transcript, engine)
    size = len(transcript.items)
    replay_relation(transcript, engine, [size])
    chance = random.Random(seed)
    for _ in range(cuts):
        ends = sorted(chance.sample(range(1, size), min(size - 1, chance.randint(1, 4)))) if size > 1 else []
        replay_relation(transcript, engine, [*ends, size])
