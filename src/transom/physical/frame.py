"""From a plan to a DataFrame: Spark below the operators, bucket, exchange, operators, and Spark above them."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from transom.errors import BadOption, NotSupported
from transom.physical.above import above, finished, passed_on
from transom.physical.below import below, join, scanned
from transom.physical.control import control
from transom.physical.operate import LATE, RESULT
from transom.physical.operator_frame import operated_frame
from transom.physical.session import session_of
from transom.physical.sources import read
from transom.physical.stages import Stage, stages_of
from transom.physical.ticker import ticker
from transom.plan.node import Node
from transom.plan.relational import Extend, Filter, LateOf, Project, Scan, TableJoin
from transom.plan.sink import Insert
from transom.semantics.tuples import ARRIVAL_TS

__all__ = ["DataFrame", "Executed", "SparkSession", "execute", "to_df"]

STATE_CONF = "spark.transom.state"
"""`inline` or `blocks`: how the state of a single operator is kept."""


@dataclass(frozen=True)
class Executed:
    """A DataFrame that tags its rows: results, late tuples and control rows come from one execution."""

    tagged: DataFrame
    stage: Stage

    def results(self) -> DataFrame:
        return above(finished(self.tagged.where(F.col("__kind") == RESULT), self.stage), self.stage)

    def late(self) -> DataFrame:
        names = [name for name in self.stage.listed if name in [column.name for column in self.stage.input_schema.columns]]
        return self.tagged.where(F.col("__kind") == LATE).select(*(F.col(f"`{name}`") for name in names), F.col("frontier"))


def to_df(
    plan: Node, spark: SparkSession | None = None, *, shards: int | None = None, bounded: bool = False, end: int | None = None
) -> DataFrame:
    """The answer to a query: streaming if its input streams, batch if it does not.

    With `end` a streaming query also reads a control source, and can be drained: see `control`.
    """
    plan = plan.input if isinstance(plan, Insert) else plan
    session = session_of(plan, spark)
    stages = stages_of(plan)
    if not stages:
        return _without_windows(plan, session, bounded)
    executed = execute(stages, session, shards=shards, bounded=bounded, end=end)
    return executed.late() if stages[-1].only_late else executed.results()


def execute(
    stages: list[Stage], spark: SparkSession, *, shards: int | None = None, bounded: bool = False, end: int | None = None
) -> Executed:
    """Run stage after stage; the last one's rows are tagged."""
    inline = _is_inline(spark, stages)
    frame = scanned(stages[0], spark, bounded)
    if end is not None and frame.isStreaming:
        ends = control(spark, end)
        frame = frame.withColumn("__end", F.lit(False)).unionByName(ends, allowMissingColumns=True)
    if stages[0].looks_at_clock and frame.isStreaming:
        frame = frame.withColumn("__tick", F.lit(False)).unionByName(ticker(spark), allowMissingColumns=True)
    for number, stage in enumerate(stages):
        last = number + 1 == len(stages)
        frame = operated_frame(below(frame, stage), stage, spark, shards, inline=inline, number=None if last else number + 1)
        frame = frame if last else passed_on(frame, stage)
    return Executed(frame, stages[-1])


def _is_inline(spark: SparkSession, stages: list[Stage]) -> bool:
    """Whether state goes along with the data. Spark allows that for one operator; a large state is better off in blocks."""
    wanted = spark.conf.get(STATE_CONF, None)
    if wanted not in (None, "inline", "blocks"):
        raise BadOption(f"{STATE_CONF} says how state is kept", given=str(wanted), exists=["inline", "blocks"], remedy="use one")
    return len(stages) == 1 and wanted != "blocks"


def _without_windows(plan: Node, spark: SparkSession, bounded: bool) -> DataFrame:
    """A query without windows is Spark's alone."""
    nodes = list(plan.chain())
    scan = nodes[-1]
    if not isinstance(scan, Scan) or any(isinstance(node, LateOf) for node in nodes):
        raise NotSupported("a query reads from a stream", given=scan.label(), remedy="name a stream")
    stream = scan.stream
    frame: DataFrame = stream.frame if stream.frame is not None else read(spark, stream, bounded=bounded)
    frame = frame.select(*(f"`{column.name}`" for column in stream.columns), F.current_timestamp().alias(ARRIVAL_TS))
    for node in reversed(nodes[:-1]):
        if isinstance(node, Filter):
            frame = frame.where(F.expr(node.condition.text))
        elif isinstance(node, Project):
            frame = frame.select(*(F.expr(item.text).alias(name) for name, item in node.items))
        elif isinstance(node, TableJoin):
            frame = join(frame, spark.table(node.table), node, node.kind.lower())
        elif isinstance(node, Extend):
            frame = frame.withColumns({name: F.expr(item.text) for name, item in node.items})
    return frame if any(isinstance(node, Project) for node in nodes) else frame.drop(ARRIVAL_TS)
