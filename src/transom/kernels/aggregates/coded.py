"""Rows that have codes, wherever they stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transom.kernels.aggregates.partial import Field, Places


@dataclass
class Coded:
    """The code of each row, from 0 up to `size`."""

    codes: Places
    size: int

    @cached_property
    def counts(self) -> Places:
        """How many rows have each code."""
        return np.bincount(self.codes, minlength=self.size)

    def sums(self, values: Field) -> Field:
        """What the values of each code add up to, in doubles."""
        return np.bincount(self.codes, values, self.size)
