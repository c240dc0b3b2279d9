"""Bits of indices."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from transom.kernels.aggregates.partial import Places


def bit_length(values: Places) -> npt.NDArray[np.uint8]:
    """How many bits each value has; exact below 2^53, as indices are."""
    return np.frexp(values.astype(np.float64))[1].astype(np.uint8)
