"""Partial results: a tuple of equally long arrays of fixed width, one element per row, pane or slice."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Field: TypeAlias = npt.NDArray[Any]
Places: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Partial: TypeAlias = tuple[Field, ...]


def take(partial: Partial, places: Places | Mask) -> Partial:
    """The partials at these places, or where this holds."""
    return tuple(field[places] if places.dtype == np.bool_ else field.take(places) for field in partial)


def part(partial: Partial, start: int, end: int | None = None, step: int | None = None) -> Partial:
    """A stretch of the partials, without copying."""
    return tuple(field[start:end:step] for field in partial)


def lengths(starts: Places, rows: int) -> Places:
    """How many rows each segment has."""
    return np.diff(starts, append=rows)


def put(target: Partial, places: Places | Mask | slice, partial: Partial) -> None:
    """Overwrite the partials at these places."""
    for field, values in zip(target, partial, strict=True):
        field[places] = values


def concat(partials: list[Partial]) -> Partial:
    """Partials one after another."""
    return tuple(np.concatenate(fields) for fields in zip(*partials, strict=True))


def choose(condition: Mask, a: Partial, b: Partial) -> Partial:
    """Where the condition holds those of `a`, elsewhere those of `b`."""
    return tuple(np.where(condition, x, y) for x, y in zip(a, b, strict=True))
