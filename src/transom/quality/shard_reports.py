"""The reports of an operator's shards, put together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from transom.disorder.age_bounds import bound_of_power

SHARDS = "shards"
"""The field of the metric: JSON of each shard, just as it was reported. Spark would take longer to add it up than to carry it."""

INSPECTED = "inspected"
"""What each shard reports in detail while somebody watches (`kernels/inspection`)."""

APART = ("before", "frontier", "control", "late_by_age", "late_up_to", "without_tolerance", "taken", "gave", INSPECTED)
"""What is no count of its own. `before` are the counts before the micro-batch, `without_tolerance` is the stream of which no
clause says how late its tuples may be. `late_by_age` is that of records of 0.1, by powers of two. Of this micro-batch alone are
`taken`, the tuples that came from each input, and `gave`, the results and late tuples that left."""


def input_rows(report: Mapping[str, Any]) -> int:
    """The rows that sources gave in a micro-batch, without those of sources of ours that bring no tuples.

    >>> ticks = {"numInputRows": 1, "endOffset": {"second": 7}}
    >>> input_rows({"numInputRows": 6, "sources": [{"numInputRows": 5, "endOffset": {"files": 2}}, ticks]})
    5
    """
    if "inputRows" in report or "sources" not in report:
        return int(report.get("inputRows", report.get("numInputRows")) or 0)
    return sum(int(source["numInputRows"]) for source in report["sources"] if not _is_control(source))


def _is_control(source: Mapping[str, Any]) -> bool:
    """Whether it is a source of ours that brings no tuples: the end of the input, or ticks."""
    offset = source.get("endOffset")
    if isinstance(offset, str):
        try:
            offset = json.loads(offset)
        except ValueError:
            return False
    return isinstance(offset, dict) and set(offset) in ({"end"}, {"second"})


def together(told: Iterable[str]) -> dict[str, Any]:
    """Counts are added up, late tuples by age as well. Progress is the same in every shard. Nothing, if no shard has reported.

    >>> together(['{"late": 2, "frontier": "12:00"}', '{"late": 3, "frontier": "12:00"}'])
    {'late': 5, 'before': {}, 'frontier': '12:00', 'control': {}, 'late_up_to': {}}
    """
    each = [json.loads(one) for one in told]
    if not each:
        return {}
    counts: Counter[str] = Counter()
    before: Counter[str] = Counter()
    ages: Counter[float] = Counter()
    for one in each:
        before.update(one.get("before", {}))
        counts.update({name: x for name, x in one.items() if name not in APART})
        ages.update({float(bound): count for bound, count in one.get("late_up_to", {}).items()})
        timed = one.get("control", {}).get("time", True)
        for power, count in one.get("late_by_age", {}).items():
            ages[bound_of_power(int(power), timed=timed)] += count
    frontier = max((one["frontier"] for one in each if one["frontier"]), default=None)
    control: dict[str, Any] = next((one["control"] for one in each if "control" in one), {})
    stream = next((one["without_tolerance"] for one in each if "without_tolerance" in one), None)
    more: dict[str, Any] = {} if stream is None else {"without_tolerance": stream}
    passed = [one for one in each if "gave" in one]
    if passed:
        more["taken"] = [sum(counts) for counts in zip(*(one["taken"] for one in passed), strict=True)]
        more["gave"] = {name: sum(one["gave"][name] for one in passed) for name in ("results", "late")}
    detailed = [one[INSPECTED] for one in each if INSPECTED in one]
    more |= {INSPECTED: detailed} if detailed else {}
    return {**counts, "before": dict(before), "frontier": frontier, "control": control, "late_up_to": dict(ages), **more}
