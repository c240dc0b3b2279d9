"""No promise before the end of the input: a bounded DataFrame without a disorder clause."""

from __future__ import annotations

from dataclasses import dataclass

from transom.disorder.generator import Generator, TupleController
from transom.semantics.length import Number
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple


@dataclass(frozen=True)
class AtEnd(Generator):
    """Nothing is promised before the end, so no tuple is late, and the end completes every window."""

    def start(
        self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False
    ) -> TupleController:
        return _AtEnd()


class _AtEnd(TupleController):
    def promise(self, t: Tuple) -> Punctuation | None:
        return None
