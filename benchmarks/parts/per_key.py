"""An aggregate written in SQL with OVER, end to end, against a function of one's own for each key (`applyInPandasWithState`)."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.part import Floor, Part
from benchmarks.peers import SETTINGS, by_hand, set_to
from benchmarks.queries import written

LENGTH = 100
ROWS = 400_000
KEYS = (100,)


def measure(bench: Bench) -> Part:
    part = Part(
        "per key", f"An average of the last {LENGTH} rows written in SQL, against a stateful Python function for each key"
    )
    for keys in KEYS:
        ours = f"SQL aggregate, {keys:,} keys"
        theirs = {f"function {how}, {keys:,} keys": set_to(value, by_hand(LENGTH)) for how, value in SETTINGS.items()}
        contest = bench.compete(
            bench.contender(ours, written(LENGTH), keys, rows=ROWS),
            *(bench.contender(name, query, keys, rows=ROWS) for name, query in theirs.items()),
        )
        part.take(contest)
        part.floors += [Floor(f"SQL aggregate to {name}", contest.speed(ours, name), at_least=1) for name in theirs]
    part.notes.append(f"{ROWS:,} rows.")
    return part
