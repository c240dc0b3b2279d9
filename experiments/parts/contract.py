"""The contract of DRATIO on delays that are known: the share of late tuples, and the delay that it takes."""

from __future__ import annotations

from experiments.delays import CHANGING, STEADY, SUDDEN, delayed
from experiments.outcome import Outcome, Table
from experiments.ratios import HEAD, RATIOS, beside, row
from experiments.size import Size

TUPLES, SEEDS = 100_000, 5


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
    return made
