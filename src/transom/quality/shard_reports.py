"""The reports of an operator's shards, put together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from transom.disorder.age_bounds import bound_of_power

SHARDS = "shards"
"""The field of the metric: JSON of each shard, just as it was reported. Spark would take longer to add it up than to carry it."""

INSPECTED = "inspected"
"""What each shard reports in detail while somebody watches (`kernels/inspection`)."""

APART = ("before", "frontier", "control", "late_by_age", "late_up_to", "without_tolerance", INSPECTED)
"""What is no count of its own. `before` are the counts before the micro-batch, `without_tolerance` is the stream of which no
clause says how late its tuples may be. `late_by_age` is that of records of 0.1, by powers of two."""


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
    detailed = [one[INSPECTED] for one in each if INSPECTED in one]
    more |= {INSPECTED: detailed} if detailed else {}
    return {**counts, "before": dict(before), "frontier": frontier, "control": control, "late_up_to": dict(ages), **more}
