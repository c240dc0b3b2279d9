"""The steps of a frontier as bytes."""

from __future__ import annotations

import json

import numpy as np

from transom.kernels.columns.frontier_steps import FrontierStep, FrontierSteps
from transom.kernels.columns.number_packing import packed, unpacked
from transom.spark.exchange.binaries import joined, parted

NONE = np.zeros(0, np.int64)


def steps_to_bytes(steps: FrontierSteps) -> bytes:
    """All of them in one binary: what is short as JSON, and numbers packed."""
    each = list(steps.of.items())
    about = {
        "frontier": steps.frontier,
        "of": [[*order, step.start, len(step.late)] for order, step in each],
        "idle": steps.idle,
        "about": steps.about,
        "after_end": steps.after_end,
    }
    binaries = {"about": json.dumps(about).encode()}
    binaries["late"] = packed(np.concatenate([NONE, *(step.late for _, step in each)]))
    if each:
        binaries["frontiers"] = packed(np.concatenate([step.frontiers for _, step in each]))
    if steps.counted is not None:
        binaries["places"], binaries["before"] = (packed(numbers) for numbers in steps.counted)
    return joined(binaries)


def steps_from_bytes(data: memoryview) -> FrontierSteps:
    """The steps again."""
    binaries = {name: bytes(binary) for name, binary in parted(data).items()}
    about = json.loads(binaries["about"])
    late, frontiers = unpacked(binaries["late"]), unpacked(binaries.get("frontiers", b""))
    of, start = {}, 0
    for *order, reached, count in about.pop("of"):
        of[tuple(order)] = FrontierStep(reached, late[start : start + count], frontiers[start : start + count])
        start += count
    counted = (unpacked(binaries["places"]), unpacked(binaries["before"])) if "places" in binaries else None
    return FrontierSteps(of=of, counted=counted, **about)
