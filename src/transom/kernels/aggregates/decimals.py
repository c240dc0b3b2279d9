"""The decimals of sums and averages: their types, division, and overflow."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from transom.errors import ArithmeticOverflow
from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.partial import Field, Mask

LOW = 0xFFFFFFFF


def type_of_sum(kind: pa.DataType) -> pa.DataType:
    """Ten digits more, as in Spark."""
    return pa.decimal128(min(38, kind.precision + 10), kind.scale)


def type_of_average(kind: pa.DataType) -> pa.DataType:
    """Four digits more, all of them behind the point, as in Spark."""
    return pa.decimal128(min(38, kind.precision + 4), min(38, kind.scale + 4))


def overflow(what: str) -> ArithmeticOverflow:
    return ArithmeticOverflow(
        f"a sum does not fit into {what}", remedy="cast the argument to a wider type, for example decimal(38, 0) or double"
    )


def from_wide(high: Field, low: Field, present: Mask, kind: pa.DataType, ansi: bool) -> pa.Array:
    """Decimals of high * 2^32 + low; what does not fit is an error, or NULL."""
    most = divmod(10**kind.precision, 2**32)
    if most[0] < 2**63:
        beyond = present & ((high > most[0]) | (high < -most[0] - 1))
        if ansi and beyond.any():
            raise overflow(str(kind))
        present = present & ~beyond
    return lanes.from_limbs((high << 32) | low, high >> 32, present, kind)


def quotient(high: Field, low: Field, count: Field, digits: int) -> tuple[Field, Field]:
    """(high * 2^32 + low) * 10^digits / count, rounded half up, as low and high 64 bits; count is below 2^31.

    source: Knuth, The Art of Computer Programming 2, section 4.3.1, exercise 16: division by one place, in base 2^32
    """
    negative = high < 0
    high, low = np.where(negative, -high - (low != 0), high), np.where(negative, -low & LOW, low)
    places, carry = [], np.zeros(len(high), np.int64)
    for place in (low, high & LOW, high >> 32, np.zeros(len(high), np.int64)):
        product = place * 10**digits + carry
        places.append(product & LOW)
        carry = product >> 32
    rest = np.zeros(len(high), np.int64)
    for n in reversed(range(4)):
        places[n], rest = np.divmod((rest << 32) | places[n], count)
    carry = (2 * rest >= count).astype(np.int64)
    for n in range(4):
        places[n] = places[n] + carry
        carry = places[n] >> 32
        places[n] &= LOW
    below, above = places[0] | (places[1] << 32), places[2] | (places[3] << 32)
    return np.where(negative, -below, below), np.where(negative, ~above + (below == 0), above)


def integers(array: pa.Array) -> Field:
    """The unscaled values of any decimals as Python's integers, 0 where there is none."""
    pairs = np.where(lanes.valid(array)[:, None], lanes.limbs(array), 0)
    result: Field = (pairs[:, 1].astype(object) << 64) | pairs[:, 0].view(np.uint64).astype(object)
    return result


def from_integers(unscaled: Field, present: Mask, kind: pa.DataType, ansi: bool) -> pa.Array:
    """Decimals of Python's integers; what does not fit is an error, or NULL."""
    beyond = np.asarray(np.abs(unscaled) >= 10**kind.precision, np.bool_)
    if beyond.any():
        if ansi:
            raise overflow(str(kind))
        present, unscaled = present & ~beyond, np.where(beyond, 0, unscaled)
    low = (unscaled & (2**64 - 1)).astype(np.uint64).view(np.int64)
    return lanes.from_limbs(low, (unscaled >> 64).astype(np.int64), present, kind)


def rounded(numerators: Field, count: Field) -> Field:
    """Python's integers divided, rounded half up."""
    divisor = count.astype(object)
    magnitude: Field = (2 * np.abs(numerators) + divisor) // (2 * divisor)
    return np.where(numerators < 0, -magnitude, magnitude)
