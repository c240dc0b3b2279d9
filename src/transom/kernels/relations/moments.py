"""Moments: the instants of relations and the time right after each, as integers.

The state of most windows holds from one instant until the next. That of `[NOW]` and of a session is empty right after its
instant. So every place on the axis has two moments, one at it and one right behind it, and every state holds over half-open
ranges of moments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NEVER = np.iinfo(np.int64).max
"""The moment at which a row leaves that stays as far as it is known."""


PLACE = "place"
"""The column of a row that holds its own place on the axis."""


def at(places: Any) -> Any:
    """The moments of places.

    >>> at(7), after(7), place_of(after(7))
    (14, 15, 7)
    """
    return places * 2


def after(places: Any) -> Any:
    """The moments right after places."""
    return places * 2 + 1


def place_of(moments: Any) -> Any:
    """The place of a moment: its own, or the one right before it."""
    return moments >> 1


def horizon(frontier: int, *, closed: bool) -> int:
    """The first moment that is not complete: the states of windows that hold the tuples of their own instant (`closed`) wait
    until the frontier is beyond it, others until it is reached. Nothing changes right after an instant of those.

    >>> horizon(12, closed=True), horizon(12, closed=False)
    (24, 26)
    """
    return int(at(frontier) if closed else at(frontier + 1))
