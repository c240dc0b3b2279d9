"""What bursts would have cost, had the delay been shorter.

When late tuples come, the delay grows, and the frontier stands still: what is lost is what lies below it already. So a
burst costs a delay of d as many tuples as are more than d below the maximum that was reached when it began.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from transom.disorder.histogram.log_histogram import SIZE, step_of, top_of


@dataclass
class Bursts:
    """For each step of the logarithmic scale, the most that one burst had above it. The present one began at `high`.

    Latenesses up to `usual` were seen shortly before it, so that no shorter delay would have been chosen.
    """

    whole: bool
    high: Any = None
    usual: Any = None
    began: int = 0
    counts: dict[int, int] = field(default_factory=dict)
    worst: list[int] = field(default_factory=lambda: [0] * SIZE)

    def see(self, a: Any) -> None:
        if self.high is not None and self.high - a > self.usual:
            step = step_of(self.high - a)
            self.counts[step] = self.counts.get(step, 0) + 1

    def fold(self) -> None:
        """Compare the present burst with the worst."""
        if self.counts:
            least = step_of(self.usual)
            above = 0
            for step in range(max(self.counts), least - 1, -1):
                self.worst[step] = max(self.worst[step], above)
                above += self.counts.get(step, 0)
            cost = sum(count for step, count in self.counts.items() if step > least)
            for step in range(least):
                self.worst[step] = max(self.worst[step], cost)

    def begin(self, high: Any, usual: Any, seen: int) -> None:
        self.high, self.usual, self.began, self.counts = high, usual, seen, {}

    def affordable(self, tuples: float) -> Any:
        """The least delay at which no burst would have cost more."""
        return top_of(next(step for step, cost in enumerate(self.worst) if cost <= tuples), whole=self.whole)
