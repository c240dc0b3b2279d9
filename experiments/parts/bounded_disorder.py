"""Seed 000, experiment 2: latency against error under bounded disorder; punctuation from the source, and two kinds of slack."""

from __future__ import annotations

import numpy as np

import transom as tr
from experiments.outcome import Curve, Outcome, Table
from experiments.policies import Comparison, Windows
from experiments.size import Size
from experiments.waiting import SECOND, Stream, arrived
from transom.kernels.columns.arrays import Array

COPIES, LENGTH, EVERY = 100, 1_000, 0.5
"""So many copies of ten sequences; each has so many tuples, one each half second."""

SLACKS = (0, 2, 4, 6, 8, 10, 15, 20, 25, 30)
RATIOS = (0.1, 0.05, 0.02, 0.01, 0.005)
WINDOWS = Windows(60, 10, lambda: tr.avg("speed"))
HEAD = {"policy": "", "latency s": ".1f", "mean error %": ".3f", "wrong windows %": ".1f", "late tuples": ","}


def run(size: Size) -> Outcome:
    made = Outcome("Latency against error under bounded disorder (seed 000, experiment 2)")
    stream, speed = bounded(max(2, int(COPIES * size.part)))
    compared = Comparison(WINDOWS, stream, speed)
    found = {"external punctuation": [("", compared.punctuated())]}
    for late in ("consistent", "generous"):
        found[f"{late} slack"] = [(f" {slack} s", compared.slack(slack, late)) for slack in size.some(SLACKS)]
    found["DRATIO"] = [(f" {100 * ratio:g} %", compared.drop_ratio(ratio, "generous")) for ratio in size.some(RATIOS)]
    rows = [[f"{name}{what}", one.latency, one.error, one.wrong, one.late] for name, each in found.items() for what, one in each]
    title = f"avg(speed) over {WINDOWS.range} s every {WINDOWS.slide} s, {len(speed):,} tuples"
    made.tables.append(Table(title, HEAD, rows))
    lines = {name: [(one.latency, one.error) for _, one in each] for name, each in found.items()}
    made.curves.append(Curve("bounded_disorder", "Error against latency, bounded disorder", "latency (s)", "error %", lines))
    return made


def bounded(copies: int) -> tuple[Stream, Array]:
    """Copies, one after the other, of ten sequences with a disorder of at most 3 to 30 seconds each."""
    r = np.random.default_rng(0)
    bounds = 3.0 * np.arange(1, 11)
    delays = [np.minimum(r.exponential(bound / 4, LENGTH), bound) for bound in bounds]
    tuples = copies * LENGTH
    delay = np.concatenate([delays[one] for one in r.integers(0, 10, copies)])
    tau = np.arange(tuples) * EVERY + r.uniform(0, EVERY, tuples)
    speed = 55 + 15 * np.sin(tau / 60) + r.normal(0, 10, tuples)
    micros, order = (tau * SECOND).astype(np.int64), np.argsort(tau + delay, kind="stable")
    return arrived(micros, (delay * SECOND).astype(np.int64)), np.round(speed[order], 3)
