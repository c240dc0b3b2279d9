"""Readings that are far from the recent ones of the same sensor."""

from __future__ import annotations

import math
from typing import Any

from transom.windowing.attributes import value
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import Output, Port


class Anomalies(Operator):
    """Gives readings whose z-score, against those in the window before them, is beyond `limit`.

    Use it with the last hour of each sensor: `sliding(delta("ts", "1 hour"), count(1)).partitioned_by("sensor")`. Fewer
    than `least` readings say nothing.

    >>> from transom.windowing import OperatorRun, count, sliding
    >>> run = OperatorRun(Anomalies("x", least=4), sliding(count(100), count(1)).partitioned_by("sensor"))
    >>> run.extend([{"sensor": "s1", "x": x} for x in (10.0, 11.0, 10.0, 11.0, 14.5)])
    >>> run.rows()
    [Row(sensor='s1', value=14.5, mean=10.5, z=8.0)]
    """

    takes = Port(kinds="sliding", partitioned="required", punctuation="oblivious")
    gives = Output("sensor STRING, value DOUBLE, mean DOUBLE, z DOUBLE", punctuation="free")

    def __init__(self, attribute: str, limit: float = 3.0, least: int = 30) -> None:
        self._attribute = attribute
        self._limit = limit
        self._least = least

    def before_insertion(self, window: Subwindow, partition: Any, t: Any) -> None:
        if len(window) < self._least:
            return
        values = [value(one, self._attribute) for one in window]
        mean = math.fsum(values) / len(values)
        deviation = math.sqrt(math.fsum((one - mean) ** 2 for one in values) / len(values))
        distance = value(t, self._attribute) - mean
        z = distance / deviation if deviation else math.copysign(math.inf, distance) if distance else 0.0
        if abs(z) > self._limit:
            self.emit(partition, value(t, self._attribute), mean, z)
