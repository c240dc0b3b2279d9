"""`python -m benchmarks.windowing`: what the windowing library costs, against windows written by hand. Pure Python, no Spark.

Times are of the processor, not of the clock on the wall, so that a shared machine disturbs little; of several turns, taken
alternately, the fastest counts. As Markdown, for BENCHMARKS.md.
"""

from __future__ import annotations

import ast
import inspect
import time as clocks
import tracemalloc
from collections import deque, namedtuple
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from benchmarks.by_hand import aggregate, join, sort
from transom.semantics.time import microseconds
from transom.windowing import ByTicks, OperatorRun, count, delta, punct, sliding, time, tumbling
from transom.windowing.toolkit import Aggregate, BatchSort, Count, Join, OuterJoin, Percentile, ProgressiveSort, Sum
from transom.windowing.toolkit import aggregate as toolkit_aggregate
from transom.windowing.toolkit import join as toolkit_join
from transom.windowing.toolkit import measures as toolkit_measures
from transom.windowing.toolkit import sort as toolkit_sort
from transom.windowing.tumbling_and_sliding import WindowKind

Row = namedtuple("Row", "k g x id")
KEYS = 100


def data(n: int) -> list[Row]:
    return [Row(number % KEYS, number % 7, float(number * 7919 % 1009), number) for number in range(n)]


def cost(tuples: int, turns: int, *contenders: Callable[[], Any]) -> list[float]:
    """Nanoseconds of processor time for a tuple, of each contender."""
    best = [float("inf")] * len(contenders)
    for _ in range(turns):
        for place, contender in enumerate(contenders):
            start = clocks.process_time()
            contender()
            best[place] = min(best[place], clocks.process_time() - start)
    return [seconds / tuples * 1e9 for seconds in best]


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [list(head), *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    shown = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines]
    return "\n".join([shown[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *shown[1:]])


# A container against a deque and local variables


def mean(window: Iterable[Any]) -> float:
    values = [t.x for t in window]
    return sum(values) / len(values)


def hand_tumbling_count(rows: list[Row], n: int) -> list[float]:
    held: deque[Any] = deque()
    out = []
    for t in rows:
        held.append(t)
        if len(held) == n:
            out.append(mean(held))
            held.clear()
    return out


def hand_tumbling_delta(rows: list[Row], d: int) -> list[float]:
    held: deque[Any] = deque()
    out, first = [], None
    for t in rows:
        place = t.id
        if first is None:
            first = place
        elif place - first > d:
            out.append(mean(held))
            held.clear()
            first = place
        held.append(t)
    return out


def hand_sliding_count(rows: list[Row], n: int, m: int) -> list[float]:
    held: deque[Any] = deque()
    out, since = [], 0
    for t in rows:
        if len(held) == n:
            held.popleft()
        held.append(t)
        since += 1
        if since == m:
            since = 0
            out.append(mean(held))
    return out


def hand_sliding_delta(rows: list[Row], d: int, m: int) -> list[float]:
    held: deque[Any] = deque()
    out, mark = [], None
    for t in rows:
        place = t.id
        if mark is None:
            mark = place
        elif place - mark > m:
            mark = place
            out.append(mean(held))
        while held and place - held[0].id > d:
            held.popleft()
        held.append(t)
    return out


def hand_partitioned_count(rows: list[Row], n: int) -> list[float]:
    parts: dict[Any, deque[Any]] = {}
    out = []
    for t in rows:
        held = parts.get(t.k)
        if held is None:
            held = parts[t.k] = deque()
        held.append(t)
        if len(held) == n:
            out.append(mean(held))
            del parts[t.k]
    return out


def hand_tumbling_time(rows: list[Row], period: int) -> list[float]:
    held: deque[Any] = deque()
    out, due, now = [], None, clocks.time_ns
    for t in rows:
        at = now() // 1000
        if due is None:
            due = at + period
        elif due <= at:
            if held:
                out.append(mean(held))
                held.clear()
            while due <= at:
                due += period
        held.append(t)
    return out


def contained(kind: WindowKind, rows: list[Row], ticks: bool = True) -> list[float]:
    out: list[float] = []
    kind.container(lambda window, partition: out.append(mean(window)), clock=ByTicks() if ticks else None).extend(rows)
    return out


def one_by_one(kind: WindowKind, rows: list[Row]) -> list[float]:
    out: list[float] = []
    insert = kind.container(lambda window, partition: out.append(mean(window)), clock=ByTicks()).insert
    for t in rows:
        insert(t)
    return out


def containers(rows: list[Row], turns: int) -> str:
    cases: list[tuple[str, Callable[[], Any], WindowKind]] = [
        ("tumbling count(10)", lambda: hand_tumbling_count(rows, 10), tumbling(count(10))),
        ("tumbling count(100)", lambda: hand_tumbling_count(rows, 100), tumbling(count(100))),
        ("tumbling count(10,000)", lambda: hand_tumbling_count(rows, 10_000), tumbling(count(10_000))),
        ("tumbling delta(id, 100)", lambda: hand_tumbling_delta(rows, 100), tumbling(delta("id", 100))),
        ("sliding count(100), count(10)", lambda: hand_sliding_count(rows, 100, 10), sliding(count(100), count(10))),
        ("sliding count(1,000), count(1,000)", lambda: hand_sliding_count(rows, 1000, 1000), sliding(count(1000), count(1000))),
        (
            "sliding delta(id, 100), delta(id, 100)",
            lambda: hand_sliding_delta(rows, 100, 100),
            sliding(delta("id", 100), delta("id", 100)),
        ),
        (
            f"tumbling count(100), {KEYS} partitions",
            lambda: hand_partitioned_count(rows, 100),
            tumbling(count(100)).partitioned_by("k"),
        ),
        (
            f"tumbling count(10), {KEYS} partitions",
            lambda: hand_partitioned_count(rows, 10),
            tumbling(count(10)).partitioned_by("k"),
        ),
    ]
    found = []
    for name, hand, kind in cases:
        assert hand() == contained(kind, rows)
        by_hand, library, single = cost(
            len(rows), turns, hand, lambda kind=kind: contained(kind, rows), lambda kind=kind: one_by_one(kind, rows)
        )
        found.append((name, by_hand, library, single))
    kind = tumbling(time(microseconds(1000)))
    by_hand, library = cost(len(rows), turns, lambda: hand_tumbling_time(rows, 1000), lambda: contained(kind, rows, ticks=False))
    found.append(("tumbling time(1 ms), the machine's clock", by_hand, library, float("nan")))
    return table(
        ("window, mean of x", "by hand, ns", "extend, ns", "ratio", "insert one by one, ns"),
        [
            (name, f"{hand:.0f}", f"{library:.0f}", f"{library / hand:.2f}", "-" if single != single else f"{single:.0f}")
            for name, hand, library, single in found
        ],
    )


# Averages over tumbling windows, as figure 3 of the seed


class Mean:
    def open(self, partition: Any) -> None:
        self.n, self.mean = 0, 0.0

    def insert(self, t: Any) -> None:
        self.n += 1
        self.mean += (t.x - self.mean) / self.n

    def close(self) -> None:
        """Nothing to do."""


def averaged(kind: WindowKind, rows: list[Row], every: int) -> None:
    """The clock goes on by a microsecond a tuple, 100 tuples at a time; punctuation comes every so many tuples."""
    out: list[float] = []
    container = kind.container(lambda window, partition: out.append(window.summary.mean), summarizer=Mean, clock=ByTicks())
    step = every if kind == kind.__class__(punct(), keys=kind.keys) else 100
    if not kind.reads_clock and step != every:
        container.extend(rows)
        return
    for start in range(0, len(rows), step):
        container.extend(rows[start : start + step])
        container.tick(start + step)
        container.punctuate()


def tumbles(rows: list[Row], turns: int) -> str:
    sizes = [size for size in (10, 100, 1_000, 10_000, 100_000, 1_000_000) if size <= len(rows)]
    kinds: dict[str, Callable[[int], WindowKind]] = {
        "count": lambda n: tumbling(count(n)),
        "delta": lambda n: tumbling(delta("id", n - 1)),
        "time": lambda n: tumbling(time(microseconds(n))),
        "punct": lambda n: tumbling(punct()),
    }
    found = []
    for name, make in kinds.items():
        for way in ("whole", f"{KEYS} partitions"):
            line = [f"{name}, {way}"]
            for size in sizes:
                partitioned = way != "whole"
                wide = size if name == "count" or not partitioned else size * KEYS
                kind = make(wide).partitioned_by("k") if partitioned else make(wide)
                (per,) = cost(len(rows), turns, lambda kind=kind, wide=wide: averaged(kind, rows, wide))
                line.append(f"{1e3 / per:.2f}")
            found.append(line)
    return table(("eviction, millions of tuples/s", *[f"{size:,}" for size in sizes]), found)


# Percentiles over sliding windows, as figure 4


def hand_percentile(rows: list[Row], n: int, m: int) -> list[float]:
    held: deque[Any] = deque(maxlen=n)
    out, since = [], 0
    for t in rows:
        held.append(t.x)
        since += 1
        if since == m:
            since = 0
            values = sorted(held)
            out.append(values[-(-95 * len(values) // 100) - 1])
    return out


def percentiles(rows: list[Row], turns: int) -> str:
    found = []
    for n in (10, 100, 1_000, 10_000):
        m = max(1, n // 10)

        def library(n: int = n, m: int = m) -> list[float]:
            run = OperatorRun(Aggregate("p DOUBLE", p=Percentile("x", 0.95)), sliding(count(n), count(m)))
            run.extend(rows)
            return [row.p for row in run.rows()]

        assert library() == hand_percentile(rows, n, m)
        by_hand, ours = cost(len(rows), turns, lambda n=n, m=m: hand_percentile(rows, n, m), library)
        found.append((f"sliding count({n:,}), count({m:,})", f"{by_hand:.0f}", f"{ours:.0f}", f"{ours / by_hand:.2f}"))
    return table(("95th percentile", "by hand, ns", "Aggregate, ns", "ratio"), found)


# Memory


def memory(sizes: Iterable[int]) -> str:
    found = []
    for size in sizes:
        held = []
        for summarizer in (None, Mean):
            tracemalloc.start()
            container = tumbling(count(size + 1)).container(lambda window, partition: None, summarizer=summarizer)
            container.extend(Row(0, 0, float(n), n) for n in range(size))
            held.append(tracemalloc.get_traced_memory()[0])
            tracemalloc.stop()
        found.append((f"{size:,}", f"{held[0] / 1e3:,.0f}", f"{held[1] / 1e3:,.0f}"))
    return table(("tuples in the window", "tuples kept, kB", "summarized, kB"), found)


# Operators: lines and speed


def code_lines(*modules: ModuleType) -> int:
    """Lines with code: no comments, docstrings, blank lines or imports."""
    lines: set[int] = set()
    for module in modules:
        tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom) or (
                isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            ):
                continue
            if isinstance(node, ast.stmt) and not isinstance(node, ast.Module):
                body = getattr(node, "body", None)
                end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
                lines |= {hash((module, line)) for line in range(node.lineno, max(end, node.lineno) + 1)}
    return len(lines)


def driven(operator: Any, rows: list[Row]) -> Any:
    for t in rows:
        operator.insert(t)
    return operator


def operators(rows: list[Row], turns: int) -> str:
    few = rows[: len(rows) // 5]
    sums = "g BIGINT, total DOUBLE, n BIGINT"

    def by_key(t: Any) -> Any:
        return t.k

    def library_aggregate(kind: WindowKind) -> list[Any]:
        run = OperatorRun(Aggregate(sums, total=Sum("x"), n=Count("x")), kind)
        run.extend(rows)
        return run.rows()

    def hand_aggregate(*evict: Any) -> list[Any]:
        out: list[Any] = driven(aggregate.AggregateByHand(evict[0], evict[1], by_key), rows).out
        return out

    def pair(left: Any, right: Any) -> Any:
        return left.id, right.id

    def matches(left: Any, right: Any) -> bool:
        return bool((left.id + right.id) % 3 == 0)

    def library_join(outer: tuple[str, ...]) -> list[Any]:
        sides = {side: sliding(count(20), count(1)).partitioned_by("k") for side in ("left", "right")}
        gives = "a BIGINT, b BIGINT"
        operator = OuterJoin(gives, matches, pair, outer) if outer else Join(gives, matches, pair)
        run = OperatorRun(operator, sides)
        for number, t in enumerate(few):
            run.insert(t, "left" if number // KEYS % 2 else "right")
        return run.rows("matched")

    def hand_join(outer: tuple[str, ...]) -> list[Any]:
        made = join.JoinByHand({"left": ("count", 20), "right": ("count", 20)}, by_key, matches, pair, outer)
        for number, t in enumerate(few):
            made.insert(t, "left" if number // KEYS % 2 else "right")
        return made.out

    def by_x(t: Any) -> Any:
        return t.x

    def library_sort(operator: Any, kind: WindowKind) -> list[Any]:
        run = OperatorRun(operator, kind)
        run.extend(rows)
        return run.rows()

    slides = sliding(count(100), count(100)).partitioned_by("k")
    cases: list[tuple[str, int, Callable[[], Any], Callable[[], Any]]] = [
        (
            "Aggregate, tumbling count(100), partitioned",
            len(rows),
            lambda: hand_aggregate(("count", 100), None),
            lambda: library_aggregate(tumbling(count(100)).partitioned_by("k")),
        ),
        (
            "Aggregate, sliding count(100), count(100), partitioned",
            len(rows),
            lambda: hand_aggregate(("count", 100), ("count", 100)),
            lambda: library_aggregate(slides),
        ),
        ("Join, count(20) both sides, partitioned", len(few), lambda: hand_join(()), lambda: library_join(())),
        (
            "OuterJoin, the same",
            len(few),
            lambda: hand_join(("left", "right")),
            lambda: library_join(("left", "right")),
        ),
        (
            "BatchSort, tumbling count(100)",
            len(rows),
            lambda: driven(sort.BatchSortByHand(("count", 100), by_x, None), rows).out,
            lambda: library_sort(BatchSort(by_x), tumbling(count(100))),
        ),
        (
            "ProgressiveSort, sliding count(100), count(1)",
            len(rows),
            lambda: driven(sort.ProgressiveSortByHand(("count", 100), by_x, None), rows).out,
            lambda: library_sort(ProgressiveSort(by_x), sliding(count(100), count(1))),
        ),
    ]
    found = []
    for name, tuples, hand, library in cases:
        assert hand() == library(), name
        by_hand, ours = cost(tuples, turns, hand, library)
        found.append((name, f"{by_hand:.0f}", f"{ours:.0f}", f"{ours / by_hand:.2f}"))
    return table(("operator", "by hand, ns", "on the library, ns", "ratio"), found)


def lines() -> str:
    found = []
    for name, hand, ours, paper in (
        ("Aggregate", [aggregate], [toolkit_aggregate], "54 %"),
        ("Join", [join], [toolkit_join], "43 %"),
        ("Sort", [sort], [toolkit_sort], "30 %"),
    ):
        by_hand, library = code_lines(*hand), code_lines(*ours)
        found.append((name, by_hand, library, f"{1 - library / by_hand:.0%}".replace("%", " %"), paper))
    measures = code_lines(toolkit_measures)
    note = f"\nThe measures of Aggregate (`measures.py`, {measures} lines) are not counted; by hand it is a sum and a count."
    return table(("operator", "lines by hand", "lines on the library", "less code", "less code, paper"), found) + "\n" + note


@click.command()
@click.option("--rows", default=1_000_000, show_default=True, help="Tuples of the largest runs.")
@click.option("--turns", default=5, show_default=True, help="Turns of each contender, of which the fastest counts.")
def main(rows: int, turns: int) -> None:
    """Measure the windowing library."""
    most = data(rows)
    some = most[: max(1, rows // 5)]
    for title, measure in (
        ("A container against a deque and local variables", lambda: containers(some, turns)),
        ("Averages over tumbling windows, with a summarizer, by tuples in a window", lambda: tumbles(most, max(1, turns // 2))),
        ("Percentiles over sliding windows", lambda: percentiles(some, turns)),
        ("Memory of a tumbling window", lambda: memory((1_000, 10_000, 100_000, min(rows, 1_000_000)))),
        ("Operators of the toolkit, speed", lambda: operators(some, turns)),
        ("Operators of the toolkit, lines of code", lines),
    ):
        print(f"#### {title}\n\n{measure()}\n", flush=True)


if __name__ == "__main__":
    main()
