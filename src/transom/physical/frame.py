"""From a plan to a DataFrame: Spark below the operators, bucket, exchange, operators, and Spark above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import DateType, DoubleType, FloatType

from transom.errors import BadExpression, NotSupported
from transom.kernels.progress import Generating
from transom.kernels.results import algebras
from transom.kernels.spec import ROW_NUM
from transom.physical.arrange import arranged
from transom.physical.operate import CONTROL, COUNTS, LATE, RESULT, Plan, bucketed, ran
from transom.physical.processor import WindowProcessor
from transom.physical.session import prepare_session, session_of
from transom.physical.shards import labels
from transom.physical.sources import read
from transom.physical.stages import Stage, stages_of
from transom.physical.types import arrow_of
from transom.physical.wire import SCHEMA
from transom.plan.expression import Expression
from transom.plan.node import Node
from transom.plan.relational import Derived, Distinct, Extend, Filter, LateOf, Project, Scan, Sort, TableJoin
from transom.plan.sink import Insert
from transom.semantics.tuples import ARRIVAL_TS

METRICS = "transom"


@dataclass(frozen=True)
class Executed:
    """A DataFrame that tags its rows: results, late tuples and control rows come from one execution."""

    tagged: DataFrame
    stage: Stage

    def results(self) -> DataFrame:
        return _above(_finished(self.tagged.where(F.col("__kind") == RESULT), self.stage), self.stage)

    def late(self) -> DataFrame:
        names = [name for name in self.stage.listed if name in [column.name for column in self.stage.input_schema.columns]]
        return self.tagged.where(F.col("__kind") == LATE).select(*(F.col(f"`{name}`") for name in names), F.col("frontier"))


def to_df(plan: Node, spark: SparkSession | None = None, *, shards: int | None = None, bounded: bool = False) -> DataFrame:
    """The answer to a query: streaming if its input streams, batch if it does not."""
    plan = plan.input if isinstance(plan, Insert) else plan
    session = session_of(plan, spark)
    stages = stages_of(plan)
    if not stages:
        return _without_windows(plan, session, bounded)
    executed = execute(stages, session, shards=shards, bounded=bounded)
    return executed.late() if stages[-1].only_late else executed.results()


def execute(stages: list[Stage], spark: SparkSession, *, shards: int | None = None, bounded: bool = False) -> Executed:
    """Run stage after stage; the last one's rows are tagged."""
    frame = _scanned(stages[0], spark, bounded)
    for number, stage in enumerate(stages):
        frame = _operated(_below(frame, stage), stage, spark, shards)
        if number + 1 < len(stages):
            frame = _passed_on(frame, stage)
    return Executed(_observed(frame), stages[-1])


# -- below the operator -----------------------------------------------------------------------------------------


def _scanned(stage: Stage, spark: SparkSession, bounded: bool) -> DataFrame:
    """The stream with its implicit columns, and with where each row comes from as far as that is known."""
    assert stage.scan is not None
    stream = stage.scan.stream
    frame: DataFrame = stream.frame if stream.frame is not None else read(spark, stream, bounded=bounded)
    known = set(frame.columns)
    if stage.disorder.per_source:
        named = [F.coalesce(F.col(f"`{name}`").cast("string"), F.lit("")) for name in stage.disorder.per_source]
        frame = frame.withColumn("__source", F.concat_ws("\x1f", *named))
    elif "__position" not in known:
        frame = _with_file_positions(frame)
    arrival = F.col("__arrival") if "__arrival" in known else F.current_timestamp()
    if stage.disorder.arrival_by is not None:
        arrival = F.col(f"`{stage.disorder.arrival_by}`")
    return frame.withColumn(ARRIVAL_TS, arrival)


def _with_file_positions(frame: DataFrame) -> DataFrame:
    """Files have an order: by name, then by where a split of them begins."""
    try:
        named = frame.select(
            "*",
            F.col("_metadata.file_name").alias("__source"),
            F.col("_metadata.file_block_start").alias("__position"),
        )
        _ = named.schema
    except Exception:
        return frame
    return named


def _below(frame: DataFrame, stage: Stage) -> DataFrame:
    """Filters become a flag: a tuple that is left out still brings progress. Everything else is Spark's."""
    hidden = [name for name in ("__source", "__position", "__kind", "__progress", "__ended", ARRIVAL_TS, "event_ts") if name in frame.columns]
    frame = frame.withColumn("__keep", F.lit(True) if "__keep" not in frame.columns else F.col("__keep"))
    hidden.append("__keep")
    for node in stage.below:
        if isinstance(node, Filter):
            frame = frame.withColumn("__keep", F.col("__keep") & F.coalesce(F.expr(node.condition.text), F.lit(False)))
        elif isinstance(node, Project):
            named = {name for name, _ in node.items}
            frame = frame.select(
                *(F.expr(item.text).alias(name) for name, item in node.items), *(name for name in hidden if name not in named)
            )
        elif isinstance(node, Extend):
            frame = frame.withColumns({name: F.expr(item.text) for name, item in node.items})
        elif isinstance(node, TableJoin):
            frame = _joined_below(frame, node)
        elif not isinstance(node, Derived):
            raise NotSupported("this does not stand below a window", given=node.label(), remedy="put it above, or into a table")
    return frame


def _joined_below(frame: DataFrame, node: TableJoin) -> DataFrame:
    """A table joined before the window: tuples without a match are left out, but still bring progress."""
    if node.kind.upper() not in ("INNER", "LEFT"):
        raise NotSupported("a stream is joined with a table as INNER or LEFT", given=node.kind, remedy="turn it round")
    table = frame.sparkSession.table(node.table).withColumn("__matched", F.lit(True))
    joined = _join(frame, F.broadcast(table), node, "left")
    if node.kind.upper() == "INNER":
        joined = joined.withColumn("__keep", F.col("__keep") & F.coalesce(F.col("__matched"), F.lit(False)))
    return joined.drop("__matched")


def _join(frame: DataFrame, table: DataFrame, node: TableJoin, how: str) -> DataFrame:
    if node.using:
        return frame.join(table, list(node.using), how)
    streams = [each.stream.name for each in node.chain() if isinstance(each, Scan)]
    left = frame.alias(streams[0]) if streams else frame
    return left.join(table.alias(node.table), F.expr(node.condition.text), how)


# -- the operator -----------------------------------------------------------------------------------------------


def _operated(frame: DataFrame, stage: Stage, spark: SparkSession, shards: int | None) -> DataFrame:
    prepared = _prepared(frame, stage)
    types = {field.name: arrow_of(field.dataType) for field in prepared.schema.fields}
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or "1")
    count = (shards or partitions) if stage.shard_by else 1
    axis = stage.axis(types.get("__value", pa.int64()))
    width = stage.pane_width(axis)
    spec = stage.spec(types, width=width)
    parts: tuple[Any, ...] = ()
    if width is not None:
        found = [[types[name] for name in item.args] for item in spec.computed]
        parts = tuple(algebras(spec, found)) if _all_algebraic(spec, found) else ()
        if not parts and spec.computed:
            width, spec = None, stage.spec(types)
    plan = Plan(spec, labels(count, partitions), parts, width, _output(frame, stage, types, spec.generating))
    if count > 1:
        keys = [_normal(prepared, f"k:{name}") for name in stage.shard_by]
        prepared = prepared.withColumn("__shard", F.pmod(F.xxhash64(*keys), F.lit(count)).cast("int"))
    sent = prepared.mapInArrow(bucketed(plan), SCHEMA)
    schema = from_arrow_schema(plan.output)
    if frame.isStreaming:
        prepare_session(spark)
        return sent.groupBy("shard").transformWithStateInPandas(WindowProcessor(plan), schema, "append", "none")
    ordered = sent.repartition(partitions, "shard").sortWithinPartitions("shard", "source", "number")
    return ordered.mapInArrow(ran(plan), schema)


def _all_algebraic(spec: Any, types: list[list[pa.DataType]]) -> bool:
    from transom.kernels.aggregates import algebra_of

    return all(algebra_of(item.call, kinds) is not None for item, kinds in zip(spec.computed, types, strict=True))


def _normal(frame: DataFrame, name: str) -> Column:
    """A key whose equal values are equal bits: NaN and zero have several."""
    column = F.col(f"`{name}`")
    if isinstance(frame.schema[name].dataType, DoubleType | FloatType):
        return F.when(F.isnan(column), F.lit(float("nan"))).otherwise(column + F.lit(0.0))
    return column


def _prepared(frame: DataFrame, stage: Stage) -> DataFrame:
    """The columns that bucket takes."""
    chosen: list[Column] = []
    for name, text in stage.columns().items():
        chosen.append(_checked(frame, text, name))
    if stage.scan is None:
        chosen += [(F.col("__kind") == CONTROL).alias("__punct"), F.col("__progress").alias("__px"), F.col("__ended").alias("__end")]
    if any(isinstance(node, Filter | TableJoin) for node in stage.below) or stage.scan is None:
        chosen.append(F.col("__keep"))
    for name in ("__source", "__position"):
        if name in frame.columns:
            chosen.append(F.col(name))
    if stage.disorder.idle_after is not None:
        chosen.append(F.unix_micros(F.current_timestamp()).alias("__now"))
    prepared = frame.select(*chosen)
    kinds = {field.name: field.dataType for field in prepared.schema.fields}
    for name in ("__value", "__px", "__order"):
        if isinstance(kinds.get(name), DateType):
            prepared = prepared.withColumn(name, F.col(name).cast("timestamp"))
    for name, kind in kinds.items():
        if name.startswith("k:") and isinstance(kind, DoubleType | FloatType):
            prepared = prepared.withColumn(name, _normal(prepared, name).cast(kind))
    return prepared


def _checked(frame: DataFrame, text: str, name: str) -> Column:
    column = F.expr(text).alias(name)
    try:
        _ = frame.select(column).schema
    except Exception as error:
        reason = str(getattr(error, "getMessage", lambda: error)()).splitlines()[0]
        raise BadExpression(f"Spark does not understand an expression: {reason}", given=text, remedy="correct it") from None
    return column


def _output(frame: DataFrame, stage: Stage, types: dict[str, pa.DataType], generating: Generating) -> pa.Schema:
    """The columns that come out of the operator."""
    fields = [pa.field("__kind", pa.int8())]
    axis = types.get("__value", pa.int64())
    listed = stage.listed
    for name in stage.keys:
        if name not in listed:
            fields.append(pa.field(name, types[f"k:{name}"]))
    for name in listed:
        fields.append(pa.field(name, pa.int64() if name == ROW_NUM else types[f"t:{name}"]))
    for name, kind in stage.window_types(axis, types.get("__order")).items():
        fields.append(pa.field(name, kind))
    numbered = frame.withColumn(ROW_NUM, F.lit(1).cast("bigint"))
    for n, call in enumerate(stage.calls):
        fields.append(pa.field(f"__y{n}", _result_type(numbered, call.text)))
    if stage.wants_late:
        fields.append(pa.field("frontier", axis))
    fields += [pa.field(f"__{name}", pa.int64()) for name in (*COUNTS, "open")]
    return pa.schema([*fields, pa.field("__progress", axis), pa.field("__ended", pa.bool_())])


def _result_type(frame: DataFrame, text: str) -> pa.DataType:
    try:
        kind = frame.select(F.expr(text).alias("y")).schema["y"].dataType
    except Exception as error:
        reason = str(getattr(error, "getMessage", lambda: error)()).splitlines()[0]
        raise BadExpression(f"Spark does not understand an aggregate: {reason}", given=text, remedy="correct it") from None
    return arrow_of(kind)


# -- above the operator -----------------------------------------------------------------------------------------


def _observed(tagged: DataFrame) -> DataFrame:
    """Counts of all shards, for whoever watches the query's progress."""
    sums = [F.coalesce(F.sum(f"__{name}"), F.lit(0)).alias(name) for name in (*COUNTS, "open")]
    frontier = F.max(F.col("__progress").cast("string")).alias("frontier")
    return tagged.observe(METRICS, *sums, frontier)


def _finished(frame: DataFrame, stage: Stage, *hidden: str) -> DataFrame:
    items, having = stage.finish()
    if having is not None:
        frame = frame.where(F.expr(_spelled(having, items)))
    keep = [name for name in hidden if name not in {name for name, _ in items}]
    return frame.select(*(F.expr(text).alias(name) for name, text in items), *keep)


def _spelled(having: str, items: list[tuple[str, str]]) -> str:
    """A condition in which the names of the select list stand for what they name."""
    return Expression(having).restoring({name: f"({text})" for name, text in items if name != text}).text


def _passed_on(frame: DataFrame, stage: Stage) -> DataFrame:
    """What goes to the next operator: results, and control rows beside them."""
    items, having = stage.finish()
    keep = F.lit(True) if having is None else F.coalesce(F.expr(_spelled(having, items)), F.lit(False))
    frame = frame.withColumn("__keep", (F.col("__kind") == CONTROL) | keep)
    hidden = ["__kind", "__progress", "__ended", "__keep", "event_ts"]
    named = {name for name, _ in items}
    chosen = [F.expr(text).alias(name) for name, text in items]
    return frame.select(*chosen, *(name for name in hidden if name not in named)).withColumn(ARRIVAL_TS, F.current_timestamp())


def _above(frame: DataFrame, stage: Stage) -> DataFrame:
    """The nodes above the last operator."""
    nodes = list(stage.above)
    if not nodes:
        return frame
    for node in nodes:
        if isinstance(node, Filter):
            frame = frame.where(F.expr(node.condition.text))
        elif isinstance(node, Project):
            frame = frame.select(*(F.expr(item.text).alias(name) for name, item in node.items))
        elif isinstance(node, Extend):
            frame = frame.withColumns({name: F.expr(item.text) for name, item in node.items})
        elif isinstance(node, TableJoin):
            frame = _join(frame, frame.sparkSession.table(node.table), node, node.kind.lower())
        elif isinstance(node, Distinct | Sort):
            frame = arranged(frame, node)
        elif not isinstance(node, Derived):
            raise NotSupported("this does not stand above a window", given=node.label(), remedy="use a derived stream")
    return frame


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
            frame = _join(frame, spark.table(node.table), node, node.kind.lower())
        elif isinstance(node, Extend):
            frame = frame.withColumns({name: F.expr(item.text) for name, item in node.items})
    return frame if any(isinstance(node, Project) for node in nodes) else frame.drop(ARRIVAL_TS)
