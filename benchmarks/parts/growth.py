"""How cost grows: with keys, and with the length of a window in rows. (With overlap: part 1; with windows: part 3.)"""

from __future__ import annotations

from benchmarks.bench import Bench, Query, line
from benchmarks.part import Curve, Part
from benchmarks.queries import over, row_window, sliding

KEYS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
LENGTHS = (10, 100, 1_000, 10_000)


def measure(bench: Bench) -> Part:
    part = Part("growth", "Growth with keys and with the length of a window in rows")
    by_keys: dict[str, Query] = {"sliding, overlap 1": sliding(1), "last 100 rows, OVER": over(100)}
    _curve(
        bench, part, "keys", "Throughput by keys", {name: (KEYS, lambda n, q=query: (q, n)) for name, query in by_keys.items()}
    )
    lengths = {
        "OVER": (LENGTHS, lambda n: (over(n), 100)),
        "row window": (LENGTHS, lambda n: (row_window(n), 100)),
    }
    _curve(bench, part, "rows of the window", "Throughput by window length, 100 keys", lengths)
    part.notes.append("Half of the rows, the same number at every point.")
    return part


def _curve(bench: Bench, part: Part, x: str, title: str, lines: dict) -> None:
    rows = max(bench.conditions.rows // 2, bench.conditions.files)
    made = {}
    for name, (points, of) in lines.items():
        made[name] = []
        for n in bench.conditions.some(points):
            query, keys = of(n)
            made[name].append(bench.contender(f"{name}, {n:,} {x}", query, keys, rows=rows, at=n))
    contest = bench.compete(*(one for each in made.values() for one in each))
    part.take(contest)
    drawn = {name: line(contest, each) for name, each in made.items()}
    short = x.split()[0]
    part.curves.append(Curve(f"by-{short}", title, x, "rows/s", drawn))
    state = {
        name: [(one.at, contest.runs[one.name][-1].state.get("live_bytes", 0)) for one in each if one.name not in contest.failed]
        for name, each in made.items()
    }
    part.curves.append(Curve(f"state-by-{short}", f"State by {x}", x, "state, bytes alive", state))
