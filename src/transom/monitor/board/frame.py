"""One progress report of Spark as what a page draws: figures for the lines over time, and the windows at that moment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from transom.quality.moment import METRICS, Moment, moment_of, observed
from transom.quality.shard_reports import INSPECTED, input_rows

OUT = "transom_out"
"""The metric of `transom run` that counts the rows of results."""
LONGEST = 80
"""Characters of the name of a substream."""


def figures(report: Mapping[str, Any], moment: Moment | None) -> dict[str, Any]:
    """What is drawn over time. Places and lengths are numbers: of time, milliseconds."""
    spent = (report.get("durationMs") or {}).get("triggerExecution")
    rows = input_rows(report)
    found: dict[str, Any] = {
        "batch": report.get("batchId"),
        "at": report.get("timestamp"),
        "rows": rows,
        "ms": spent,
        "rate": round(1000 * rows / spent) if spent else None,
    }
    if moment is None:
        return found
    places = {name: number(getattr(moment, name)) for name in ("newest", "frontier", "delay", "delay_50", "delay_95")}
    places |= {"newest_right": number(moment.newest_by_right_clocks), "behind_right_clocks": number(moment.delay_by_right_clocks)}
    counts = {name: getattr(moment, name) for name in ("seen", "late", "used", "dropped", "outside", "held", "waiting", "buffer")}
    kept = {
        "ratio": moment.ratio,
        "target": moment.target,
        "holds": moment.holds,
        "learns": moment.learns,
        "behind": None if moment.behind is None else short(moment.behind),
    }
    return {**found, **places, **counts, **kept, "stuck": moment.is_stuck, "says": str(moment)}


def details(report: Mapping[str, Any], moment: Moment | None) -> dict[str, Any]:
    """What is shown of a single moment, besides the windows: late tuples, results, substreams, and what each operator counted."""
    stages = {name: one for name, one in observed(report).items() if one and name.startswith(METRICS) and name != OUT}
    first = stages.get(f"{METRICS}_1") or stages.get(METRICS) or {}
    control = first.get("control", {})
    scale = 1000.0 if control.get("time", True) else 1.0
    shards = first.get(INSPECTED, [])
    last = (stages.get(METRICS) or {}).get(INSPECTED, [])
    ages = [] if moment is None else [[number(one.low), number(one.high), one.count] for one in moment.late_by_age]
    return {
        "watched": bool(shards),
        "late_tuples": [*_tuples(shards, "missed", scale), *_tuples(shards, "late", scale)],
        "late_tuples_count": sum(shard.get(fate, {}).get("count", 0) for shard in shards for fate in ("missed", "late")),
        "missed_count": sum(shard.get("missed", {}).get("count", 0) for shard in shards),
        "missed_by_pane": any(shard.get("missed", {}).get("by_pane") for shard in shards),
        "results": [row for shard in last for row in shard.get("results", {}).get("rows", ())],
        "results_count": sum(shard.get("results", {}).get("count", 0) for shard in last),
        "substreams": [_substream(one, scale) for one in control.get("substreams", ())],
        "substreams_in_all": control.get("substreams_in_all", 0),
        "tradeoff": [[ratio, delay / scale] for ratio, delay in control.get("tradeoff", ())],
        "ages": ages,
        "operators": {name: _counted(one) for name, one in stages.items()},
    }


def _tuples(shards: list[dict[str, Any]], which: str, scale: float) -> list[list[Any]]:
    """Late tuples of all shards, each with its place, the frontier that it is behind, its key, and what became of it."""
    found = (one for shard in shards for one in shard.get(which, {}).get("tuples", ()))
    return [[at / scale, by / scale, key, which] for at, by, key in found]


def shards_of(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each shard of the window operator that reads the stream has reported in detail."""
    found = observed(report)
    first = found.get(f"{METRICS}_1") or found.get(METRICS) or {}
    shards: list[dict[str, Any]] = first.get(INSPECTED, [])
    return shards


def is_time(report: Mapping[str, Any]) -> bool:
    """Whether places on the axis are instants."""
    found = observed(report)
    first = found.get(f"{METRICS}_1") or found.get(METRICS) or {}
    return bool(first.get("control", {}).get("time", True))


def _counted(stage: Mapping[str, Any]) -> dict[str, Any]:
    return {name: stage.get(name, 0) for name in ("used", "dropped", "outside", "late", "held")}


def delay_of(name: str, metrics: Mapping[str, Mapping[str, Any]], moment: Moment | None) -> float | None:
    """How far results of an operator are behind the newest tuple; of the one that reads the stream, of those with right
    clocks."""
    apart = None if moment is None else number(moment.delay_by_right_clocks)
    if apart is not None and name == (f"{METRICS}_1" if f"{METRICS}_1" in metrics else METRICS):
        return apart
    return place_of(name, "delay", metrics)


def place_of(name: str, which: str, metrics: Mapping[str, Mapping[str, Any]]) -> float | None:
    """A place or a length that an operator reports."""
    place = metrics.get(name, {}).get("control", {}).get(which)
    return None if place is None else float(place) / (1000.0 if is_time_of(name, metrics) else 1.0)


def is_time_of(name: str, metrics: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether an operator's axis is time."""
    return bool(metrics.get(name, {}).get("control", {}).get("time", True))


def _substream(one: Mapping[str, Any], scale: float) -> dict[str, Any]:
    places = {name: None if one.get(name) is None else one[name] / scale for name in ("newest", "frontier", "delay")}
    return {
        "name": short(str(one["name"]).replace("\x1f", ", ")),
        **places,
        "seen": one.get("seen"),
        "late": one.get("late"),
        "idle": one.get("idle", False),
    }


def short(name: str) -> str:
    """The name of a substream, with its middle left out if it is very long.

    >>> short("pump-1"), len(short("x" * 10_000))
    ('pump-1', 80)
    """
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 20]}…{name[-19:]}"


def number(value: Any) -> float | None:
    """A place or a length as a number: of time, milliseconds."""
    if isinstance(value, timedelta):
        return value.total_seconds() * 1000
    if isinstance(value, datetime):
        return value.timestamp() * 1000
    return value if value is None else float(value)


__all__ = ["delay_of", "details", "figures", "is_time", "is_time_of", "moment_of", "number", "place_of", "shards_of"]
