"""The contract of DRATIO on delays that are known: the share of late tuples, and the delay that it takes."""

from __future__ import annotations

import numpy as np

from experiments.delays import CHANGING, STEADY, SUDDEN, delayed, heaps
from experiments.outcome import Outcome, Table
from experiments.ratios import HEAD, RATIOS, beside, row
from experiments.size import Size
from experiments.waiting import waiting
from transom.disorder import Buffered, DropRatio

TUPLES, SEEDS = 100_000, 5
MANY = 2_000_000
HEAPS = 20
LIMITS = (10, 100, 200, 400, 1_000, 10_000)


def run(size: Size) -> Outcome:
    made = Outcome("The contract: late tuples and delay for a stated ratio")
    tuples, seeds = size.of(TUPLES, least=TUPLES), range(SEEDS if size.most is None else 1)
    for kind, streams in (("Steady", STEADY), ("Changing", CHANGING), ("Suddenly changing", SUDDEN)):
        rows = []
        for name, delays in streams.items():
            each = [delayed(delays, tuples, seed) for seed in seeds]
            rows += [row(name, [beside(stream, ratio) for stream in each]) for ratio in RATIOS]
        title = f"{kind} delays: {tuples:,} tuples, one a millisecond, {len(seeds)} seeds (medians; most: of all seeds)"
        made.tables.append(Table(title, HEAD, rows))
    made.tables += [in_heaps(size), long(size.of(MANY)), limited(tuples, size)]
    return made


def in_heaps(size: Size) -> Table:
    """Disorder that does not change over time, and cannot be foretold: few heaps say little of the next, many say enough."""
    rows, seeds = [], range(HEAPS if size.most is None else 2)
    for tuples in (TUPLES, size.of(10 * TUPLES)):
        each = [heaps(tuples, seed) for seed in seeds]
        rows += [row(f"{tuples:,} tuples", [beside(stream, ratio) for stream in each]) for ratio in RATIOS]
    return Table(f"Heaps at random, a tuple each 25 ms, {len(seeds)} seeds (medians; most: of all seeds)", HEAD, rows)


def long(tuples: int) -> Table:
    """After many tuples the delay is chosen anew less often: what single tuples that are far later than others do to it."""
    rows: list[list[object]] = []
    for name, delays in {**STEADY, **CHANGING}.items():
        stream = delayed(delays, tuples, 0)
        for ratio in RATIOS:
            found = waiting(DropRatio(ratio), stream)
            spread = [found.median, float(found.delays.mean()), float(np.quantile(found.delays, 0.95))]
            slacks = [stream.slack_for(found.share), stream.slack_for(ratio)]
            rows.append([name, 100 * ratio, 100 * found.share, *spread, *slacks])
    head = {"stream": "", "target %": "g", "late %": ".3f", "median delay s": ".3f", "mean": ".3f", "of 95 % at most": ".3f"}
    return Table(f"Long streams: {tuples:,} tuples", head | {"SLACK, same share": ".3f", "SLACK, target": ".3f"}, rows)


def limited(tuples: int, size: Size) -> Table:
    """BFSIZE over DRATIO: the limit holds from the first tuple on, whatever is late for it."""
    rows: list[list[object]] = []
    for name in ("exponential", "Pareto"):
        stream = delayed(STEADY[name], tuples, 0)
        for limit in size.some(LIMITS):
            found = waiting(Buffered(DropRatio(0.01), limit), stream, first=0)
            rows.append([name, limit, int(found.buffers.max()), found.buffer, 100 * found.share, found.median])
    head = {"stream": "", "BFSIZE": ",", "most that wait": ",", "mean": ".1f", "late %": ".2f", "median delay s": ".3f"}
    return Table(f"BFSIZE over DRATIO 1%: {tuples:,} tuples, all of them counted", head, rows)
