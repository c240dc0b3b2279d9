"""One execution of a job: the rows it gives, tagged where several outputs take them, and the rows of each output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyspark.sql import DataFrame, Observation, SparkSession

from transom.errors import MissingClause
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.panes import Together
from transom.planner import plan as planned
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.relations.inputs import StreamInput
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.shards import folds_once, number_of_shards
from transom.planner.stage import Stage
from transom.planner.stages import AnyStage
from transom.spark.frames.above import above
from transom.spark.frames.query_frame import FRONTIER_CONF, ZONE, Executed, execute, stated, to_df
from transom.spark.running.jobs import Job, QueryOutput
from transom.spark.running.messages.late_warning import warn_of_late
from transom.spark.settings import SHARDS, keeps_blocks
from transom.spark.spark_session import own_python


def executed(
    job: Job,
    spark: SparkSession,
    *,
    shards: int | None = None,
    frontier: str | None = None,
    bounded: bool = False,
    end: int | None = None,
    seen: Observation | None = None,
) -> tuple[DataFrame, Executed | None]:
    """The rows of a job; tagged, and with what tells them apart, if several outputs take them. `frontier` as for `to_df`."""
    if end is None and not bounded:
        check_completes(job.late or job.outputs[0].plan)
    if job.late is None:
        plan = job.outputs[0].plan
        return to_df(plan, spark, shards=shards, frontier=frontier, bounded=bounded, end=end, observation=seen), None
    physical = planned(job.late, zone=spark.conf.get(ZONE) or "UTC")
    with own_python(spark):
        tagged = execute(physical, spark, shards=shards, frontier=frontier, bounded=bounded, end=end, observation=seen)
    if len(job.outputs) == 1:
        return taken(job, tagged, job.outputs[0]), None
    for output in job.outputs:
        _ = taken(job, tagged, output).schema  # Spark analyses it
    return tagged.rows, tagged


def frontier_of(job: Job, spark: SparkSession, shards: int | None) -> str:
    """Where the sequences of the controllers of a stream are folded, if nothing is known of a checkpoint."""
    partitions, asked = int(spark.conf.get(SHARDS) or "1"), stated(spark, FRONTIER_CONF)
    for stage in _operators(planned(job.late or job.outputs[0].plan).stages):
        controlled = stage.reading.is_controlled and bool(stage.shard_by)
        count = number_of_shards(shards, partitions, spread=bool(stage.shard_by), controlled=controlled)
        by_tuple, able = stage.disorder.is_folded_by_tuple, keeps_blocks(spark)
        if controlled and folds_once(count, by_tuple=by_tuple, asked=asked, able=able):
            return "stage"
    return "shards"


def check_completes(plan: Node) -> None:
    """Refuse a query over an endless DataFrame in which no window would ever be complete.

    With a control source it may end some day.
    """
    plan = plan.queries[0] if isinstance(plan, Together) else plan
    for stage in _operators(planned(plan).stages):
        source = next((node.stream for node in plan.walk() if isinstance(node, Scan) and _is_endless(node)), None)
        if source is None or stage.attribute is None or stage.reading.hears_promises:
            continue
        known = "nothing is known of its order" if source.order_by is None else f"progress is that of {stage.order!r}"
        raise MissingClause(
            f"no window on {stage.attribute!r} would ever be complete: {known}",
            given=f"a stream, and windows on {stage.attribute}",
            exists=[column.name for column in source.columns],
            remedy=f'order the stream by it, order_by="{stage.attribute}", or say at the window how far behind others its values '
            "may be: .tolerate(slack=...), SLACK in the bracket",
        )


def _operators(stages: Sequence[AnyStage]) -> Iterator[Stage]:
    for stage in stages:
        if isinstance(stage, Stage):
            yield stage
        elif isinstance(stage, ContainerStage):
            yield from (one for feed in stage.feeds for one in _operators(feed.stages))
        elif isinstance(stage, RelationalStage):
            for one in stage.inputs:
                yield from _operators([*one.stages, *([one.stage] if isinstance(one, StreamInput) else [])])
        else:
            yield from (one for branch in stage.branches for one in _operators(branch.stages))


def _is_endless(scan: Scan) -> bool:
    return scan.stream.frame is not None and bool(scan.stream.frame.isStreaming)


def taken(job: Job, tagged: Executed, output: QueryOutput) -> DataFrame:
    """Of tagged rows, those of an output."""
    with own_python(tagged.rows.sparkSession):
        own = tagged.results() if output.late is None else tagged.late()
        return above(own, replace(tagged.stage, above=tuple(job.above(output))))


def frame_of(
    output: QueryOutput,
    spark: SparkSession,
    *,
    shards: int | None = None,
    bounded: bool = False,
    observation: Observation | None = None,
) -> DataFrame:
    """The rows of one query by itself: results, or late tuples with what is selected of them."""
    job = Job((output,), output.late)
    frame = executed(job, spark, shards=shards, bounded=bounded, seen=observation)[0]
    if isinstance(spark, SparkSession) and frame.isStreaming:  # elsewhere `Quality.of` warns
        watch(job, spark)
    return frame


def watch(job: Job, spark: SparkSession) -> None:
    """Have the session warn of a job that may leave tuples out although nothing says how late they may be."""
    if any(stage.without_tolerance is not None for stage in _operators(planned(job.late or job.outputs[0].plan).stages)):
        warn_of_late(spark)
