"""Aggregates over contiguous slices of sorted rows: arrays in, arrays out.

`aggregate` gives the values of a call over slices; `algebra_of` the algebra of a call, for partials that are kept.
"""

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.call import Call
from transom.kernels.aggregates.catalogue import algebra_of
from transom.kernels.aggregates.partial import Partial
from transom.kernels.aggregates.value_of_slices import aggregate

__all__ = ["Algebra", "Call", "Partial", "aggregate", "algebra_of"]
