"""Aggregation over any window, grouped or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from transom.errors import BadOperator
from transom.windowing.attributes import value
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.columns import columns
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import Port
from transom.windowing.toolkit.measures import Measure


class Groups:
    """The measures of each group of a window: a summary that takes the place of its tuples."""

    def __init__(self, keys: tuple[str, ...], measures: tuple[Measure, ...]) -> None:
        self.keys = keys
        self.measures = measures
        self.states: dict[tuple[Any, ...], list[Any]] = {}

    def open(self, partition: Any) -> None:
        """A window begins."""

    def close(self) -> None:
        """The window is flushed."""

    def insert(self, t: Any) -> None:
        key = tuple([value(t, name) for name in self.keys])
        states = self.states.get(key)
        if states is None:
            states = self.states[key] = [None] * len(self.measures)
        for place, measure in enumerate(self.measures):
            found = value(t, measure.attribute)
            if found is not None:
                states[place] = measure.add(states[place], found)

    def of(self, window: Iterable[Any]) -> Groups:
        for t in window:
            self.insert(t)
        return self

    def results(self) -> Iterable[tuple[tuple[Any, ...], list[Any]]]:
        """Each group with its results, in the order in which groups came."""
        for key, states in self.states.items():
            yield key, [measure.result(state) for measure, state in zip(self.measures, states, strict=True)]


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
        self._measured = tuple(name for name in self._names if name in measures)
        self._measures = tuple(measures[name] for name in self._measured)

    def summarizer(self) -> Groups:
        return Groups(self._keys, self._measures)

    def on_trigger(self, window: Subwindow, partition: Any) -> None:
        groups = window.summary or self.summarizer().of(window)
        for key, results in groups.results():
            row = dict(zip(self._keys, key, strict=True)) | dict(zip(self._measured, results, strict=True))
            self.emit(*[row[name] for name in self._names])
