"""Two streams to be joined, the joins, and the same joins the way a good user of Spark would write them without Transom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.streaming.state import GroupStateTimeout

import transom as tr
from benchmarks.bench import Bench
from benchmarks.contest import Contender
from benchmarks.data import Dataset
from benchmarks.peers import set_to

WITHIN = 60
"""Seconds between the two tuples of a pair, at most."""

Join = Callable[[DataFrame, DataFrame], DataFrame]


@dataclass(frozen=True)
class Pairs:
    """Two streams of the same number of rows at the same times. Their span is chosen so that a tuple has one match within
    the bound, on average."""

    bench: Bench
    keys: int
    rows: int

    def contender(self, name: str, join: Join, *, files: int | None = None, at: float = 0) -> Contender:
        """A join over all files of both streams, or over the first few."""
        span = max(1, WITHIN * self.rows // self.keys)
        sides = [Dataset(self.rows, self.keys, self.bench.conditions.files, span, draw=draw) for draw in (0, 1)]
        paths = [side.path(self.bench.conditions.folder) for side in sides]
        total = self.bench.conditions.files
        count = min(files or total, total)
        warm = max(1, count // 4)

        def frame(n: int) -> DataFrame:
            left, right = (self.bench.stream(path, n) for path in paths)
            return join(left, right)

        def read(n: int) -> int:
            return 2 * (self.rows * n // total)

        return Contender(name, frame, count, read(count), warm, read(warm), at)


def interval_join(left: DataFrame, right: DataFrame) -> DataFrame:
    """Pairs of the same key, the right tuple at most a minute before the left one."""
    text = f"SELECT a.k, a.v AS x, b.v AS y FROM a JOIN b ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL {WITHIN} SECONDS AND a.ts"
    return tr.sql(text, a=tr.stream(left, order_by="ts"), b=tr.stream(right, order_by="ts")).to_df()


def near_join(left: DataFrame, right: DataFrame) -> DataFrame:
    """Pairs of the same key, at most a minute apart: over data of a minute, all tuples of both streams may still meet one."""
    near = f"b.ts BETWEEN a.ts - INTERVAL {WITHIN} SECONDS AND a.ts + INTERVAL {WITHIN} SECONDS"
    text = f"SELECT a.k, a.v AS x, b.v AS y FROM a JOIN b ON a.k = b.k AND {near}"
    return tr.sql(text, a=tr.stream(left, order_by="ts"), b=tr.stream(right, order_by="ts")).to_df()


def spark_interval_join(left: DataFrame, right: DataFrame) -> DataFrame:
    """Spark's join of two streams, with watermarks that wait for nothing."""
    a, b = (side.withWatermark("ts", "0 seconds").alias(name) for side, name in ((left, "a"), (right, "b")))
    bound = sf.expr(f"a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL {WITHIN} SECONDS AND a.ts")
    return a.join(b, bound).select(sf.col("a.k"), sf.col("a.v").alias("x"), sf.col("b.v").alias("y"))


def left_interval_join(left: DataFrame, right: DataFrame) -> DataFrame:
    """The same with left tuples that have no match; `end` is the time of the left one."""
    bound = f"b.ts BETWEEN a.ts - INTERVAL {WITHIN} SECONDS AND a.ts"
    text = f"SELECT a.k, b.v AS y, a.ts AS end FROM a LEFT JOIN b ON a.k = b.k AND {bound}"
    return tr.sql(text, a=tr.stream(left, order_by="ts"), b=tr.stream(right, order_by="ts")).to_df()


def spark_left_interval_join(left: DataFrame, right: DataFrame) -> DataFrame:
    """Spark's left outer join of two streams."""
    a, b = (side.withWatermark("ts", "0 seconds").alias(name) for side, name in ((left, "a"), (right, "b")))
    bound = sf.expr(f"a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL {WITHIN} SECONDS AND a.ts")
    return a.join(b, bound, "left_outer").select(sf.col("a.k"), sf.col("b.v").alias("y"), sf.col("a.ts").alias("end"))


def as_of_join(left: DataFrame, right: DataFrame) -> DataFrame:
    """Each left tuple with the last right tuple of its key up to its time."""
    text = "SELECT a.k, a.v AS x, b.v AS y FROM a ASOF JOIN b MATCH_CONDITION (a.ts >= b.ts) ON a.k = b.k"
    return tr.sql(text, a=tr.stream(left, order_by="ts"), b=tr.stream(right, order_by="ts")).to_df()


def pandas_as_of_join(arrow_bytes: str | None) -> Join:
    """`merge_asof` for each key, behind the rows of the key that still wait and the last right one, kept as bytes. Both streams
    are one with a column that says which, since a stateful function takes one stream."""

    def join(left: DataFrame, right: DataFrame) -> DataFrame:
        both = left.withColumn("side", sf.lit(0)).unionByName(right.withColumn("side", sf.lit(1)))
        return set_to(arrow_bytes, matched)(both)

    def matched(both: DataFrame) -> DataFrame:
        given = "k BIGINT, x DOUBLE, y DOUBLE"
        grouped = both.withWatermark("ts", "0 seconds").groupBy("k")
        return grouped.applyInPandasWithState(_as_of(), given, "kept BINARY", "append", GroupStateTimeout.EventTimeTimeout)

    return join


def _as_of() -> Callable:
    """A function made here is sent to the workers whole. A left row is matched once the watermark has passed its time."""

    def match(key, frames, state):
        import pickle

        import pandas as pd

        found = [frame for frame in frames if len(frame)]
        if state.exists:
            found.insert(0, pickle.loads(state.get[0]))
        if not found:
            return
        rows = pd.concat(found) if len(found) > 1 else found[0]
        passed = pd.Timestamp(state.getCurrentWatermarkMs(), unit="ms")
        lefts, rights = rows[rows["side"] == 0], rows[rows["side"] == 1].sort_values("ts", kind="stable")
        ready, waiting = lefts[lefts["ts"] < passed], lefts[lefts["ts"] >= passed]
        old = int((rights["ts"] < passed).sum())
        kept = pd.concat([waiting, rights.iloc[max(0, old - 1) :]])
        if len(kept):
            state.update((pickle.dumps(kept),))
            if len(waiting):
                state.setTimeoutTimestamp(max(int(waiting["ts"].max().timestamp() * 1000), state.getCurrentWatermarkMs()) + 1)
        elif state.exists:
            state.remove()
        pairs = pd.merge_asof(ready.sort_values("ts", kind="stable"), rights[["ts", "v"]], on="ts", suffixes=("", "_right"))
        pairs = pairs[pairs["v_right"].notna()]
        yield pd.DataFrame({"k": key[0], "x": pairs["v"].to_numpy(), "y": pairs["v_right"].to_numpy()})

    return match


def counted_pairs(length: int) -> Join:
    """How many pairs of each key two sliding windows hold, as it changes: the relation form under an aggregate."""
    window = f"[RANGE {length} SECONDS SLIDE 10 SECONDS]"
    text = f"SELECT ISTREAM a.k, count(*) AS n FROM a {window} AS a JOIN b {window} AS b ON a.k = b.k GROUP BY a.k"

    def join(left: DataFrame, right: DataFrame) -> DataFrame:
        return tr.sql(text, a=tr.stream(left, order_by="ts"), b=tr.stream(right, order_by="ts")).to_df()

    return join
