"""The answer over what the sources hold now, as a batch."""

from __future__ import annotations

from dataclasses import replace

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Observation, SparkSession

from transom.errors import BadQuery
from transom.plan.nodes.node import Node
from transom.planner import plan as planned
from transom.quality.moment import from_metrics
from transom.spark.exchange.observing import metrics_of
from transom.spark.running.execution import frame_of
from transom.spark.running.jobs import output_of
from transom.spark.running.messages.failures import cause
from transom.spark.running.messages.show import Text, text_of
from transom.spark.sinks import write_batch


def bounded_df(plan: Node, spark: SparkSession, observation: Observation | None = None) -> DataFrame:
    """All rows, as if the input ended here; of LATE OF, the late tuples. An observation receives the counts."""
    return frame_of(output_of(0, "", plan), spark, bounded=True, observation=observation)


def answer_bounded(plan: Node, spark: SparkSession, form: str) -> Text | None:
    """Rows to show; None if the query sends them elsewhere."""
    output = output_of(0, "", plan)
    seen = Observation() if planned(output.late or output.plan).stages else None
    try:
        rows = bounded_df(plan, spark, seen)
    except AnalysisException as error:
        raise BadQuery(f"Spark does not accept the query: {cause(str(error))}", remedy="correct it") from error
    if output.target is None:
        text = text_of(rows, form)
        return text if seen is None else replace(text, moment=from_metrics(metrics_of(seen)))
    write_batch(rows, output.target)
    return None
