"""PER SOURCE: a generator in each substream, and the smallest frontier over them.

A tuple is judged against the frontier that its own substream has reached, together with those of the others when its
micro-batch began; windows complete when a micro-batch ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from transom.disorder.generator import TupleController
from transom.reference.stream import ReferenceStream
from transom.semantics.length import Number, measure
from transom.semantics.progress.frontier import EVERYTHING, NOTHING_YET
from transom.semantics.tuples import Tuple, axis_value

Name = tuple[Any, ...]


@dataclass
class Substream:
    """What runs, how far it has come, and when it was last heard of."""

    running: TupleController
    heard: Any
    reached: Number = NOTHING_YET


@dataclass
class ReferenceSubstreams:
    """The substreams heard of so far, and the smallest frontier of those that are not silent, which never moves back."""

    stream: ReferenceStream
    known: dict[Name, Substream] = field(default_factory=dict)
    others: dict[Name, Number] = field(default_factory=dict)
    frontier: Number = NOTHING_YET
    now: Any = None

    def begin(self, now: Any) -> None:
        """A micro-batch begins. `now` is its time."""
        self.now = now
        self.others = {name: one.reached for name, one in self._live()}

    def before(self, t: Tuple) -> Number:
        """The frontier that a tuple is judged against."""
        name = self.name_of(t)
        own = self.known[name].reached if name in self.known else NOTHING_YET
        others = [reached for other, reached in self.others.items() if other != name]
        return max(self.frontier, min(own, *others, EVERYTHING))

    def see(self, t: Tuple) -> None:
        """A tuple moves its own substream. One without a value does not: it is not even heard of."""
        if axis_value(t[self.stream.order], self.stream.order) is None:
            return
        name = self.name_of(t)
        if name not in self.known:
            running = self.stream.start()
            assert running is not None
            self.known[name] = Substream(running, self.now)
        one = self.known[name]
        one.heard, promise = self.now, one.running.promise(t)
        one.reached = one.reached if promise is None else max(one.reached, promise.x)

    def end(self) -> Number:
        """The micro-batch ends: the frontier now."""
        live = [one.reached for _, one in self._live()]
        self.frontier = max(self.frontier, min(live, default=NOTHING_YET))
        return self.frontier

    def name_of(self, t: Tuple) -> Name:
        """The substream of a tuple, by its values as text; NULL is none."""
        return tuple("" if t[column] is None else str(t[column]) for column in self.stream.per_source)

    def _live(self) -> Iterable[tuple[Name, Substream]]:
        """Those that are not passed over as silent."""
        idle = self.stream.idle_after
        for name, one in self.known.items():
            if idle is None or _micros(self.now) - _micros(one.heard) <= measure(idle):
                yield name, one


def _micros(clock: Any) -> Number:
    found = axis_value(clock, "clock")
    assert found is not None
    return found
