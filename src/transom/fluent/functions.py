"""Aggregates and expressions, by name as in `pyspark.sql.functions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transom.errors import BadFrame
from transom.plan.expression import Expression
from transom.plan.nodes.windowed import Frame
from transom.semantics.length import Length, Rows


@dataclass(frozen=True)
class Aggregated:
    """An expression that may stand in `agg` or `select`, or be put over a frame."""

    expression: Expression

    def over(
        self,
        *,
        rows: int | None = None,
        range: Length | None = None,
        unbounded: str | None = None,
        partition_by: str | Sequence[str] = (),
        order_by: str | None = None,
        slide: Length | None = None,
        active_expiration: bool = False,
    ) -> Frame:
        """`... OVER (PARTITION BY ... ORDER BY ... <frame> SLIDE ...)`: exactly one of rows, range, unbounded.

        >>> sum("price").over(rows=49, partition_by="item").preceding
        Rows(count=49)
        """
        given = [name for name, value in (("rows", rows), ("range", range), ("unbounded", unbounded)) if value is not None]
        if len(given) != 1 or unbounded not in (None, "rows", "range"):
            raise BadFrame(
                "a frame is given by one of rows, range, unbounded",
                given=", ".join(given) or "none of them",
                remedy='write over(rows=49), over(range=minutes(5)) or over(unbounded="rows")',
            )
        return Frame(
            aggregate=self.expression,
            preceding=Rows(rows) if rows is not None else range,
            partition_by=names(partition_by),
            order_by=order_by,
            slide=slide,
            peers=unbounded == "range",
            active=active_expiration,
        )


def names(value: str | Sequence[str]) -> tuple[str, ...]:
    """One name or several."""
    return (value,) if isinstance(value, str) else tuple(value)


def expr(text: str) -> Aggregated:
    """Any Spark SQL expression.

    >>> expr("max(speed) - min(speed)").expression.text
    'MAX(speed) - MIN(speed)'
    """
    return Aggregated(Expression.of(text))


def count(column: str = "*") -> Aggregated:
    """The number of rows, or of values that are not NULL."""
    return expr(f"count({column})")


def sum(column: str) -> Aggregated:
    """The sum of a column."""
    return expr(f"sum({column})")


def avg(column: str) -> Aggregated:
    """The mean of a column."""
    return expr(f"avg({column})")


def min(column: str) -> Aggregated:
    """The smallest value of a column."""
    return expr(f"min({column})")


def max(column: str) -> Aggregated:
    """The largest value of a column."""
    return expr(f"max({column})")
