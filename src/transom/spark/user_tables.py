"""What users' aggregates need before they are sent to where they run: the rows of the tables they read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from pyspark import cloudpickle
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from transom.errors import MissingSource
from transom.plan.quoted import quoted
from transom.planner.relations.relational_stages import GroupStage
from transom.planner.stage import Stage
from transom.uda.definition import Columns
from transom.uda.plain_values import listed
from transom.uda.run.python_aggregate import PythonAggregate, check_picklable

Calling = TypeVar("Calling", Stage, GroupStage)


def with_tables(stage: Calling, spark: SparkSession) -> Calling:
    """The stage with the rows of ordinary tables that bodies read, as they are now."""
    users = [call.call.user.aggregate for call in stage.calls if call.call.user is not None]
    for user in users:
        if isinstance(user, PythonAggregate):
            check_picklable(user, cloudpickle.dumps)
    wanted = {name: columns for user in users for name, columns in user.all_reads().items()}
    rows = {name: _rows(name, columns, spark) for name, columns in wanted.items()}
    return replace(stage, tables=tuple(rows.items())) if rows else stage


def _rows(name: str, columns: Columns, spark: SparkSession) -> list[tuple[Any, ...]]:
    try:
        table = spark.table(name).select(*(quoted(column) for column, _ in columns)).toArrow()
    except PySparkException as error:
        raise MissingSource(
            f"the table {name!r}, which an aggregate reads, is not there: {(error.getMessage() or str(error)).splitlines()[0]}",
            given=name,
            remedy="create it before the query runs",
        ) from None
    return list(zip(*(listed(column.combine_chunks()) for column in table.columns), strict=True))
