"""Below a window operator: the stream with where its rows come from, filters, projections and joins, all Spark's own."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from transom.column_names import (
    AFTER,
    ARRIVAL,
    ARRIVAL_TS,
    ARRIVED,
    BOUNDARIES,
    CHANGE,
    EVENT_TS,
    HAS_ENDED,
    INPUT_END,
    IS_IDLE,
    KEEP,
    KIND,
    LATE_TUPLE,
    ORIGIN,
    OWN_TS,
    POSITION,
    PROGRESS,
    SOURCE,
    TICK,
)
from transom.errors import BadQuery
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Extend, Filter, Project, TableJoin
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.quoted import quoted
from transom.planner.stage import Stage
from transom.spark.frames.given.given_frame import GivenFrame
from transom.spark.quiet import quietly
from transom.spark.sources.read_stream import read
from transom.spark.sources.static_table import joined_below

HIDDEN = (
    *(
        SOURCE,
        ORIGIN,
        POSITION,
        KIND,
        PROGRESS,
        BOUNDARIES,
        CHANGE,
        AFTER,
        HAS_ENDED,
        IS_IDLE,
        INPUT_END,
        TICK,
    ),
    *(ARRIVAL_TS, EVENT_TS),
)
"""Columns that go along below an operator, whatever is projected."""

ALSO_HIDDEN = (LATE_TUPLE, OWN_TS, ARRIVED)
"""How others of them begin: late tuples, and what tuples of an input are ordered by."""

FILE, IN_FILE = (SOURCE, "_metadata.file_path"), (POSITION, "_metadata.file_block_start")
"""Files of a DataFrame are taken by name within a micro-batch, as those of a FILE source are, and each split by split; never by
modification time or size, which say nothing about the data."""

FILE_NAME = SOURCE, "_metadata.file_name"
"""A file as a substream: its name is shown to the user when the others wait for it."""

ORIGINAL_FILE = ORIGIN, FILE[1]
"""Of a substream that goes through several files, in their order."""


def stream_frame(stream: StreamDefinition, spark: SparkSession, bounded: bool) -> DataFrame:
    """A stream as its source gives it."""
    frame: DataFrame = stream.frame if stream.frame is not None else read(spark, stream, bounded=bounded)
    return frame


def scanned(stage: Stage, frame: DataFrame) -> DataFrame:
    """A stream with its implicit columns, and with where each row comes from as far as that is known."""
    known = set(frame.columns)
    if stage.reading.per_source:
        named = [F.coalesce(F.col(quoted(name)).cast("string"), F.lit("")) for name in stage.reading.per_source]
        frame = frame.withColumn(ORIGIN, F.col(SOURCE)) if SOURCE in known else _with(frame, ORIGINAL_FILE, IN_FILE)
        frame = frame.withColumn(SOURCE, F.concat_ws("\x1f", *named))
    elif POSITION not in known:
        frame = _with(frame, FILE_NAME if stage.reading.per_source == () else FILE, IN_FILE)
    if stage.reading.per_source == () and SOURCE not in frame.columns:
        raise BadQuery(
            "it is not known which substream a row of this DataFrame is of",
            given="PER SOURCE",
            remedy="name the columns of the substream: PER SOURCE (col)",
        )
    arrival = F.col(ARRIVAL) if ARRIVAL in known else F.current_timestamp()
    if stage.disorder.arrival_by is not None:
        arrival = F.col(quoted(stage.disorder.arrival_by))
    return frame.withColumn(ARRIVAL_TS, arrival)


def arrival_known(stage: Stage) -> bool:
    """Whether arrival times are those of a column, of the source, or of micro-batches as they come; files were there before."""
    assert stage.scan is not None
    stream = stage.scan.stream
    if stage.disorder.arrival_by is not None:
        return True
    if stream.frame is not None:
        return ARRIVAL in stream.frame.columns or bool(stream.frame.isStreaming)
    return stream.source is not None and stream.source.kind.upper() in ("KAFKA", "RATE", "SOCKET")


def _with(frame: DataFrame, *told: tuple[str, str]) -> DataFrame:
    """With what is told of the file of each row, if it is of one, and Spark may be asked."""
    if isinstance(frame, GivenFrame):
        return frame
    try:
        with quietly():
            found = frame.select("*", *(F.expr(text).alias(name) for name, text in told))
            _ = found.schema
    except PySparkException:
        return frame
    return found


def below(frame: DataFrame, nodes: Sequence[Node]) -> DataFrame:
    """Filters become a flag: a tuple that is left out still brings progress. Everything else is Spark's."""
    hidden = [
        *(name for name in HIDDEN if name in frame.columns),
        *(name for name in frame.columns if name.startswith(ALSO_HIDDEN)),
    ]
    frame = frame.withColumn(KEEP, F.lit(True) if KEEP not in frame.columns else F.col(KEEP))
    hidden.append(KEEP)
    for node in nodes:
        if isinstance(node, Filter):
            frame = frame.withColumn(KEEP, F.col(KEEP) & F.coalesce(F.expr(node.condition.text), F.lit(False)))
        elif isinstance(node, Project):
            named = {name for name, _ in node.items}
            frame = frame.select(
                *(F.expr(item.text).alias(name) for name, item in node.items), *(name for name in hidden if name not in named)
            )
        elif isinstance(node, Extend):
            frame = frame.withColumns({name: F.expr(item.text) for name, item in node.items})
        elif isinstance(node, TableJoin):
            frame = joined_below(frame, node)
    return frame
