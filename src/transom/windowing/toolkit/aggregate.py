"""Aggregation over any window, grouped or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from transom.errors import BadOperator
from transom.windowing.attributes import getter
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.output_columns import columns
from transom.windowing.operator.ports import Port
from transom.windowing.toolkit.measures import Measure


class GroupMeasures:
    """The measures of each group of a window: a summary that takes the place of its tuples."""

    def __init__(self, keys: tuple[str, ...], measures: tuple[Measure, ...]) -> None:
        self.keys = keys
        self.measures = measures
        self.attributes = tuple(measure.attribute for measure in measures)
        self.states: dict[tuple[Any, ...], list[Any]] = {}
        self._read: Callable[[Any], tuple[Any, ...]] | None = None
        self._key: Callable[[Any], tuple[Any, ...]] | None = None
        self._columns: list[Callable[[Any], Any]] = []

    def open(self, partition: Any) -> None:
        """A window begins."""

    def close(self) -> None:
        """The window is flushed."""

    def insert(self, t: Any) -> None:
        read = self._read
        if read is None:
            read = self._read = getter(t, (*self.keys, *self.attributes))
        found = read(t)
        key = found[: len(self.keys)]
        states = self.states.get(key)
        if states is None:
            states = self.states[key] = [None] * len(self.measures)
        for place, measure in enumerate(self.measures, len(key)):
            if found[place] is not None:
                states[place - len(key)] = measure.add(states[place - len(key)], found[place])

    def results(self) -> Iterable[tuple[tuple[Any, ...], list[Any]]]:
        """Each group with its results, in the order in which groups came."""
        for key, states in self.states.items():
            yield key, [measure.result(state) for measure, state in zip(self.measures, states, strict=True)]

    def of(self, window: Subwindow) -> Iterable[tuple[tuple[Any, ...], list[Any]]]:
        """The same for a window that holds its tuples."""
        if not self._columns:
            self._columns = [getter(window.oldest, (attribute,), single=True) for attribute in self.attributes]
            self._key = getter(window.oldest, self.keys) if self.keys else None
        groups: dict[tuple[Any, ...], Any] = {}
        if self._key is None:
            groups[()] = window
        else:
            for t in window:
                groups.setdefault(self._key(t)[: len(self.keys)], []).append(t)
        for key, tuples in groups.items():
            columns_of = [[found for found in map(read, tuples) if found is not None] for read in self._columns]
            yield key, [measure.of(column) for measure, column in zip(self.measures, columns_of, strict=True)]


class Aggregate(Operator):
    """A row for each group of each window. Columns without a measure are what is grouped by.

    Tumbling windows keep sums and the like instead of tuples; sliding windows are computed when they trigger.

    >>> from transom.windowing import OperatorRun, count, tumbling
    >>> from transom.windowing.toolkit import Sum
    >>> run = OperatorRun(Aggregate("tid STRING, total BIGINT", total=Sum("value")), tumbling(count(3)))
    >>> run.extend([{"tid": "a", "value": 1}, {"tid": "b", "value": 5}, {"tid": "a", "value": 2}])
    >>> run.take()
    [Row(tid='a', total=3), Row(tid='b', total=5), PUNCTUATION]
    """

    takes = Port()

    def __init__(self, gives: str, **measures: Measure) -> None:
        self.gives = gives
        self._names = [column.name for column in columns(gives)]
        missing = [name for name in measures if name not in self._names]
        if missing or not measures:
            raise BadOperator(
                "an aggregate gives a column for each measure",
                given=", ".join(missing) or "no measure",
                exists=self._names,
                remedy='write Aggregate("k STRING, total DOUBLE", total=Sum("x"))',
            )
        self._keys = tuple(name for name in self._names if name not in measures)
        measured = tuple(name for name in self._names if name in measures)
        self._measures = tuple(measures[name] for name in measured)
        self._groups = self.summarizer()
        self._order = [(*self._keys, *measured).index(name) for name in self._names]

    def summarizer(self) -> GroupMeasures:
        return GroupMeasures(self._keys, self._measures)

    def on_trigger(self, window: Subwindow, partition: Any) -> None:
        summary = window.summary
        for key, results in self._groups.of(window) if summary is None else summary.results():
            found = (*key, *results)
            self.emit(*[found[place] for place in self._order])
