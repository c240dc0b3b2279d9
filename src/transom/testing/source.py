"""A source that does what its script says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from transom.errors import BadTranscript
from transom.reference.history import Arrival, End, Item, Promise
from transom.semantics.time import Duration
from transom.testing.fake_clock import FakeClock


@dataclass(frozen=True)
class Cut:
    """The micro-batch ends here."""


@dataclass(frozen=True)
class Wait:
    """Time passes."""

    duration: Duration


Scripted = Mapping[str, Any] | Promise | Cut | Wait | End


class ScriptedSource:
    """Tuples (mappings), punctuation, pauses and the end of the input, cut into micro-batches where the script says.

    >>> from transom import seconds
    >>> source = ScriptedSource([{"speed": 50}, Wait(seconds(5)), {"speed": 60}, Cut(), End()])
    >>> [[type(item).__name__ for item in batch] for batch in source.batches()]
    [['Arrival', 'Arrival'], ['End']]
    """

    def __init__(self, script: Iterable[Scripted], clock: FakeClock | None = None) -> None:
        self._script = list(script)
        self._clock = clock or FakeClock()

    def batches(self) -> Iterator[list[Item]]:
        """The micro-batches, each tuple stamped with the time of its arrival."""
        batch: list[Item] = []
        for event in self._script:
            if isinstance(event, Wait):
                self._clock.advance(event.duration)
            elif isinstance(event, Cut):
                yield batch
                batch = []
            elif isinstance(event, Promise | End):
                batch.append(event)
            elif isinstance(event, Mapping):
                batch.append(Arrival(event, self._clock.now()))
            else:
                raise BadTranscript(
                    "this is no event of a script", given=repr(event), remedy="give a mapping, Promise, Wait, Cut or End"
                )
        if batch:
            yield batch

    def items(self) -> list[Item]:
        """Everything, as one micro-batch."""
        return [item for batch in self.batches() for item in batch]
