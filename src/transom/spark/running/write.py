"""Queries written from Python: results and late rows of one execution, each into its own target or all to one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession

from transom.errors import BadOption, BadQuery, NotSupported
from transom.plan.nodes.node import Node
from transom.plan.relations.concrete_view import VIEW
from transom.plan.sql.render import render
from transom.plan.sql.stream_sql import render_stream
from transom.spark.frames.query_frame import FRONTIER_CONF, STATE_CONF, ZONE, Executed, stated
from transom.spark.running import checkpoint as checkpoints
from transom.spark.running.execution import executed, frontier_of, watch
from transom.spark.running.jobs import Job, QueryOutput, jobs_of, output_of
from transom.spark.running.messages.failures import cause, failure
from transom.spark.running.micro_batches import Handed, Writer, apart
from transom.spark.running.run_jobs import check_targets, note_of
from transom.spark.running.running_query import RunningQuery
from transom.spark.sinks import check_target, write_batch, write_stream
from transom.spark.sources.filesystem import absolute
from transom.spark.spark_session import session_of

SHARDS = "spark.sql.shuffle.partitions"
OWN = "a query, and late rows of that query, run as one; others run by themselves"


@dataclass(frozen=True)
class Asked:
    """How a query is to run."""

    checkpoint: str | None = None
    function: Callable[..., Any] | None = None
    trigger: tuple[tuple[str, Any], ...] = ()
    query_name: str | None = None
    shards: int | None = None


def write(plans: list[Node], spark: SparkSession | None, asked: Asked) -> RunningQuery:
    """Run queries as one execution; over a batch, until all is written."""
    job = job_of(plans, asked)
    session = session_of(job.outputs[0].plan, spark)
    try:
        rows, tagged = executed(job, session, shards=asked.shards, frontier=_kept_frontier(session, asked))
        if rows.isStreaming:
            watch(job, session)
            return _start(job, session, rows, tagged, asked)
        _write_batch(job, rows, tagged, asked)
        return RunningQuery(job.title)
    except AnalysisException as error:
        raise BadQuery(f"Spark does not accept the query: {cause(str(error))}", remedy="correct it") from error
    except PySparkException as error:
        raise failure(error) from error.with_traceback(None)


def job_of(plans: list[Node], asked: Asked) -> Job:
    """The one job that the queries make; each has a target, or all go to a function."""
    outputs = [output_of(number, _text(plan), plan) for number, plan in enumerate(plans)]
    for output in outputs:
        if (output.target is None) is (asked.function is None):
            raise BadQuery(
                "each query says where its rows go, or all go to one function",
                given=output.text,
                remedy='call insert_into("TABLE", "name") on each query, or give foreach_batch=function and no insert_into',
            )
        if output.target is not None:
            check_target(output.target)
    jobs = jobs_of(outputs)
    if len(jobs) != 1 and any(output.target is not None and output.target.kind.upper() == VIEW for output in outputs):
        raise NotSupported(
            "a concrete view is kept by an execution of its own",
            given="; ".join(job.title for job in jobs),
            remedy="start the view and the late rows one by one, each with a checkpoint of its own",
        )
    if len(jobs) != 1:
        raise NotSupported(
            OWN,
            given="; ".join(job.title if asked.function is None else _text(job.outputs[0].plan) for job in jobs),
            remedy="start each by itself, with a checkpoint of its own; late rows are those of the very query: q and q.late()",
        )
    return jobs[0]


def _text(plan: Node) -> str:
    """A query in words, also where SQL has none."""
    try:
        return render(plan)
    except NotSupported:
        return plan.label()


def _write_batch(job: Job, rows: DataFrame, tagged: Executed | None, asked: Asked) -> None:
    with apart(job, rows, tagged) as outputs:
        if asked.function is not None:
            asked.function(*(own for _, own in outputs), 0)
            return
        for output, own in outputs:
            assert output.target is not None
            write_batch(own, output.target)


def _start(job: Job, spark: SparkSession, rows: DataFrame, tagged: Executed | None, asked: Asked) -> RunningQuery:
    if not asked.checkpoint:
        raise BadOption(
            "a streaming query keeps what it has read, and its state, in a checkpoint",
            given="no checkpoint",
            remedy='give a folder of its own: checkpoint="out/_checkpoint"',
        )
    if not isinstance(spark, SparkSession) and len(job.outputs) > 1:
        raise NotSupported(
            "over Spark Connect several outputs of one execution are not supported",
            given=job.title,
            remedy="run it in a classic session, or start the query and its late rows one by one",
        )
    place, run = asked.checkpoint, ""
    if isinstance(spark, SparkSession):  # over Connect folders are the server's
        place = absolute(place)
        note = _agreed(job, spark, place, asked)
        check_targets(job, place, spark)
        checkpoints.keep(place, note)
        run = note.run
    target = job.outputs[0].target
    if tagged is None and target is not None:
        query = write_stream(rows, target, checkpoint=place, trigger=dict(asked.trigger), query_name=asked.query_name)
        return RunningQuery(job.title, query, plan=job.outputs[0].plan)
    function: Any = asked.function
    if tagged is not None:
        function = Handed(job, tagged, function) if function is not None else Writer(spark, job, tagged, place, run, _shown)
    elif isinstance(spark, SparkSession):
        function = Handed(job, tagged, function)
    stream = rows.writeStream.foreachBatch(function).option("checkpointLocation", place)
    stream = stream.trigger(**dict(asked.trigger)) if asked.trigger else stream
    stream = stream if asked.query_name is None else stream.queryName(asked.query_name)
    return RunningQuery(job.title, stream.start(), function, job.outputs[0].plan)


def _agreed(job: Job, spark: SparkSession, place: str, asked: Asked) -> checkpoints.Note:
    """What the checkpoint is to say, having seen that it does not say otherwise."""
    streams = [render_stream(node.stream) for node in job.scans]
    shards = [] if asked.shards is None else [f"shards={asked.shards}"]
    lines = list(dict.fromkeys([*streams, *(output.text for output in job.outputs), *shards]))
    state, zone = spark.conf.get(STATE_CONF, None) or "inline", spark.conf.get(ZONE) or "UTC"
    note = note_of(job, int(spark.conf.get(SHARDS) or 1), lines, state, zone)
    frontier = stated(spark, FRONTIER_CONF) or _kept_frontier(spark, asked) or frontier_of(job, spark, asked.shards)
    note = replace(note, fingerprints=[*note.fingerprints, *shards], frontier=frontier)
    old = checkpoints.known(place)
    if old is None:
        return note
    checkpoints.check(note, old)
    return replace(note, run=old.run)


def _kept_frontier(spark: SparkSession, asked: Asked) -> str | None:
    """Where the sequence of a controller has been folded so far, if there is a checkpoint that says so."""
    if not asked.checkpoint or not isinstance(spark, SparkSession):  # over Connect folders are the server's
        return None
    old = checkpoints.known(absolute(asked.checkpoint))
    return None if old is None else old.frontier


def _shown(output: QueryOutput, rows: DataFrame) -> int:
    raise AssertionError("every output has a target")
