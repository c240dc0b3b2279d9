"""Answers as DataFrames, and queries that write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from os import PathLike
from typing import TYPE_CHECKING, Any

from transom.errors import BadOption, BadQuery
from transom.fluent.verbs.planned import Planned
from transom.fluent.writing import write
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import Endpoint
from transom.plan.relations.concrete_view import VIEW, check_relation
from transom.plan.sources.source_check import check_target

if TYPE_CHECKING:
    from transom.fluent.relation import Relation
    from transom.semantics.time import Duration
    from transom.spark.frames.query_frame import DataFrame, Observation, SparkSession
    from transom.spark.running.running_query import RunningQuery


@dataclass(frozen=True, repr=False)
class Written(Planned):
    """Where the rows of a relation go."""

    def to_df(
        self,
        spark: SparkSession | None = None,
        *,
        shards: int | None = None,
        bounded: bool = False,
        observation: Observation | None = None,
    ) -> DataFrame:
        """The answer as a Spark DataFrame: streaming if the input streams, batch if it does not.

        The session is that of the input, or the active one. `shards` is how many ways the work is spread, by default as
        many as `spark.sql.shuffle.partitions`, and not more than 8 where a controller (DRATIO, HEARTBEAT, BFSIZE) has to look
        at all tuples in each; `bounded` reads what a source has now, as a batch. An `observation` of a
        batch can be asked for its quality when it has run: `Quality.of(observation)`.

        ```
        frame = query.to_df()
        frame.show()                                          # a batch
        frame.writeStream.format("console").start()           # a stream
        ```
        """
        if isinstance(self.plan, Insert):
            raise BadQuery(
                "INSERT INTO says where rows go, and a DataFrame by itself writes nothing",
                given=self.plan.label(),
                remedy='call start(checkpoint="..."), which writes them; or leave INSERT INTO out, and write the DataFrame',
            )
        from transom.spark.running.execution import frame_of
        from transom.spark.running.jobs import output_of
        from transom.spark.running.messages.analysed import analysed
        from transom.spark.spark_session import session_of

        output = output_of(0, "", self.plan)
        with analysed():
            return frame_of(output, session_of(self.plan, spark), shards=shards, bounded=bounded, observation=observation)

    def insert_into(self, kind: str, name: str, *, format: str | None = None, **options: str) -> Relation:
        """Say where rows go: the `kind` FILE, TABLE, KAFKA, CONSOLE or VIEW, and its name. `start(...)` or `write(...)` writes.

        A VIEW is a concrete view: `spark.table(name)` has the latest complete result of the query, and nothing of earlier ones.

        >>> from transom import minutes, stream
        >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> query = traffic.window(tumble=minutes(5)).agg(hi="max(speed)")
        >>> query.insert_into("FILE", "out/q1", format="jsonl").sql().partition(" SELECT ")[0]
        "INSERT INTO FILE 'out/q1' FORMAT jsonl"
        """
        if not isinstance(kind, str) or not isinstance(name, str) or not (name or kind.upper() == "CONSOLE"):
            raise BadQuery(
                "rows go somewhere by kind and name", given=f"{kind!r}, {name!r}", remedy='write insert_into("TABLE", "speeds")'
            )
        wrong = next((key for key, value in options.items() if not isinstance(value, str | bool | int | float)), None)
        if wrong is not None:
            raise BadOption("an option is text", given=f"{wrong}={options[wrong]!r}"[:80], remedy=f'write {wrong}="..."')
        target = Endpoint(kind.upper(), name, format, tuple(options.items()))
        check_target(target)
        if target.kind == VIEW:
            check_relation(self.plan)
        return self._made(Insert(self.plan, target))

    def start(
        self,
        *,
        checkpoint: str | PathLike[str] | None = None,
        foreach_batch: Callable[..., Any] | None = None,
        processing_time: Duration | timedelta | str | None = None,
        available_now: bool = False,
        query_name: str | None = None,
        shards: int | None = None,
        spark: SparkSession | None = None,
    ) -> RunningQuery:
        """Run the query, and write its rows to the target of `insert_into`, or hand them to `foreach_batch(rows, batch)`.

        `transom.write` has what the arguments mean, and writes late rows beside the results.

        >>> from transom import minutes, stream
        >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble=minutes(5)).agg(hi="max(speed)").start(checkpoint="out/_checkpoint")
        Traceback (most recent call last):
            ...
        transom.errors.BadQuery: BadQuery: each query says where its rows go, or all go to one function
          given:  SELECT MAX(speed) AS hi FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]
          remedy: call insert_into("TABLE", "name") on each query, or give foreach_batch=function and no insert_into
        """
        return write(
            self._with(self.plan),
            checkpoint=checkpoint,
            foreach_batch=foreach_batch,
            processing_time=processing_time,
            available_now=available_now,
            query_name=query_name,
            shards=shards,
            spark=spark,
        )
