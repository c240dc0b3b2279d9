"""Seed 000's two ways of evaluating `max(speed) per segment` over windows of rows, as plainly as the paper describes them.

Buffering keeps the tuples, and when a window ends computes its aggregate over the whole extent. Window-id keeps one partial
for each open window and segment, and adds every tuple to those of its windows. `one_by_one` are the two in the same language,
with the same step from partial to partial; `extents` is the best that buffering can do with arrays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np

from transom.kernels.columns.arrays import Array

Partials = dict[int, float]
Reading = tuple[int, float]


def add(partials: Partials, seg: int, speed: float) -> None:
    """The step of the aggregate: both ways take it once for each tuple of each extent."""
    held = partials.get(seg)
    if held is None or held < speed:
        partials[seg] = speed


def buffering(readings: Iterable[Reading], range_: int, slide: int) -> list[Partials]:
    """Keep the last tuples; at the end of each window, go through its extent."""
    held: deque[Reading] = deque(maxlen=range_)
    results = []
    for number, reading in enumerate(readings, 1):
        held.append(reading)
        if number % slide == 0:
            partials: Partials = {}
            for seg, speed in held:
                add(partials, seg, speed)
            results.append(partials)
    return results


def window_id(readings: Iterable[Reading], range_: int, slide: int) -> list[Partials]:
    """Keep partials; window w has the rows from (w + 1) slide - range up to (w + 1) slide."""
    open_windows: dict[int, Partials] = {}
    results = []
    for number, (seg, speed) in enumerate(readings):
        for wid in range(number // slide, (number + range_) // slide):
            partials = open_windows.get(wid)
            if partials is None:
                partials = open_windows[wid] = {}
            add(partials, seg, speed)
        if (number + 1) % slide == 0:
            results.append(open_windows.pop(number // slide))
    return results


def extents(seg: Array, speed: Array, range_: int, slide: int, segments: int) -> Array:
    """Buffering on arrays: each extent is a slice of what is kept; a row of results for each window."""
    ends = np.arange(slide, len(seg) + 1, slide)
    results = np.full((len(ends), segments), -np.inf)
    for n, end in enumerate(ends):
        start = max(0, end - range_)
        np.maximum.at(results[n], seg[start:end], speed[start:end])
    return results
