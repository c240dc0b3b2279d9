"""Queries that write: results and late rows of one execution, each into its own target."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from transom.errors import BadQuery, ConflictingClauses, NotALength
from transom.fluent.lengths import duration_of
from transom.fluent.verbs.planned import plan_of
from transom.semantics.time import Duration
from transom.spark.running.running_query import RunningQuery

if TYPE_CHECKING:
    from transom.fluent.relation import Relation
    from transom.spark.frames.query_frame import SparkSession


def write(
    *queries: Relation,
    checkpoint: str | PathLike[str] | None = None,
    foreach_batch: Callable[..., Any] | None = None,
    processing_time: Duration | timedelta | str | None = None,
    available_now: bool = False,
    query_name: str | None = None,
    shards: int | None = None,
    spark: SparkSession | None = None,
) -> RunningQuery:
    """Run a query and the late rows of the same query as one execution, and write each to its target.

    ```
    running = tr.write(
        q.insert_into("TABLE", "speeds"),
        q.late().insert_into("FILE", "out/late", format="parquet"),
        checkpoint="out/_checkpoint",
    )
    running.awaitTermination()
    ```

    One execution means that results and late rows always agree: the late rows are the tuples that missed a window of these
    very results. FILE and TABLE hold each row once, however often the query is killed and restarted from its
    `checkpoint`; KAFKA, partitioned tables of files, and tables of a format other than Parquet, ORC, Delta and Iceberg, may
    get the last micro-batch again after a crash.

    With `foreach_batch` queries have no target. The function is called for each micro-batch with one DataFrame for each
    query and the number of the micro-batch, `save(results, late, batch)`. As with PySpark's `foreachBatch`, a restart may
    repeat the last micro-batch, with the same rows and the same number.

    `query_name` is the name of the query in Spark's UI and reports. `shards` is how many ways the work is spread, by default
    `spark.sql.shuffle.partitions`. `spark` is the session, by default that of the input.

    It runs until it is stopped, a micro-batch as soon as the last has ended, or every `processing_time` ("10 seconds");
    with `available_now` it reads what is there, and ends. Over a batch DataFrame everything is written when `write` returns, and
    a checkpoint is not needed. A checkpoint of a query that has since changed is refused here, with the lines that differ.

    >>> from transom import minutes, stream
    >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> q = traffic.window(tumble=minutes(5)).agg(hi="max(speed)")
    >>> write(q, checkpoint="out/_checkpoint")
    Traceback (most recent call last):
        ...
    transom.errors.BadQuery: BadQuery: each query says where its rows go, or all go to one function
      given:  SELECT MAX(speed) AS hi FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]
      remedy: call insert_into("TABLE", "name") on each query, or give foreach_batch=function and no insert_into
    """
    if not queries:
        raise BadQuery("there is nothing to write", given="no queries", remedy="give at least one")
    if available_now and processing_time is not None:
        raise ConflictingClauses(
            "a query runs now and then, or once over what is there",
            given="processing_time and available_now",
            remedy="keep one of the two",
        )
    from transom.spark.running.write import Asked, write

    trigger: dict[str, Any] = {"availableNow": True} if available_now else {}
    trigger |= {} if processing_time is None else {"processingTime": _interval(processing_time)}
    if foreach_batch is not None and not callable(foreach_batch):
        raise BadQuery(
            "foreach_batch is a function", given=repr(foreach_batch), remedy="give one of the rows and the batch's number"
        )
    place = None if checkpoint is None else fspath(checkpoint)
    return write(
        [plan_of("write", query) for query in queries],
        spark,
        Asked(place, foreach_batch, tuple(trigger.items()), query_name, shards),
    )


def _interval(every: Duration | timedelta | str) -> str:
    """How often a micro-batch begins, as Spark takes it."""
    length = duration_of("processing_time", every)
    if not isinstance(length, Duration) or length.micros < 0:
        raise NotALength("processing_time is a length of time", given=repr(every), remedy='give "10 seconds"')
    return f"{length.micros // 1000} milliseconds"
