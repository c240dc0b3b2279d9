"""Seed 000, experiment 1: execution time of window-id against buffering, as range / slide grows."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import transom as tr
from experiments.buffering import Partials, buffering, extents, window_id
from experiments.engine import Engine
from experiments.outcome import Curve, Outcome, Table
from experiments.size import Size
from transom import rows
from transom.kernels.columns.arrays import Array

RANGES, SEGMENTS = (10_000, 1_000), 10
OVERLAPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
STEPS = 4_000_000
"""About so many steps of the aggregate are taken by those who take each tuple once for each window."""

TYPES = {"seg": pa.int64(), "speed": pa.float64(), "ts": pa.timestamp("us", "UTC")}
Given = TypeVar("Given")
HEAD = {
    "range / slide": "g",
    "scan": ".3f",
    "buffering, one by one": ".3f",
    "window-id, one by one": ".3f",
    "buffering, arrays": ".3f",
    "window-id, kernels": ".3f",
}


def run(size: Size) -> Outcome:
    made = Outcome("Execution time: window-id against buffering (seed 000, experiment 1)")
    by_kernels(*readings(20_000), 1_000, 1_000)
    for range_ in RANGES if size.most is None else RANGES[-1:]:
        found = [measured(range_, overlap, size) for overlap in size.some(OVERLAPS)]
        title = f"Microseconds per tuple: max(speed) of {SEGMENTS} segments over {range_:,} rows"
        made.tables.append(Table(title, HEAD, [list(each) for each in found]))
        lines = {name: [(each[0], each[n]) for each in found] for n, name in enumerate(HEAD) if n > 1}
        name, title = f"execution_time_{range_}", f"Execution time per tuple, range {range_:,} rows"
        made.curves.append(Curve(name, title, "range / slide", "microseconds", lines, True, True))
    return made


def measured(range_: int, overlap: int, size: Size) -> tuple[float, ...]:
    """Every contender on tuples in order; a slow one is given fewer. All must give the same answers."""
    slide = range_ // overlap
    many, few = size.of(400_000, least=20_000), max(2 * range_, min(100_000, int(size.part * STEPS) // overlap))
    seg, speed = readings(many)
    seg_few, speed_few = seg[:few], speed[:few]
    listed = list(zip(seg_few.tolist(), speed_few.tolist(), strict=True))
    scan, _ = timed(lambda: sum(1 for _ in listed))
    slow, expected = timed(lambda: buffering(listed, range_, slide))
    wid, found = timed(lambda: window_id(listed, range_, slide))
    arrays, grid = timed(lambda: extents(seg_few, speed_few, range_, slide, SEGMENTS))
    kernels, answers = timed(lambda: by_kernels(seg, speed, range_, slide))
    on_grid = [{n: x for n, x in enumerate(row) if x > -np.inf} for row in grid.tolist()]
    if not expected == found == on_grid or not _begins_with(answers, expected):
        raise RuntimeError(f"the evaluators disagree at range / slide = {overlap}")
    per_tuple = [1e6 * seconds / few for seconds in (scan, slow, wid, arrays)]
    return (float(overlap), *per_tuple, 1e6 * kernels / many)


def readings(tuples: int) -> tuple[Array, Array]:
    r = np.random.default_rng(0)
    return r.integers(0, SEGMENTS, tuples), np.round(r.normal(55, 10, tuples), 3)


def timed(work: Callable[[], Given]) -> tuple[float, Given]:
    """The least processor time of a few runs; others may be at work on this machine."""
    times: list[float] = []
    while len(times) < 3 and sum(times) < 2:
        start = time.process_time()
        given = work()
        times.append(time.process_time() - start)
    return min(times), given


def by_kernels(seg: Array, speed: Array, range_: int, slide: int, batch: int = 50_000) -> pa.Table:
    """The engine's own way, with its state packed and unpacked for every micro-batch."""
    stream = tr.stream({"seg": "BIGINT", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts")
    query = stream.window(range=rows(range_), slide=rows(slide)).group_by("seg").agg(hi=tr.max("speed"), wid="wid")
    engine = Engine(query, TYPES)
    table = pa.table({"seg": seg, "speed": speed, "ts": pa.array(np.arange(len(seg)), TYPES["ts"])})
    return pa.concat_tables([engine.step(table.slice(start, batch)) for start in range(0, len(seg), batch)])


def _begins_with(answers: pa.Table, expected: list[Partials]) -> bool:
    """Windows are numbered from 0; those with which the input begins may be short."""
    found: list[Partials] = [{} for _ in expected]
    first = answers.filter(pc.less(answers["wid"], len(expected)))
    for wid, seg, hi in zip(*(first[name].to_pylist() for name in ("wid", "seg", "hi")), strict=True):
        found[wid][seg] = hi
    return found == expected
