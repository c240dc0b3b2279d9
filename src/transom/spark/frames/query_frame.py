"""From a plan to a DataFrame: Spark below the operators, bucket, exchange, operators, and Spark above them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from transom.column_names import ARRIVAL_TS, FRONTIER, INPUT_END, KIND, TICK
from transom.errors import BadOption
from transom.kernels.columns.late_rows import late_columns
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Extend, Filter, Project, Scan, TableJoin
from transom.plan.quoted import quoted
from transom.planner import PhysicalPlan
from transom.planner import plan as planned
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.in_step.merged_stage import MergedStage
from transom.planner.late_of import late_of, nodes_above
from transom.planner.physical import numbers_of
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.runnable import check_runs
from transom.planner.stage import Stage
from transom.planner.stages import AnyStage
from transom.spark.frames.above import above, finished, passed_on
from transom.spark.frames.below import below, scanned, stream_frame
from transom.spark.frames.container_frame import container_frame, container_passed_on
from transom.spark.frames.given.given_frame import asked
from transom.spark.frames.late_frame import late_rows
from transom.spark.frames.merged_frame import merged_frame
from transom.spark.frames.operator_frame import operated_frame
from transom.spark.frames.relational_frame import relation_passed_on, relational_frame
from transom.spark.sources.control import control
from transom.spark.sources.static_table import join, table_of
from transom.spark.sources.ticker import ticker
from transom.spark.spark_session import own_python, session_of
from transom.spark.workers.operate import LATE, RESULT

__all__ = ["DataFrame", "Executed", "Observation", "SparkSession", "execute", "to_df"]

ZONE = "spark.sql.session.timeZone"
STATE_CONF = "spark.transom.state"
"""`inline` or `blocks`: how the state of a single operator is kept."""
FRONTIER_CONF = "spark.transom.frontier"
"""`shards` or `stage`: whether each shard folds the sequence of a controller, or a stage of its own; without it, what pays."""


@dataclass(frozen=True)
class Executed:
    """A DataFrame that tags its rows, as results, late tuples and control rows come from one execution; or results alone."""

    rows: DataFrame
    stage: AnyStage
    asked: LateOf | None = None

    def results(self) -> DataFrame:
        if KIND not in self.rows.columns:
            return above(self.rows, self.stage)
        return above(finished(self.rows.where(F.col(KIND) == RESULT), self.stage), self.stage)

    def late(self) -> DataFrame:
        if late_columns(self.rows.columns):
            assert self.asked is not None
            return late_rows(self.rows, self.asked)
        assert isinstance(self.stage, Stage)
        names = [name for name in self.stage.listed if name in [column.name for column in self.stage.input_schema.columns]]
        return self.rows.where(F.col(KIND) == LATE).select(*(F.col(quoted(name)) for name in names), F.col(FRONTIER))


def to_df(
    plan: Node,
    spark: SparkSession | None = None,
    *,
    shards: int | None = None,
    frontier: str | None = None,
    bounded: bool = False,
    end: int | None = None,
    observation: Observation | None = None,
) -> DataFrame:
    """The answer to a query: streaming if its input streams, batch if it does not.

    With `end` a streaming query also reads a control source, and can be drained: see `control`. An `observation` of a batch
    is told how it went. `frontier` says where the sequence of a controller is folded, unless the session does.
    """
    check_runs(plan)
    session = session_of(plan, spark)
    physical = planned(plan, zone=session.conf.get(ZONE) or "UTC")
    if observation is not None and not physical.stages:
        raise BadOption("a query without windows has no quality to observe", given="observation=", remedy="leave it out")
    with own_python(session):
        if not physical.stages:
            return asked(_without_windows(physical.optimized, session, bounded))
        executed = execute(physical, session, shards=shards, frontier=frontier, bounded=bounded, end=end, observation=observation)
        late = late_of(physical.written)
        if late is None:
            return asked(executed.results())
        return asked(above(executed.late(), replace(executed.stage, above=tuple(nodes_above(physical.written, late)))))


def execute(
    physical: PhysicalPlan,
    spark: SparkSession,
    *,
    shards: int | None = None,
    frontier: str | None = None,
    bounded: bool = False,
    end: int | None = None,
    observation: Observation | None = None,
) -> Executed:
    """Run stage after stage."""
    stages = physical.stages
    ends = None if end is None else partial(control, spark, end)
    frontier = stated(spark, FRONTIER_CONF) or frontier
    wiring = Wiring(spark, shards, bounded, ends, _is_inline(spark, stages), numbers_of(stages), frontier, observation)
    *first, last = stages
    return Executed(wiring.operated(last, wiring.chained(first)), last, late_of(physical.written))


@dataclass
class Wiring:
    """Puts stages together. Branches read a source, and hear of its end, once for all of them. Operators with others above them
    have `numbers`, by the identity of their stages."""

    spark: SparkSession
    shards: int | None
    bounded: bool
    ends: Callable[[], DataFrame] | None
    inline: bool
    numbers: Mapping[int, int]
    frontier: str | None = None
    observation: Observation | None = None
    read: dict[Any, DataFrame] = field(default_factory=dict)

    def chained(self, stages: Sequence[AnyStage]) -> DataFrame | None:
        """What a chain of operators passes on to one above it; None if there are none."""
        frame: DataFrame | None = None
        for stage in stages:
            made = self.operated(stage, frame)
            if isinstance(stage, ContainerStage):
                frame = container_passed_on(made, stage)
            elif isinstance(stage, RelationalStage):
                frame = relation_passed_on(made, stage)
            else:
                frame = passed_on(made, stage)
        return frame

    def operated(self, stage: AnyStage, frame: DataFrame | None) -> DataFrame:
        """What comes out of a stage, given what comes in."""
        number = self.numbers.get(id(stage))
        if isinstance(stage, ContainerStage):
            return container_frame(stage, self, number)
        if isinstance(stage, RelationalStage):
            return relational_frame(stage, self, number)
        if isinstance(stage, MergedStage):
            sides = [below(self.passed(branch.stages), branch.below) for branch in stage.branches]
            return merged_frame(sides, stage, self.spark, self.shards, number)
        rows = below(self.source(stage) if frame is None else frame, stage.below)
        seen = self.taken_observation() if frame is None else None  # of several branches, the first
        return operated_frame(rows, stage, self.spark, self.shards, self.frontier, inline=self.inline, number=number, seen=seen)

    def taken_observation(self) -> Observation | None:
        """The observation of a batch, for the first operator that asks."""
        seen, self.observation = self.observation, None
        return seen

    def passed(self, stages: Sequence[AnyStage]) -> DataFrame:
        frame = self.chained(stages)
        assert frame is not None
        return frame

    def source(self, stage: Stage, *, ticking: bool = False) -> DataFrame:
        """The stream that a stage reads, with the end of the input, and a row each second where time matters."""
        assert stage.scan is not None
        stream = stage.scan.stream
        frame = self._once(("stream", stream.name, id(stream.frame)), partial(stream_frame, stream, self.spark, self.bounded))
        frame = scanned(stage, frame)
        if self.observation is not None and frame.isStreaming:
            raise BadOption("an Observation is for batches", given="a stream", remedy="ask tr.Quality.of(query) while it runs")
        if self.ends is not None and frame.isStreaming:
            ends = self._once("ends", self.ends)
            frame = frame.withColumn(INPUT_END, F.lit(False)).unionByName(ends, allowMissingColumns=True)
        if (stage.looks_at_clock or ticking) and frame.isStreaming:
            ticks = self._once("ticks", partial(ticker, self.spark))
            frame = frame.withColumn(TICK, F.lit(False)).unionByName(ticks, allowMissingColumns=True)
        return frame

    def _once(self, what: Any, make: Callable[[], DataFrame]) -> DataFrame:
        if what not in self.read:
            self.read[what] = make()
        return self.read[what]


def _is_inline(spark: SparkSession, stages: Sequence[AnyStage]) -> bool:
    """Whether state goes along with the data. Spark allows that for one operator; a large state is better off in blocks."""
    wanted = stated(spark, STATE_CONF)
    return len(stages) == 1 and isinstance(stages[0], Stage) and wanted != "blocks"


STATED = {
    STATE_CONF: ("how state is kept", ("inline", "blocks")),
    FRONTIER_CONF: ("where the sequence of a controller is folded", ("shards", "stage")),
}


def stated(spark: SparkSession, name: str) -> str | None:
    """What a setting of our own says; None if it says nothing."""
    wanted = spark.conf.get(name, None)
    what, choices = STATED[name]
    if wanted not in (None, *choices):
        raise BadOption(f"{name} says {what}", given=str(wanted), exists=list(choices), remedy="use one")
    return wanted


def _without_windows(plan: Node, spark: SparkSession, bounded: bool) -> DataFrame:
    """A query without windows is Spark's alone."""
    nodes = list(plan.chain())
    scan = nodes[-1]
    assert isinstance(scan, Scan)
    stream = scan.stream
    frame = stream_frame(stream, spark, bounded)
    frame = frame.select(*(quoted(column.name) for column in stream.columns), F.current_timestamp().alias(ARRIVAL_TS))
    for node in reversed(nodes[:-1]):
        if isinstance(node, Filter):
            frame = frame.where(F.expr(node.condition.text))
        elif isinstance(node, Project):
            frame = frame.select(*(F.expr(item.text).alias(name) for name, item in node.items))
        elif isinstance(node, TableJoin):
            frame = join(frame, table_of(spark, node), node, node.kind.lower())
        elif isinstance(node, Extend):
            frame = frame.withColumns({name: F.expr(item.text) for name, item in node.items})
    return frame if any(isinstance(node, Project) for node in nodes) else frame.drop(ARRIVAL_TS)
