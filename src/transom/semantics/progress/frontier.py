"""The frontier: how far the promises received so far reach."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from transom.semantics.length import Number
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple

NOTHING_YET = -math.inf
EVERYTHING = math.inf


@dataclass(frozen=True)
class Frontier:
    """The promises on one attribute. A frontier never moves back.

    `substreams` is a declared list of groups (`PUNCTUATION ... FROM (...)`), the smallest of whose frontiers is a
    frontier of all: only where the list is declared, since groups not seen yet cannot be known.
    """

    attribute: str
    substreams: tuple[Mapping[str, Any], ...] = ()
    promises: tuple[Punctuation, ...] = ()

    def after(self, punctuation: Punctuation) -> Frontier:
        """The frontier once a promise has come. One on another attribute says nothing about this one."""
        if punctuation.attribute != self.attribute:
            return self
        kept = (p for p in self.promises if p.group != punctuation.group or p.x > punctuation.x)
        return replace(self, promises=(*kept, punctuation))

    def of_group(self, columns: Mapping[str, Any]) -> Number:
        """The largest x promised to the group with these values, or to `*`.

        Promises on columns that the group does not fix complete it only through the declared list.
        """
        return max(self._promised(columns), self._promised_by_all())

    def of_tuple(self, t: Tuple) -> Number:
        """The largest x promised about a tuple: below it, the tuple is late."""
        own = max((p.x for p in self.promises if p.covers(t)), default=NOTHING_YET)
        return max(own, self._promised_by_all())

    def _promised(self, columns: Mapping[str, Any]) -> Number:
        return max((p.x for p in self.promises if p.speaks_of(columns)), default=NOTHING_YET)

    def _promised_by_all(self) -> Number:
        return min((self._promised(substream) for substream in self.substreams), default=NOTHING_YET)
