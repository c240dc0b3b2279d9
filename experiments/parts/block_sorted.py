"""Seed 000, experiment 3: latency against wrong answers under block-sorted disorder, as a router shows that empties its cache."""

from __future__ import annotations

import numpy as np

import transom as tr
from experiments.outcome import Curve, Outcome, Table
from experiments.parts.bounded_disorder import HEAD
from experiments.policies import Comparison, Found, Windows
from experiments.size import Size
from experiments.waiting import SECOND, Stream
from transom.kernels.columns.arrays import Array

BLOCK, TUPLES, EVERY = 60, 60_000, 0.1
SLACKS = (0, 10, 20, 30, 40, 50, 58, 60, 62, 70, 80, 100, 120)
RATIOS = (0.1, 0.01, 0.001)
WINDOWS = Windows(60, 60, lambda: tr.count())


def run(size: Size) -> Outcome:
    made = Outcome("Latency against wrong answers under block-sorted disorder (seed 000, experiment 3)")
    stream, speed = block_sorted(size.of(TUPLES, least=12_000))
    compared = Comparison(WINDOWS, stream, speed)
    slacks, ratios = size.some(SLACKS), size.some(RATIOS)
    found: dict[str, list[tuple[str, Found]]] = {"external punctuation": [("", compared.punctuated())]}
    for late in ("consistent", "generous"):
        found[f"{late} slack"] = [(f" {slack} s", compared.slack(slack, late)) for slack in slacks]
        found[f"DRATIO, {late}"] = [(f" {100 * ratio:g} %", compared.drop_ratio(ratio, late)) for ratio in ratios]
    rows = [[f"{name}{what}", one.latency, one.error, one.wrong, one.late] for name, each in found.items() for what, one in each]
    title = f"count(*) over {WINDOWS.range} s, blocks of {BLOCK} s, {len(speed):,} tuples"
    made.tables.append(Table(title, HEAD, rows))
    lines = {
        "latency (s)": [(float(slack), one.latency) for slack, (_, one) in zip(slacks, found["generous slack"], strict=True)]
    }
    for late in ("consistent", "generous"):
        each = zip(slacks, found[f"{late} slack"], strict=True)
        lines[f"wrong %, {late}"] = [(float(slack), one.wrong) for slack, (_, one) in each]
    made.curves.append(Curve("block_sorted", "Latency and wrong answers, block-sorted disorder", "slack (s)", "s, %", lines))
    return made


def block_sorted(tuples: int) -> tuple[Stream, Array]:
    """Tuples in order, shuffled within each block; the times of arrival stay where they are."""
    r = np.random.default_rng(0)
    at = ((np.arange(tuples) * EVERY + r.uniform(0, EVERY, tuples)) * SECOND).astype(np.int64)
    order = np.lexsort((r.random(tuples), at // (BLOCK * SECOND)))
    return Stream(at[order], at), np.ones(tuples)
