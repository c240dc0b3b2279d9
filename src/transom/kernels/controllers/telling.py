"""What controllers tell of all substreams together: how many tuples came late, how long they wait, how many wait."""

from __future__ import annotations

from typing import Any

from transom.kernels.axis import Axis
from transom.kernels.controllers.controller import Controller


def told(controllers: list[Controller], frontier: Any, axis: Axis) -> dict[str, Any] | None:
    """Counts summed up; of delays, the longest. Lengths are in the attribute's unit, microseconds for time."""
    each = [controller.about() for controller in controllers]
    if not each:
        return None
    found: dict[str, Any] = {name: each[0][name] for name in ("target", "buffer") if name in each[0]}
    found |= {name: sum(one[name] for one in each) for name in ("seen", "late", "waiting")}
    newest = max(controller.high for controller in controllers)
    lengths = {"delay": newest - frontier if frontier > axis.nothing_yet else None}
    for name in ("delay_50", "delay_95"):
        lengths[name] = max((one[name] for one in each if one[name] is not None), default=None)
    unit = axis.factor or 1
    return found | {name: x if x is None or unit == 1 else x / unit for name, x in lengths.items()}
