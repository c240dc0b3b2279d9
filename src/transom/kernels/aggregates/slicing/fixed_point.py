"""Sums of doubles as prefix sums of fixed-point numbers, which are exact, so that subtracting leaves nothing behind.

Each double is divided into pieces of so few bits, all pieces of a kind in the same unit, that their prefix sums never round.
Values whose magnitudes differ by more than a few pieces can express are refused; then a disjoint table does it.

needs:  finite doubles of magnitudes not too far apart
time:   O(rows + slices)
space:  O(rows)
source: Rump, Ogita and Oishi, Accurate floating-point summation (2008), section 3: ExtractVector
"""

from __future__ import annotations

import functools
import math

import numpy as np

from transom.kernels.aggregates.coded import Coded
from transom.kernels.aggregates.double_double import add
from transom.kernels.aggregates.partial import Field, Partial, Places, put
from transom.kernels.aggregates.slicing.chunks import CHUNK

MOST_PIECES = 4


def pieces(terms: list[Field]) -> list[Field] | None:
    """What each element of the terms adds up to, as a few doubles of exact prefix sums; None if it cannot be done."""
    largest = max(float(max(term.max(initial=0.0), -term.min(initial=0.0))) for term in terms)
    bits = 52 - (len(terms) * len(terms[0])).bit_length()
    exponent = math.frexp(largest)[1] - bits
    if exponent + bits > 900 or exponent - MOST_PIECES * bits < -900:
        return None
    found: list[Field] = []
    left, remains = [np.empty_like(term) for term in terms], largest > 0
    while remains:
        if len(found) == MOST_PIECES:
            return None
        anchor = math.ldexp(1.5, exponent + 52)
        whole = [term + anchor for term in terms]
        for piece in whole:
            piece -= anchor
        terms = [np.subtract(term, piece, out=rest) for term, piece, rest in zip(terms, whole, left, strict=True)]
        found.append(whole[0] if len(whole) == 1 else whole[0] + whole[1])
        exponent -= bits
        remains = any(term.any() for term in terms)
    return found


def terms(partial: Partial) -> list[Field]:
    """Sums of two doubles as terms; of most the second is nothing."""
    return [partial[0], partial[1]] if partial[1].any() else [partial[0]]


def reduce(partial: Partial, starts: Places) -> Partial | None:
    """The sums over segments of sums of two doubles; None if it cannot be done."""
    return sums(terms(partial), starts)


def sums(terms: list[Field], starts: Places) -> Partial | None:
    """The sums over segments of the terms; None if it cannot be done."""
    found = pieces(terms)
    return None if found is None else _added([np.add.reduceat(piece, starts) for piece in found], len(starts))


def sums_by_code(terms: list[Field], coded: Coded) -> Partial | None:
    """The same over the rows of each code: nothing is rounded, so their order does not matter."""
    found = pieces(terms)
    return None if found is None else _added([coded.sums(piece) for piece in found], coded.size)


def _added(sums: list[Field], count: int) -> Partial:
    """The sums of all pieces together, in twice the precision."""
    nothing: Partial = np.zeros(count), np.zeros(count)
    return functools.reduce(add, ((one, np.zeros(1)) for one in sums), nothing)


def slices(terms: list[Field], starts: Places, ends: Places) -> Partial | None:
    """The same over slices, by prefix sums."""
    found = pieces(terms)
    if found is None:
        return None
    prefixes = [_prefixes(piece) for piece in found]
    total = np.zeros(len(starts)), np.zeros(len(starts))
    for first in range(0, len(starts), CHUNK):
        block = slice(first, first + CHUNK)
        sums = [before.take(ends[block]) - before.take(starts[block]) for before in prefixes]
        if sums:
            put(total, block, functools.reduce(add, ((one, np.zeros(1)) for one in sums)))
    return total


def _prefixes(piece: Field) -> Field:
    before = np.zeros(len(piece) + 1)
    np.cumsum(piece, out=before[1:])
    return before
