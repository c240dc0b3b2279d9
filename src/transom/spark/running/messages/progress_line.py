"""What a running query has done so far, from the progress that Spark reports, in one line."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from transom.quality.moment import METRICS, Moment, moment_of, observed, worst
from transom.quality.shard_reports import input_rows
from transom.quality.unstated import left_out
from transom.quality.wording import share

OUT = "transom_out"
LATELY = 5.0
CUMULATIVE = ("used", "dropped", "outside", "late")


@dataclass
class Tally:
    """Counts of one query, over all runs of it that this process starts. `before` is what it had counted before them."""

    title: str
    rows_in: int = 0
    rows_out: int = 0
    counted: dict[str, int] = field(default_factory=dict)
    before: dict[str, int] = field(default_factory=dict)
    frontier: str | None = None
    held: int = 0
    windowed: bool = False
    is_batch: bool = False
    moment: Moment | None = None
    worst: float | None = None
    warning: str | None = None
    """Of tuples that came late although nothing says how late they may be."""
    note: Callable[[str, dict[str, Any]], None] | None = None
    """Told of every report, with the title."""
    batches: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=1000))
    _lately: deque[tuple[float, int]] = field(default_factory=lambda: deque([(0.0, 0)]))
    _seen: tuple[str, int] = ("", -1)

    def take(self, reports: list[Any]) -> None:
        """Look at what Spark has reported and was not seen yet."""
        for report in reports:
            progress = json.loads(report if isinstance(report, str) else report.json)
            run, batch = progress["runId"], progress["batchId"]
            if (run == self._seen[0] and batch <= self._seen[1]) or not progress.get("numInputRows"):
                continue
            self._seen = (run, batch)
            self._add(progress)

    def take_batch(self, metrics: dict[str, Any]) -> None:
        """What was observed of a batch, as if Spark had reported it."""
        report = {"timestamp": datetime.now(UTC).isoformat(), "batchId": 0, "observedMetrics": {METRICS: metrics}}
        self.moment = moment_of(report)
        self.warning = left_out(report)
        if self.note is not None:
            self.note(self.title, report)

    def _add(self, progress: dict[str, Any]) -> None:
        if self.note is not None:
            self.note(self.title, progress)
        self.batches.append({name: progress.get(name) for name in ("durationMs", "stateOperators", "batchId")})
        self.rows_in += input_rows(progress)
        found = observed(progress)
        self.warning = self.warning or left_out(progress)
        self.rows_out += int(found.get(OUT, {}).get("rows") or 0)
        counts = found.get(METRICS)
        if counts:
            self.windowed = True
            self.moment = moment_of(progress) or self.moment
            self._compare()
            stages = [each for name, each in found.items() if each and name.startswith(METRICS) and name != OUT]
            first = found.get(f"{METRICS}_1") or counts
            of = {name: stages if name in ("late", "dropped") else [first] for name in CUMULATIVE}
            if not self.counted:
                self.before = {name: sum(each.get("before", {}).get(name, 0) for each in told) for name, told in of.items()}
            self.counted = {name: sum(each[name] for each in told) for name, told in of.items()}
            self.held = sum(each["held"] for each in stages)
            self.frontier = counts["frontier"] or self.frontier

    def _compare(self) -> None:
        """Keep the largest share that was more than allowed."""
        now = None if self.moment is None else worst([self.moment])
        self.worst = now if self.worst is None else max(self.worst, now or 0.0)

    def since(self, name: str) -> int:
        """A count of this run."""
        return self.counted[name] - self.before.get(name, 0) if self.counted else 0

    def line(self, seconds: float) -> str:
        """While it runs."""
        parts = [f"in {self.rows_in:,} rows", f"{self._rate(seconds):,.0f} rows/s"]
        if self.windowed:
            reached = [f"frontier {_short(self.frontier or 'not yet')}", f"state {self.held:,} rows"]
            kept = self._kept()
            parts += [kept, *reached] if kept else [*reached, f"late {self.since('late'):,}"]
        return ", ".join(parts)

    def _kept(self) -> str:
        """What is kept of what was asked for, where the delay is controlled."""
        return str(self.moment) if self.moment is not None and self.moment.is_controlled else ""

    def _rate(self, seconds: float) -> float:
        """Rows a second, lately."""
        while len(self._lately) > 1 and self._lately[1][0] < seconds - LATELY:
            self._lately.popleft()
        since, rows = self._lately[0]
        self._lately.append((seconds, self.rows_in))
        return (self.rows_in - rows) / max(seconds - since, 0.001)

    def summary(self) -> str:
        """When it is over."""
        if self.is_batch:
            return f"out {self.rows_out:,} rows{'' if self.moment is None else f', {self.moment.summary()}'}"
        parts = [f"in {self.rows_in:,} rows", f"out {self.rows_out:,}"]
        if self.windowed:
            parts += [f"{name} {self.since(name):,}" for name in ("late", "dropped", "outside")]
        at_worst = "" if self.worst is None else f", at worst {share(self.worst)}"
        return ", ".join(parts) + (f"; {self._kept()}{at_worst}" if self._kept() else "")


def _short(frontier: str) -> str:
    """An instant without its zone, which is UTC, and without zeros at its end."""
    instant, zone, _ = frontier.partition("+00:00")
    return instant.rstrip("0").rstrip(".") if zone and "." in instant else instant
