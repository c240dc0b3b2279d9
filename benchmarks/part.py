"""What a part of the benchmark gives: measures, floors, curves and notes, all of it plain data."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contest import Contest, Ratio
from benchmarks.running import Run

PASS, MISS, FAILED = "PASS", "MISS", "FAILED"


@dataclass(frozen=True)
class Floor:
    """A ratio that must be reached, or must not be exceeded."""

    text: str
    ratio: Ratio | None
    at_least: float | None = None
    at_most: float | None = None

    @property
    def verdict(self) -> str:
        if self.ratio is None:
            return FAILED
        enough = self.at_least is None or self.ratio.value >= self.at_least
        return PASS if enough and (self.at_most is None or self.ratio.value <= self.at_most) else MISS

    @property
    def wanted(self) -> str:
        return f">= {self.at_least:g}x" if self.at_least is not None else f"<= {self.at_most:g}x"


@dataclass(frozen=True)
class Curve:
    """Lines in one picture: by name, points from left to right."""

    name: str
    title: str
    x: str
    y: str
    lines: dict[str, list[tuple[float, float]]]


@dataclass
class Part:
    """A part that has been measured, or that has failed."""

    key: str
    title: str
    measures: list[dict[str, Any]] = field(default_factory=list)
    floors: list[Floor] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failed: str | None = None

    def take(self, contest: Contest) -> None:
        """The measures of a contest."""
        self.measures += [measure(name, runs) for name, runs in contest.runs.items()]
        self.notes += [f"failed: {name}: {why}" for name, why in contest.failed.items()]

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "measures": self.measures,
            "floors": [
                {"text": each.text, "wanted": each.wanted, "ratio": _ratio(each.ratio), "verdict": each.verdict}
                for each in self.floors
            ],
            "curves": [vars(each) for each in self.curves],
            "notes": self.notes,
            "failed": self.failed,
        }


def _ratio(ratio: Ratio | None) -> dict[str, float] | None:
    return None if ratio is None else {"value": ratio.value, "low": ratio.low, "high": ratio.high}


def measure(name: str, runs: list[Run]) -> dict[str, Any]:
    """The median of the runs and how far they lie apart."""
    rates = [run.rate for run in runs]
    return {
        "name": name,
        "rows": runs[0].rows,
        "output": runs[-1].output,
        "seconds": [round(run.seconds, 3) for run in runs],
        "rows_per_second": {"median": round(statistics.median(rates)), "low": round(min(rates)), "high": round(max(rates))},
        "triggers_ms": [run.triggers for run in runs],
        "state": runs[-1].state,
    }
