"""Figures about progress for users: the delay, and of controllers the number of late and of waiting tuples."""

from __future__ import annotations

from typing import Any

from transom.disorder.arrays.controller import Controller
from transom.disorder.buffer_size import Buffered
from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.generator import Generator
from transom.kernels.columns.axis import Axis


def report(controllers: list[Controller], frontier: Any, axis: Axis) -> dict[str, Any]:
    """The sum of the counts and the longest of the delays over all substreams, in the attribute's unit; time in microseconds."""
    each = [controller.about(frontier) for controller in controllers]
    found: dict[str, Any] = {}
    if "target" in each[0]:
        found = {"target": each[0]["target"], "learns": frontier <= axis.nothing_yet and any(one["learns"] for one in each)}
    found |= {name: sum(one[name] for one in each) for name in ("seen", "late", "waiting", "buffer") if name in each[0]}
    found |= distance(max(controller.high for controller in controllers), frontier, axis)
    for name in ("delay_50", "delay_95"):
        found[name] = _in_units(max((one[name] for one in each if one[name] is not None), default=None), axis)
    return found


def distance(newest: Any, frontier: Any, axis: Axis) -> dict[str, Any]:
    """The largest value, the frontier, and how far it is behind."""
    places = {"newest": newest, "frontier": frontier}
    known = {name: x if axis.nothing_yet < x < axis.everything else None for name, x in places.items()}
    delay = None if None in known.values() else max(newest - frontier, 0)  # an end of the input reaches beyond the newest
    return {name: _in_units(x, axis) for name, x in {**known, "delay": delay}.items()}


RATIOS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0001)
"""Ratios whose delay is estimated, besides the one in the query."""


def tradeoff(controllers: list[Controller], axis: Axis) -> dict[str, Any]:
    """The delay that each of several drop ratios would cost, by the latenesses seen so far; the longest over all substreams."""
    ratios = sorted({*RATIOS, *(one.target for one in controllers if one.target is not None)}, reverse=True)
    costs = [(ratio, [one.delay_for(ratio) for one in controllers]) for ratio in ratios]
    found = [[ratio, _in_units(max(known), axis)] for ratio, each in costs if (known := [x for x in each if x is not None])]
    return {"tradeoff": found} if found else {}


def requested(generator: Generator | None) -> dict[str, Any]:
    """The drop ratio and buffer size that a query states."""
    if isinstance(generator, Buffered):
        return {**requested(generator.generator), "buffer": generator.size}
    return {"target": generator.ratio} if isinstance(generator, DropRatio) else {}


def _in_units(x: Any, axis: Axis) -> Any:
    return x if x is None or (axis.factor or 1) == 1 else x / (axis.factor or 1)
