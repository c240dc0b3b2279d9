"""What a query had done by the end of a micro-batch, from the observed metric `transom`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from transom.disorder.age_bounds import bounds_of
from transom.disorder.dratio.schedule import UNCOUNTED
from transom.quality.clocks import newest_by_right_clocks
from transom.quality.shard_reports import SHARDS, together
from transom.quality.wording import Length, Place, length, place, share
from transom.semantics.time import EPOCH

METRICS = "transom"
"""The name of the metric; an operator with others above it has a number behind it."""


def metric_of(number: int | None) -> str:
    """The name of the metric of an operator: without a number, of the last."""
    return METRICS if number is None else f"{METRICS}_{number}"


@dataclass(frozen=True)
class Aged:
    """Late tuples that were from `low` up to `high` below the frontier."""

    low: Length
    high: Length
    count: int


@dataclass(frozen=True)
class Moment:
    """Counts are of all tuples since the query first started, restarts included.

    What WHERE leaves out is not counted, wherever it stands. But where a controller looks at all tuples, for DRATIO, `seen` and
    `late` are of all that came, less those without a time or number in their ORDER BY column.
    If DRATIO was given another ratio since, `seen` and `late` are counted from there on.
    `held` is how many rows of state windows still need: partial aggregates or tuples.
    `target` is the ratio of DRATIO, which `learns` as long as it has seen too little to promise anything. `buffer` is the number
    of BFSIZE (of all substreams), `waiting` how many tuples are at or above the frontier of their own substream.
    `delay` is how far the frontier is behind the newest tuple. Where the clock of a substream is wrong, far ahead of the others,
    `newest_by_right_clocks` is the newest tuple of the others, and `delay_by_right_clocks` the delay behind that. `delay_50` and
    `delay_95` are what the delay was at most for half of the tuples and for 95 of 100. `behind` is the substream that windows
    wait for, of several. What a query does not have is None.
    """

    seen: int
    late: int
    used: int
    dropped: int
    outside: int
    held: int
    at: datetime | None = None
    batch: int | None = None
    target: float | None = None
    learns: bool = False
    buffer: int | None = None
    waiting: int | None = None
    newest: Place | None = None
    newest_by_right_clocks: Place | None = None
    frontier: Place | None = None
    delay: Length | None = None
    delay_by_right_clocks: Length | None = None
    delay_50: Length | None = None
    delay_95: Length | None = None
    behind: str | None = None
    late_by_age: tuple[Aged, ...] = ()

    @property
    def ratio(self) -> float:
        """The share of tuples that came late."""
        return self.late / self.seen if self.seen else 0.0

    @property
    def holds(self) -> bool | None:
        """Whether no more came late than DRATIO allows; None if the query does not say."""
        return None if self.target is None else self.ratio <= self.target

    @property
    def is_stuck(self) -> bool:
        """Whether DRATIO has seen more than enough, and yet nothing is complete: one of the first tuples is far ahead of all."""
        return self.target is not None and not self.learns and self.seen > 10 * UNCOUNTED and self.frontier is None

    @property
    def is_controlled(self) -> bool:
        """Whether the delay follows what arrives: DRATIO, HEARTBEAT, BFSIZE and the like."""
        return self.waiting is not None

    def __str__(self) -> str:
        """In a line.

        >>> known = {"seen": 1000, "late": 4, "used": 1000, "dropped": 0, "outside": 0, "held": 3}
        >>> str(Moment(**known, target=0.01, delay=2.0))
        'late 0.4 % of 1 % allowed, delay 2'
        """
        parts = [f"late {self._share()}"]
        if self.learns:
            where = "" if self.behind is None else f", in substream {self.behind!r}"
            parts.append(f"still learning after {self.seen:,}{where}")
        elif self.is_stuck and self.newest is not None:
            parts.append(f"nothing is complete behind a tuple at {place(self.newest)}: AHEAD would set it aside")
        elif self.delay_by_right_clocks is not None:
            parts.append(f"delay {length(self.delay_by_right_clocks)} (wrong clocks left out)")
        elif self.delay is not None:
            parts.append(f"delay {length(self.delay)}")
        if self.buffer is not None and self.waiting is not None:
            parts.append(f"waiting {self.waiting:,} of {self.buffer:,}")
        return ", ".join(parts)

    def summary(self) -> str:
        """What became of the tuples, and what was kept of what was asked for.

        >>> Moment(seen=1000, late=4, used=990, dropped=1, outside=9, held=3).summary()
        'late 4, dropped 1, outside 9'
        """
        counts = ", ".join(f"{name} {getattr(self, name):,}" for name in ("late", "dropped", "outside"))
        return f"{counts}; {self}" if self.is_controlled else counts

    def lines(self) -> list[str]:
        """All there is to tell, in lines that a program can find."""
        found = [f"late ratio: {self._share()} ({self.late} of {self.seen} tuples)"]
        if self.delay is not None:
            found.append(f"delay: {self._delays()}")
        if self.waiting is not None:
            found.append(f"waiting rows: {self.waiting}{'' if self.buffer is None else f' of {self.buffer} at most'}")
        if self.newest is not None:
            reached = "not yet" if self.frontier is None else place(self.frontier)
            behind = "" if self.behind is None else f", farthest behind: substream {self.behind!r}"
            found.append(f"frontier: {reached}, newest {place(self.newest)}{behind}")
        if self.late_by_age:
            ages = ", ".join(f"up to {length(one.high)} {one.count}" for one in self.late_by_age)
            found.append(f"late by age: {ages}")
        return found

    def _share(self) -> str:
        allowed = "" if self.target is None else f" of {share(self.target)} allowed"
        return share(self.ratio) + allowed + (" (exceeded)" if self.holds is False else "")

    def _delays(self) -> str:
        parts = {"now": self.delay, "for half of the tuples at most": self.delay_50, "for 95 %": self.delay_95}
        return ", ".join(f"{length(x)} {when}" for when, x in parts.items() if x is not None)


def worst(moments: Iterable[Moment]) -> float | None:
    """The largest share that had come late at any of these, if DRATIO allowed less; the first tuples do not count."""
    above = [one.ratio for one in moments if one.holds is False and one.seen > UNCOUNTED]
    return max(above, default=None)


def observed(report: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The metrics of a progress report, by name. Spark Connect gives values and names apart."""
    return {name: _together(_named(metrics)) for name, metrics in (report.get("observedMetrics") or {}).items()}


def _named(metrics: Any) -> dict[str, Any]:
    """Of a report as JSON, or of one in Python, where they are a row."""
    if hasattr(metrics, "asDict"):
        metrics = metrics.asDict()
    if set(metrics) != {"values", "schema"}:
        return dict(metrics)
    return {field["name"]: value for field, value in zip(metrics["schema"]["fields"], metrics["values"], strict=True)}


def _together(metrics: Mapping[str, Any]) -> dict[str, Any]:
    return together(metrics[SHARDS]) if SHARDS in metrics else dict(metrics)


def moment_of(report: Mapping[str, Any]) -> Moment | None:
    """From a progress report of Spark; None if it holds nothing, as when nothing had arrived."""
    found = observed(report)
    counts = found.get(f"{METRICS}_1") or found.get(METRICS)
    if not counts:
        return None
    at = report.get("timestamp")
    return _moment(counts, None if at is None else datetime.fromisoformat(at).astimezone(UTC), report.get("batchId"))


def from_metrics(metrics: Mapping[str, Any]) -> Moment | None:
    """From the metric itself."""
    return _moment(_together(metrics))


def _moment(counted: Mapping[str, Any], at: datetime | None = None, batch: int | None = None) -> Moment | None:
    control = counted.get("control", {})
    counts = {name: counted.get(name, 0) for name in ("used", "dropped", "outside", "held")}
    seen = control.get("seen", counts["used"] + counts["dropped"] + counts["outside"])
    if not seen:
        return None
    is_time = control.get("time", True)
    told: dict[str, Any] = {name: control.get(name) for name in ("target", "buffer", "waiting")}
    told["learns"] = control.get("learns", False)
    told["behind"] = None if "behind" not in control else control["behind"].replace("\x1f", ", ")
    told |= {name: _place(control.get(name), is_time) for name in ("newest", "frontier")}
    told |= {name: _length(control.get(name), is_time) for name in ("delay", "delay_50", "delay_95")}
    newest, frontier = newest_by_right_clocks(control), control.get("frontier")
    told["newest_by_right_clocks"] = _place(newest, is_time)
    apart = None if newest is None or frontier is None else max(newest - frontier, 0)
    told["delay_by_right_clocks"] = _length(apart, is_time)
    ages = _ages(counted.get("late_up_to", {}), is_time)
    late = control.get("late", counted.get("late", 0))
    return Moment(seen=seen, late=late, at=at, batch=batch, late_by_age=ages, **counts, **told)


def _ages(counts: Mapping[float, int], is_time: bool) -> tuple[Aged, ...]:
    """Counts by the upper bounds of ages."""
    bounds = bounds_of(timed=is_time)
    found = []
    for bound in sorted(counts):
        low = max((one for one in bounds if one < bound), default=0.0)
        below, above = _length(low, is_time), _length(bound, is_time)
        if below is not None and above is not None:
            found.append(Aged(below, above, counts[bound]))
    return tuple(found)


def _place(x: Any, is_time: bool) -> Place | None:
    if x is None or not is_time:
        return None if x is None else float(x)
    try:
        return EPOCH + timedelta(microseconds=x)
    except OverflowError:
        return None


def _length(x: Any, is_time: bool) -> Length | None:
    if x is None or not is_time:
        return None if x is None else float(x)
    try:
        return timedelta(microseconds=x)
    except OverflowError:
        return None
