"""What happened: tuples and punctuations in the order of arrival, and the frontier at each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from transom.errors import BadTuple
from transom.reference.expression import Scope, holds
from transom.reference.rows import columns_of_tuple
from transom.reference.stream import Stream
from transom.semantics.frontier import EVERYTHING, Frontier
from transom.semantics.generator import Promising
from transom.semantics.punctuation import Punctuation
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


@dataclass
class Recorder:
    """Turns items into steps, on the one attribute a query needs progress on."""

    stream: Stream
    attribute: str
    prefilter: str | None = None
    frontier: Frontier = field(init=False)
    generator: Promising | None = field(init=False)
    arrived: int = 0
    clock: Any = EPOCH
    ended: bool = False

    def __post_init__(self) -> None:
        self.frontier = Frontier(self.attribute, self.stream.declared_groups())
        self.generator = self.stream.start()

    def record(self, items: Sequence[Item]) -> list[Step]:
        """The steps of items that follow those recorded before."""
        return [self._step(n, item) for n, item in enumerate(items)]

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
        promise = None if self.generator is None else self.generator.promise(t)
        if promise is not None:
            self.frontier = before.after(promise)
        if self.prefilter is not None and not holds(self.prefilter, Scope(columns_of_tuple(t))):
            return Step(n, before, self.frontier)
        self.arrived += 1
        return Step(n, before, self.frontier, t)
