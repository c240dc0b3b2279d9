"""Late tuples between operators, and as rows of their own."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from transom.column_names import FRONTIER, INPUT_NAME, KIND
from transom.kernels.columns.late_rows import late_column, late_columns
from transom.plan.nodes.left_out import LateOf
from transom.plan.quoted import quoted
from transom.planner.stage import Stage
from transom.spark.workers.operate import LATE


def late_of_operator(frame: DataFrame, stage: Stage) -> DataFrame:
    """What comes out of the operator of a stream, with its late tuples in a column of their own for the operators above."""
    if stage.late_number is None:
        return frame
    names = [column.name for column in stage.input_schema.columns]
    late = F.struct(*(F.col(quoted(name)) for name in [*names, FRONTIER]))
    return frame.withColumn(late_column(stage.late_number), F.when(F.col(KIND) == LATE, late))


def late_rows(frame: DataFrame, asked: LateOf) -> DataFrame:
    """The late tuples that went through operators: the name of their input, if there are several, their columns, and the
    frontier."""
    frame = frame.where(F.col(KIND) == LATE).select(*late_columns(frame.columns))
    whole = [F.col(late_column(number)) for number, _ in enumerate(asked.leaves)]
    chosen = []
    if asked.late_inputs:
        named = [F.when(one.isNotNull(), F.lit(name)) for one, (name, _) in zip(whole, asked.leaves, strict=True)]
        chosen.append(F.coalesce(*named).alias(INPUT_NAME))
    for here in dict.fromkeys(asked.owners.values()):
        own = [
            one.getField(column.name)
            for one, (name, columns) in zip(whole, asked.taken, strict=True)
            for column in columns
            if asked.owners[name, column] == here
        ]
        chosen.append(_either(own).alias(here))
    return frame.select(*chosen, _either([one.getField(FRONTIER) for one in whole]).alias(FRONTIER))


def _either(columns: list[Column]) -> Column:
    return reduce(F.coalesce, columns)
