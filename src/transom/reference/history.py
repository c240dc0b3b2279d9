"""What happened: tuples and punctuations in the order of arrival, and the frontier at each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from transom.disorder.generator import TupleController
from transom.errors import BadTuple
from transom.reference.rows import columns_of_tuple
from transom.reference.stream import ReferenceStream
from transom.reference.substreams import ReferenceSubstreams
from transom.scalar.evaluation import Scope, holds
from transom.semantics.progress.frontier import EVERYTHING, Frontier
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.time import EPOCH
from transom.semantics.tuples import Tuple


@dataclass(frozen=True)
class Arrival:
    """A tuple arrives."""

    values: Mapping[str, Any]
    arrival_ts: Any = None


@dataclass(frozen=True)
class Promise:
    """A punctuation of the source arrives: values for its punctuation columns, NULL for `*`."""

    values: Mapping[str, Any]


@dataclass(frozen=True)
class End:
    """The input ends, which punctuates everything."""


Item = Arrival | Promise | End


@dataclass(frozen=True)
class Step:
    """What one item did: the tuple it brought, if any, and the frontier before and after."""

    item: int
    before: Frontier
    after: Frontier
    tuple: Tuple | None = None
    is_end: bool = False
    is_ahead: bool = False


@dataclass
class StepRecorder:
    """Turns items into steps, on the one attribute a query needs progress on."""

    stream: ReferenceStream
    attribute: str
    prefilter: str | None = None
    frontier: Frontier = field(init=False)
    generator: TupleController | None = field(init=False)
    substreams: ReferenceSubstreams | None = field(init=False)
    arrived: int = 0
    clock: Any = EPOCH
    ended: bool = False

    def __post_init__(self) -> None:
        self.frontier = Frontier(self.attribute, self.stream.declared_groups())
        self.generator = self.stream.start()
        self.substreams = ReferenceSubstreams(self.stream) if self.stream.per_source and self.generator is not None else None

    def record(self, items: Sequence[Item], ends: Sequence[int] = ()) -> list[Step]:
        """The steps of items. `ends` are those of micro-batches, which matter where there are substreams."""
        if self.substreams is None:
            return [self._step(n, item) for n, item in enumerate(items)]
        batches = [(start, items[start:end]) for start, end in pairwise([0, *ends, len(items)]) if start < end]
        return [step for start, batch in batches for step in self._batch(self.substreams, start, batch)]

    def _batch(self, substreams: ReferenceSubstreams, start: int, batch: Sequence[Item]) -> list[Step]:
        """A micro-batch: each tuple is judged as it comes; progress shows at the end."""
        substreams.begin(self._time_of(batch))
        steps = [self._step(n, item) for n, item in enumerate(batch, start=start)]
        if not self.ended:
            self.frontier = self.frontier.after(Punctuation(self.stream.order, substreams.end()))
            steps[-1] = replace(steps[-1], after=self.frontier)
        return steps

    def _time_of(self, batch: Sequence[Item]) -> Any:
        """The time of a micro-batch is that of its last arrival."""
        times = [item.arrival_ts for item in batch if isinstance(item, Arrival) and item.arrival_ts is not None]
        return times[-1] if times else self.clock

    def _step(self, n: int, item: Item) -> Step:
        if self.ended:
            raise BadTuple(
                "nothing comes after the end of the input", given=type(item).__name__, remedy="let the end be the last item"
            )
        before = self.frontier
        if isinstance(item, End):
            self.ended = True
            self.frontier = before.after(Punctuation(self.attribute, EVERYTHING))
            return Step(n, before, self.frontier, is_end=True)
        if isinstance(item, Promise):
            self.frontier = before.after(self.stream.punctuation_of(item.values))
            return Step(n, before, self.frontier)
        if not isinstance(item, Arrival):
            raise BadTuple("this is no item of a stream", given=repr(item), remedy="give Arrival({...}), Promise({...}) or End()")
        self.clock = self.clock if item.arrival_ts is None else item.arrival_ts
        values = self.stream.tuple_values(item.values)
        t = Tuple(self.arrived + 1, self.arrived + 1, values, self.stream.arrival_of(values, self.clock))
        is_ahead = self.stream.is_ahead(t)
        if self.substreams is not None:
            before = before.after(Punctuation(self.stream.order, self.substreams.before(t)))
        if not is_ahead:
            self._move(t)
        if self.prefilter is not None and not holds(self.prefilter, Scope(columns_of_tuple(t))):
            return Step(n, before, self.frontier)
        self.arrived += 1
        return Step(n, before, self.frontier, t, is_ahead=is_ahead)

    def _move(self, t: Tuple) -> None:
        if self.substreams is not None:
            self.substreams.see(t)
            return
        promise = None if self.generator is None else self.generator.promise(t)
        if promise is not None:
            self.frontier = self.frontier.after(promise)
