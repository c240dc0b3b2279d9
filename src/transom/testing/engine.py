"""What a transcript can be replayed on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from transom.column_names import FRONTIER
from transom.errors import TranscriptFailed
from transom.reference.binding import bind
from transom.reference.evaluate import evaluate
from transom.reference.history import Item
from transom.reference.outcome import Outcome, OutcomeCounts, Row
from transom.reference.query import Query
from transom.reference.stream import ReferenceStream
from transom.scalar.value_types import value_on_axis
from transom.testing.compare import row_key


class Execution(Protocol):
    """A query at work, fed micro-batch by micro-batch."""

    def feed(self, batch: Sequence[Item]) -> list[Row]:
        """Take a micro-batch in; return the rows that leave in it."""
        ...

    def late(self) -> list[Row]:
        """The tuples that missed a window so far, with the column `frontier`."""
        ...

    def counts(self) -> OutcomeCounts:
        """How the tuples so far fared."""
        ...


class Engine(Protocol):
    """Something that executes queries."""

    def start(self, query: Query, stream: ReferenceStream) -> Execution:
        """Begin."""
        ...


class ReferenceEngine:
    """The reference evaluator, from scratch after every micro-batch."""

    def start(self, query: Query, stream: ReferenceStream) -> Execution:
        return _ReferenceExecution(query, stream)


class _ReferenceExecution:
    def __init__(self, query: Query, stream: ReferenceStream) -> None:
        self._query, self._stream = bind(query, stream), stream
        self._items: list[Item] = []
        self._ends: list[int] = []
        self._outcome = Outcome()

    def feed(self, batch: Sequence[Item]) -> list[Row]:
        known = [(result.left_at, row_key(result.row)) for result in self._outcome.results]
        start = len(self._items)
        self._items += batch
        self._ends.append(len(self._items))
        self._outcome = evaluate(self._query, self._stream, self._items, ends=self._ends)
        if [(result.left_at, row_key(result.row)) for result in self._outcome.results if result.left_at < start] != known:
            raise TranscriptFailed("what arrived later changed results that had left", given=f"{len(self._items)} items")
        return [result.row for result in self._outcome.results if result.left_at >= start]

    def late(self) -> list[Row]:
        window = self._query.window
        ordered = (frame.order_by for frame in self._query.frames.values() if frame.order_by is not None)
        attribute = next(ordered, self._stream.order) if window is None else window.attribute or self._stream.order
        kind = self._stream.type(attribute)
        return [{**late.tuple.values, FRONTIER: value_on_axis(late.frontier, kind)} for late in self._outcome.late]

    def counts(self) -> OutcomeCounts:
        return self._outcome.counts
