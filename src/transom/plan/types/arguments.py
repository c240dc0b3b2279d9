"""What built-in aggregates take, as far as it is known without Spark: of columns as they are declared."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import NotSupported
from transom.plan.expression import Expression
from transom.plan.types.schema import Schema
from transom.semantics.sql_type import SqlType

NUMERIC = (
    *(exp.Sum, exp.Avg, exp.Median, exp.Quantile),
    *(exp.Variance, exp.VariancePop, exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Skewness, exp.Kurtosis),
)
NO_NUMBERS = ("STRING", "VARCHAR", "CHAR", "BINARY", "BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "STRUCT", "ARRAY", "MAP")


def check_arguments(item: Expression, schema: Schema) -> None:
    """Refuse an aggregate of numbers over a column of another type. Spark would cast texts, and lose what is none."""
    for node in item.tree.find_all(*NUMERIC):
        name = node.this.name if isinstance(node.this, exp.Column) else ""
        kinds = {column.type for column in (*schema.columns, *schema.hidden) if column.name.lower() == name.lower()}
        if kinds and all(map(_is_no_number, kinds)):
            text = node.sql("spark")
            raise NotSupported(
                f"{text} takes numbers, and {name!r} is {' or '.join(sorted(kinds))}",
                given=text,
                remedy=f"cast the argument: CAST({name} AS DOUBLE)",
            )


def _is_no_number(kind: str) -> bool:
    return SqlType.of(kind).name in NO_NUMBERS
