"""What a controller costs: processor time per tuple, of the controller alone and of a query on the kernels with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

import transom as tr
from experiments.delays import STEADY, delayed
from experiments.engine import Engine
from experiments.outcome import Outcome, Table
from experiments.size import Size
from transom import seconds
from transom.disorder import Buffered, DropRatio, Generator, Heartbeat, Slack
from transom.disorder.controllers import controller_of
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.sequence import Sequence
from transom.kernels.generating import Generating

TUPLES, BATCH, KEYS, REPEATS = 1_000_000, 50_000, 1_000, 5
SLACK = seconds(0.23)
"""As many come late as DRATIO 1% may let."""
TYPES = {"k": pa.int64(), "v": pa.float64(), "ts": pa.timestamp("us", "UTC"), "arrival_ts": pa.timestamp("us", "UTC")}
POLICIES: dict[str, tuple[str, Generator]] = {
    "SLACK": ("SLACK 230 MILLISECONDS", Slack(SLACK)),
    "SLACK, none late": ("SLACK 2 SECONDS", Slack(seconds(2))),
    "HEARTBEAT": ("HEARTBEAT", Heartbeat()),
    "HEARTBEAT AVERAGE": ("HEARTBEAT AVERAGE", Heartbeat(average=True)),
    "DRATIO 1%": ("DRATIO 1%", DropRatio(0.01)),
    "DRATIO 0.1%": ("DRATIO 0.1%", DropRatio(0.001)),
    "DRATIO 1% NORMAL": ("DRATIO 1% NORMAL", DropRatio(0.01, normal=True)),
    "DRATIO 1% BFSIZE 10000": ("DRATIO 1% BFSIZE 10000", Buffered(DropRatio(0.01), 10_000)),
    "DRATIO 1% BFSIZE 100": ("DRATIO 1% BFSIZE 100", Buffered(DropRatio(0.01), 100)),
}
FEW, LENGTHS = 10, (1, 10, 60, 600)
LATE = {
    "none late": "SLACK 2 SECONDS",
    "late": "SLACK 230 MILLISECONDS",
    "late, CONSISTENT": "SLACK 230 MILLISECONDS LATE CONSISTENT",
    "late, DRATIO 1%": "DRATIO 1%",
}
HEAD = {"policy": "", "controller ns": ".0f", "query ns": ".0f", "more than SLACK ns": ".0f", "more than SLACK %": ".0f"}


def run(size: Size) -> Outcome:
    made = Outcome("What a controller costs in the kernels")
    tuples = size.of(TUPLES, least=20_000)
    stream = delayed(STEADY["exponential"], tuples, 0)
    table = pa.table(
        {
            "k": np.arange(tuples) * 7919 % KEYS,
            "v": np.arange(tuples) % 100 * 1.0,
            "ts": pa.array(stream.tau, TYPES["ts"]),
            "arrival_ts": pa.array(stream.at, TYPES["arrival_ts"]),
        }
    )
    works: dict[str, Callable[[], Any]] = {}
    for name, (clause, generator) in POLICIES.items():
        works[f"controller {name}"] = partial(alone, generator, stream.tau, stream.at)
        works[f"query {name}"] = partial(query, clause, table)
    times = {name: 1e9 * spent / tuples for name, spent in least(works, 1 if size.most else REPEATS).items()}
    base = times["query SLACK"]
    rows = []
    for name in POLICIES:
        own, whole = times[f"controller {name}"], times[f"query {name}"]
        rows.append([name, None if name.startswith("SLACK") else own, whole, whole - base, 100 * (whole - base) / base])
    title = f"Processor time per tuple: sum, max and count per key ({KEYS:,}) over 10 s every 1 s, {tuples:,} tuples, one shard"
    made.tables.append(Table(title, HEAD, rows))
    made.tables.append(by_length(table, 1 if size.most else REPEATS))
    return made


def by_length(table: pa.Table, repeats: int) -> Table:
    """What late tuples cost, the longer windows are. Keys are few, so that results are."""
    table = table.set_column(0, "k", pa.array(np.arange(table.num_rows) % FEW))
    works: dict[str, Callable[[], Any]] = {
        f"{length} {name}": partial(query, clause, table, f"RANGE {length} SECONDS SLIDE 1 SECOND")
        for length in LENGTHS
        for name, clause in LATE.items()
    }
    times = {name: 1e9 * spent / table.num_rows for name, spent in least(works, repeats).items()}
    rows = [[length, *(times[f"{length} {name}"] for name in LATE)] for length in LENGTHS]
    title = f"Processor time per tuple, ns: the same of {FEW} keys, by the length of windows, with 1 % of the tuples late"
    return Table(title, {"range / slide": "d", **dict.fromkeys(LATE, ".0f")}, rows)


def alone(generator: Generator, tau: Any, at: Any) -> None:
    controller, grain = controller_of(generator, Axis(), timed=True), Generating(control=generator, timed=True).grain
    for start in range(0, len(tau), BATCH):
        controller.judge(Sequence.of(tau[start : start + BATCH] // grain), at[start : start + BATCH])


def query(clause: str, table: pa.Table, window: str = "RANGE 10 SECONDS SLIDE 1 SECOND") -> None:
    text = f"""
        CREATE STREAM s (k BIGINT, v DOUBLE, ts TIMESTAMP) ORDER BY ts {clause};
        SELECT k, sum(v) AS s, max(v) AS m, count(*) AS n FROM s [{window}] GROUP BY k;
    """
    Engine(tr.sql(text), TYPES).answer(table, BATCH)


def least(works: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """The least time of each, in rounds in which each runs once."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            start = time.process_time()
            work()
            times[name].append(time.process_time() - start)
    return {name: min(each) for name, each in times.items()}
