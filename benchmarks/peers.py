"""The same questions, asked the way a good user of Spark would without Transom."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.streaming.state import GroupStateTimeout

from benchmarks.data import SCHEMA, SLIDE
from transom.planner.shards import labels
from transom.spark.settings import BYTES

UNLIMITED = str(2**31 - 1)

SETTINGS = {"as Spark ships": None, "with Transom's Arrow setting": UNLIMITED}
"""Transom lifts the limit on the bytes of an Arrow batch. Peers in Python run without that, as they do today, and with it."""

RESULT = "k BIGINT, ts TIMESTAMP, a DOUBLE, m DOUBLE"


def spark_window(overlap: int):
    """Spark's own `window()`, in append mode, with a watermark that waits for nothing."""

    def query(frame: DataFrame) -> DataFrame:
        window = sf.window("ts", f"{overlap * SLIDE} seconds", f"{SLIDE} seconds")
        grouped = frame.withWatermark("ts", "0 seconds").groupBy(window, "k")
        made = grouped.agg(sf.sum("v").alias("s"), sf.max("v").alias("m"), sf.count("*").alias("n"))
        return made.select("k", "s", "m", "n", sf.col("window.end").alias("end"))

    return query


def pandas_rolling(length: int):
    """A pandas rolling window for each key, behind the rows of the key that it still needs, kept as bytes."""

    def query(frame: DataFrame) -> DataFrame:
        function = _rolling(length)
        return frame.groupBy("k").applyInPandasWithState(function, RESULT, "kept BINARY", "append", GroupStateTimeout.NoTimeout)

    return query


def _rolling(length: int):
    """A function made here is sent to the workers whole; one of a module would have to be found there."""

    def roll(key, frames, state):
        import pickle

        import numpy as np
        import pandas as pd

        found = list(frames)
        new = (pd.concat(found) if len(found) > 1 else found[0]).sort_values("ts", kind="stable")
        kept = pickle.loads(state.get[0]) if state.exists else np.empty(0)
        values = pd.Series(np.concatenate([kept, new["v"].to_numpy()]))
        window = values.rolling(length, min_periods=1)
        state.update((pickle.dumps(values.to_numpy()[-(length - 1) :]),))
        mean, highest = window.mean().to_numpy()[len(kept) :], window.max().to_numpy()[len(kept) :]
        yield pd.DataFrame({"k": key[0], "ts": new["ts"].to_numpy(), "a": mean, "m": highest})

    return roll


def by_hand(length: int):
    """The mean of the last rows of each key as a function of one's own: a deque and a total, kept as bytes."""

    def query(frame: DataFrame) -> DataFrame:
        given = "k BIGINT, ts TIMESTAMP, a DOUBLE"
        return frame.groupBy("k").applyInPandasWithState(
            _mean(length), given, "kept BINARY", "append", GroupStateTimeout.NoTimeout
        )

    return query


def _mean(length: int):
    def mean(key, frames, state):
        import pickle
        from collections import deque

        import pandas as pd

        found = list(frames)
        new = (pd.concat(found) if len(found) > 1 else found[0]).sort_values("ts", kind="stable")
        window, total = pickle.loads(state.get[0]) if state.exists else (deque(), 0.0)
        means = []
        for x in new["v"].tolist():
            if len(window) == length:
                total -= window.popleft()
            window.append(x)
            total += x
            means.append(total / len(window))
        state.update((pickle.dumps((window, total)),))
        yield pd.DataFrame({"k": key[0], "ts": new["ts"].to_numpy(), "a": means})

    return mean


def set_to(value: str | None, query):
    """A query of a peer under one of the settings."""

    def made(frame: DataFrame) -> DataFrame:
        conf = frame.sparkSession.conf
        conf.unset(BYTES) if value is None else conf.set(BYTES, value)
        return query(frame)

    return made


def identity(frame: DataFrame) -> DataFrame:
    """Every row through Python and back, and nothing else."""

    def same(batches):
        yield from batches

    return frame.mapInArrow(same, SCHEMA)


def idle(frame: DataFrame) -> DataFrame:
    """Every row to Python, where it is counted, and behind an exchange a stateful function that adds up: a window's bare plan."""
    return (
        frame.mapInArrow(_counted(), "shard INT, n BIGINT")
        .groupBy("shard")
        .applyInPandasWithState(_keeping(), "n BIGINT", "kept BINARY", "append", GroupStateTimeout.NoTimeout)
    )


def _counted():
    def counted(batches):
        import pyarrow as pa

        rows = sum(batch.num_rows for batch in batches)
        yield pa.RecordBatch.from_pydict({"shard": pa.array(labels(2, 2), pa.int32()), "n": pa.array([rows, 0])})

    return counted


def _keeping():
    def keeping(key, frames, state):
        import pandas as pd

        rows = sum(int(frame["n"].sum()) for frame in frames)
        state.update((b"kept",))
        yield pd.DataFrame({"n": [rows]})

    return keeping
