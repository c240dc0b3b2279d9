"""Above a window operator: HAVING, final expressions, joins, and the counts for whoever watches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from transom.column_names import (
    AGGREGATE,
    ARRIVAL_TS,
    BOUNDARIES,
    EVENT_TS,
    EXTENT,
    HAS_ENDED,
    IS_IDLE,
    KEEP,
    KIND,
    PROGRESS,
    WID,
)
from transom.kernels.columns.late_rows import late_columns
from transom.plan.expression import Expression
from transom.plan.nodes.relational import Distinct, Extend, Filter, Project, Sort, TableJoin
from transom.plan.quoted import quoted
from transom.planner.stage import Stage
from transom.planner.stages import AnyStage
from transom.spark.frames.arrange import arranged
from transom.spark.frames.expression_text import column_of
from transom.spark.frames.late_frame import late_of_operator
from transom.spark.sources.static_table import join, table_of
from transom.spark.workers.operate import CONTROL, LATE, RESULT


def finished(frame: DataFrame, stage: AnyStage, *hidden: str) -> DataFrame:
    items, having = stage.finish()
    if having is not None:
        frame = frame.where(F.expr(spelled(having, items)))
    keep = [name for name in hidden if name not in {name for name, _ in items}]
    return frame.select(*(F.expr(text).alias(name) for name, text in items), *keep, *_extent(frame, stage))


def picked(stage: Stage, columns: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
    """The select list as names and the columns of the operator they stand for, if it is nothing else, and all rows are results.

    Then results leave the operator unchanged, and Spark need not touch every row of them again.
    """
    items, having = stage.finish()
    gives_late = stage.wants_late or bool(late_columns(columns))
    if having is not None or gives_late or any(isinstance(node, Distinct | Sort) for node in stage.above):
        return None
    columned = [(name, column_of(text)) for name, text in items if not {".", "`"} & {*name}]
    pairs = tuple((name, column) for name, column in columned if column is not None and column in columns)
    return pairs if len(pairs) == len(items) == len({name.lower() for name, _ in pairs}) else None


def shown(stage: Any) -> tuple[tuple[str, str], ...]:
    """Names under which whoever watches sees the columns of an operator: those of the select list, and for an aggregate that
    stands in an expression the call itself."""
    items, _ = stage.finish()
    columned = [(name, column_of(text)) for name, text in items]
    known = tuple((name, column) for name, column in columned if column is not None)
    calls = ((call.text, f"{AGGREGATE}{n}") for n, call in enumerate(getattr(stage, "calls", ())))
    return known + tuple((text, column) for text, column in calls if column not in {column for _, column in known})


def _extent(frame: DataFrame, stage: AnyStage) -> list[Column]:
    """What distinguishes extents, where rows of one are compared with each other."""
    if not any(isinstance(node, Distinct | Sort) for node in stage.above):
        return []
    names = [name for name in (WID, *stage.partition_by) if name in frame.columns]
    return [F.col(quoted(name)).alias(f"{EXTENT}{n}") for n, name in enumerate(names)]


def spelled(having: str, items: list[tuple[str, str]]) -> str:
    """A condition in which the names of the select list stand for what they name."""
    return Expression(having).restoring({name: f"({text})" for name, text in items if name != text}).text


def passed_on(frame: DataFrame, stage: AnyStage) -> DataFrame:
    """What goes to the next operator: results, and control rows beside them.

    Not of a bounded input: its shards come one after the other, and only the end of all of them promises anything.
    """
    if not frame.isStreaming:
        frame = frame.where(F.col(KIND).isin(RESULT, LATE))
    frame = late_of_operator(frame, stage) if isinstance(stage, Stage) else frame
    items, having = stage.finish()
    keep = F.lit(True) if having is None else F.coalesce(F.expr(spelled(having, items)), F.lit(False))
    frame = frame.withColumn(KEEP, (F.col(KIND) == CONTROL) | keep)
    hidden = [KIND, PROGRESS, BOUNDARIES, HAS_ENDED, IS_IDLE, KEEP, EVENT_TS, *late_columns(frame.columns)]
    named = {name for name, _ in items}
    chosen = [F.expr(text).alias(name) for name, text in items]
    return frame.select(*chosen, *(name for name in hidden if name not in named)).withColumn(ARRIVAL_TS, F.current_timestamp())


def above(frame: DataFrame, stage: AnyStage) -> DataFrame:
    """The nodes above the last operator."""
    nodes = list(stage.above)
    if not nodes:
        return frame
    for node in nodes:
        if isinstance(node, Filter):
            frame = frame.where(F.expr(node.condition.text))
        elif isinstance(node, Project):
            kept = [name for name in frame.columns if name.startswith(EXTENT)]
            frame = frame.select(*(F.expr(item.text).alias(name) for name, item in node.items), *kept)
        elif isinstance(node, Extend):
            frame = frame.withColumns({name: F.expr(item.text) for name, item in node.items})
        elif isinstance(node, TableJoin):
            frame = join(frame, table_of(frame.sparkSession, node), node, node.kind.lower())
        elif isinstance(node, Distinct | Sort):
            frame = arranged(frame, node)
    return frame.drop(*(name for name in frame.columns if name.startswith(EXTENT)))
