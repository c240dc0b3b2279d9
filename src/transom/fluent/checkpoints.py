"""Checkpoints from Python: what their state holds."""

from __future__ import annotations

from os import PathLike, fspath
from typing import TYPE_CHECKING

from transom.errors import MissingSession

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import DataFrame, SparkSession


def state(checkpoint: str | PathLike[str], spark: SparkSession | None = None) -> DataFrame:
    """What the state in a checkpoint holds: a DataFrame with a row for each stateful operator and shard.

    The query may run meanwhile: what is read is the last micro-batch that has ended. `frontier` and `oldest` (the oldest tuple
    that is kept) are texts, timestamps in UTC or numbers; `open_windows` counts windows that hold a tuple and are not complete,
    and is NULL where they are not numbered over all keys; `rows` counts tuples, or partials where panes are added up;
    `largest` has the three keys with most of them. A checkpoint of `transom run` has a folder for each query of the script, which
    `query` names. The session is `spark`, by default the active one.

    ```
    tr.state("out/_checkpoint").orderBy("bytes", ascending=False).show()
    ```
    """
    from transom.spark.checkpoints.state_frames import state_frame

    return state_frame(_session(spark), fspath(checkpoint))


def rescale(checkpoint: str | PathLike[str], shards: int, spark: SparkSession | None = None) -> str:
    """Give a stopped query another number of shards; where the old checkpoint is kept.

    State is split and merged by key, and answers stay the same. It is all or nothing: a new checkpoint is made beside the old
    one, and the two change places at once. The query is then resumed with as many shuffle partitions as shards:

    ```
    tr.rescale("out/_checkpoint", 8)
    spark.conf.set("spark.sql.shuffle.partitions", 8)
    q.insert_into("TABLE", "speeds").start(checkpoint="out/_checkpoint")
    ```

    The session is a classic one, which can write the checkpoint's folder and the one it is in. Remove the old checkpoint when
    the query has gone on.
    """
    from transom.spark.checkpoints.rescaling import rescale

    return rescale(_session(spark), fspath(checkpoint), shards).kept


def _session(spark: SparkSession | None) -> SparkSession:
    if spark is not None:
        return spark
    from transom.spark.frames.query_frame import SparkSession as Session

    active = Session.getActiveSession()
    if active is None:
        raise MissingSession("there is no Spark session", remedy="make one: SparkSession.builder.getOrCreate()")
    return active
