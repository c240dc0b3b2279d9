"""The experiments by name, in the order of the page."""

from __future__ import annotations

from collections.abc import Callable

from experiments.outcome import Outcome
from experiments.parts import (
    ablation,
    accuracy,
    block_sorted,
    bounded_disorder,
    contract,
    cost,
    execution_time,
    real_disorder,
    stability,
)
from experiments.size import Size

PARTS: dict[str, Callable[[Size], Outcome]] = {
    "contract": contract.run,
    "ablation": ablation.run,
    "real_disorder": real_disorder.run,
    "accuracy": accuracy.run,
    "stability": stability.run,
    "execution_time": execution_time.run,
    "bounded_disorder": bounded_disorder.run,
    "block_sorted": block_sorted.run,
    "cost": cost.run,
}
