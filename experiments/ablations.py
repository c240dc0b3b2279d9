"""DRATIO without one of its mechanisms, or with one of its constants half or twice as large."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from transom.disorder.dratio import budget, drop_ratio, drop_ratio_arrays, fall_arrays, piece_arrays, schedule
from transom.disorder.dratio.budget import Budget, Choice
from transom.disorder.dratio.schedule import until_next

MODULES = (budget, schedule, drop_ratio, drop_ratio_arrays, fall_arrays, piece_arrays)
"""Where constants are looked up."""

NEVER = 2**40


@dataclass(frozen=True)
class Ablation:
    """What is changed: constants and functions by name, and methods of the budget."""

    name: str
    names: Mapping[str, Any] = field(default_factory=dict)
    methods: Mapping[str, Any] = field(default_factory=dict)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """While it lasts, DRATIO is without it; every module that has imported a name sees the change."""
        patches = [patch.object(Budget, name, made) for name, made in self.methods.items()]
        for name, value in self.names.items():
            held = [module for module in MODULES if name in vars(module)]
            if not held:
                raise KeyError(name)
            patches += [patch.object(module, name, value) for module in held]
        for one in patches:
            one.start()
        try:
            yield
        finally:
            for one in reversed(patches):
                one.stop()


def _calm_without_lead(self: Budget, choice: Choice, largest: Any, memory: Any) -> Choice:
    usual = memory.exceeded(budget.USUAL * self.ratio)
    return Choice(min(budget.AHEAD * largest, usual), True, choice.share, 0) if largest <= usual else choice


def _learns_while_few(self: Budget) -> bool:
    return self.ratio * max(0, self.seen - budget.UNCOUNTED) < budget.EARNED


def _learns_while_exceeded(self: Budget) -> bool:
    return self.seen < schedule.LEARNING and self.lost > self.ratio * max(0, self.seen - budget.UNCOUNTED)


def _next_whatever_the_window(seen: int, relevant: int, ratio: float, *, rising: bool) -> int:
    return until_next(seen, NEVER, ratio, rising=rising)


WHOLE = Ablation("DRATIO as it is")

MECHANISMS = (
    Ablation("first promise: at once (ENOUGH)", {"ENOUGH": 0}),
    Ablation("learning: off", methods={"learns": property(lambda self: False)}),
    Ablation("learning: only while few may be late", methods={"learns": property(_learns_while_few)}),
    Ablation("learning: only where HEARTBEAT fails", methods={"learns": property(_learns_while_exceeded)}),
    Ablation("learning: waits for the largest (FARTHER, SURE)", {"FARTHER": 1, "SURE": 0}),
    Ablation("learning: spares nothing (SPARED)", {"SPARED": NEVER}),
    Ablation("calm: off", methods={"_calm": lambda self, choice, largest, memory: choice}),
    Ablation("calm: no lead", methods={"_calm": _calm_without_lead}),
    Ablation("alarm: off (SIGMAS)", methods={"alarm": lambda self, choice, tuples: NEVER}),
    Ablation("rise: off (RISING_FOR)", {"RISING_FOR": -1}),
    Ablation("fall: off (QUIET, STIR)", {"calm_below": lambda *about, whole: 0}),
    Ablation("fall: also where the delay would hardly be shorter (CALM)", {"CALM": 1}),
    Ablation("fall: the next choice as late as ever", {"until_next": _next_whatever_the_window}),
    Ablation("insurance: off (AT_STAKE)", methods={"_insured": lambda self, choice, memory, worst: choice}),
    Ablation("insurance: no limit to it (CAREFUL)", {"CAREFUL": 0.0}),
    Ablation("budget: nothing kept back", {"KEPT_BACK": 0.0, "CHANCE": 0.0, "MARGIN": 0}),
    Ablation("budget: repaid as slowly as spent", {"REPAID": 4}),
    Ablation("budget: no DARING", {"DARING": NEVER}),
    Ablation("limit: any unexpected lateness (FAR)", {"FAR": 1}),
    Ablation("limit: nothing beyond the lateness (BEYOND)", {"BEYOND": NEVER}),
    Ablation("schedule: small ratios as others (SMALL)", {"SMALL": 0.0}),
    Ablation("schedule: window does not widen (WIDEST)", {"WIDEST": 1024}),
    Ablation("memory: of all tuples (ONE_IN)", {"ONE_IN": 1}),
)
"""One mechanism off each."""

CONSTANTS = {
    schedule: "FEWEST UNCOUNTED WINDOW WIDEST WIDENS EVERY RAREST PART_SMALL PART_FIRST PART RISING_FOR QUIET STIR CALM LEARNING"
    " BEYOND FAR",
    budget: "ENOUGH EARNED FARTHER SURE SPARED USUAL AHEAD RAISED AT_STAKE CAREFUL SPENT REPAID KEPT_BACK CHANCE MARGIN SIGMAS",
}
WITHIN_ONE = {"USUAL": (0.6, 1.0), "CAREFUL": (0.2, 0.8)}
"""Shares that cannot be doubled, or should not be halved."""


def scaled() -> list[Ablation]:
    """Each constant half and twice as large."""
    found = []
    for module, names in CONSTANTS.items():
        for name in names.split():
            value = getattr(module, name)
            low, high = WITHIN_ONE.get(name, (type(value)(value / 2), value * 2))
            found += [Ablation(f"{name} {value:g} -> {other:g}", {name: other}) for other in (low, high)]
    return found
