"""A warning, once for each query, where a stream of which no clause says how late tuples may be has left some out."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping
from typing import Any

from transom.errors import LateTuplesWarning
from transom.quality.moment import METRICS, observed

_warned: set[str] = set()
_lock = threading.Lock()


def left_out(report: Mapping[str, Any]) -> str | None:
    """What to tell of a progress report of Spark: how many tuples have come late so far, and the clause to add.

    >>> shard = '{"used": 8, "dropped": 2, "late": 3, "frontier": null, "without_tolerance": "traffic"}'
    >>> print(left_out({"observedMetrics": {"transom": {"shards": [shard]}}}).partition(":")[0])
    3 tuples of stream 'traffic' came late
    """
    for name, counts in observed(report).items():
        stream = counts.get("without_tolerance") if name == METRICS or name.startswith(f"{METRICS}_") else None
        late = counts.get("late", 0)
        if stream is not None and late > counts.get("before", {}).get("late", 0):
            several = "tuple" if late == 1 else "tuples"
            return (
                f"{late:,} {several} of stream {stream!r} came late: {counts.get('dropped', 0):,} are in no window, "
                "others missed those that had left. The stream does not say how late tuples may be, so none is waited for. "
                "Add SLACK 30 SECONDS or the like (slack=), or DRATIO 1% (drop_ratio=0.01); or SLACK 0, if that is meant."
            )
    return None


def warn(query: str, report: Mapping[str, Any]) -> None:
    """Warn of a query by its id, the first time there is something to tell."""
    told = left_out(report)
    if told is None:
        return
    with _lock:
        first = query not in _warned
        _warned.add(query)
    if first:
        warnings.warn(told, LateTuplesWarning, stacklevel=3)
