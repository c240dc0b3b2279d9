"""Progress punctuation: the promise that no later tuple of a group has a < x (seed 000, section 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from transom.semantics.keys import same_key
from transom.semantics.length import Number
from transom.semantics.tuples import Tuple


@dataclass(frozen=True)
class Punctuation:
    """The promise `(g, x)`: no later tuple that agrees with `group` has `attribute` < `x`.

    A column that `group` leaves out is `*`; the empty group is `*` itself.
    """

    attribute: str
    x: Number
    group: Mapping[str, Any] = field(default_factory=dict)

    def speaks_of(self, columns: Mapping[str, Any]) -> bool:
        """Whether the promise holds for every tuple that has these values, whatever its other columns are."""
        return all(column in columns and same_key(columns[column], value) for column, value in self.group.items())

    def covers(self, t: Tuple) -> bool:
        """Whether the promise was made about this tuple."""
        return all(same_key(t[column], value) for column, value in self.group.items())
