"""The monotonicity of a window's state (seed 002, section 3.4): what happens to tuples once they are in."""

from __future__ import annotations

from enum import Enum

from transom.semantics.windows.band import Band
from transom.semantics.windows.landmark import Growing
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.refined import Refined
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window


class Monotonicity(Enum):
    """From the strongest to the weakest."""

    MONOTONIC = "monotonic: no tuple ever leaves"
    WEAKEST_NON_MONOTONIC = "weakest non-monotonic: tuples leave in the order they came"
    WEAK_NON_MONOTONIC = "weak non-monotonic: tuples leave, not in the order they came"


def monotonicity(window: Window) -> Monotonicity:
    """The monotonicity of a window.

    The edge of a partition moves with that partition's own tuples if they are counted or make the ids; then one
    partition's tuples may leave before older ones of another. An extent whose length varies can take back what it
    had let go.
    """
    if isinstance(window, Partitioned) and _moves_by_tuples(window):
        return Monotonicity.WEAK_NON_MONOTONIC
    if isinstance(window, Refined):
        return monotonicity(window.window)
    if isinstance(window, Growing | Band):
        return Monotonicity.MONOTONIC
    if isinstance(window, Varying):
        return Monotonicity.WEAK_NON_MONOTONIC
    return Monotonicity.WEAKEST_NON_MONOTONIC


def _moves_by_tuples(window: Window) -> bool:
    return window.counting is not None or window.ids_from_tuples
