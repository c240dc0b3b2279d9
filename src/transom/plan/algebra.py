"""Which aggregates are algebraic: partial results of constant size that can be combined."""

from __future__ import annotations

from sqlglot import exp

from transom.plan.expression import Expression

ALGEBRAIC = (
    exp.Count,
    exp.Sum,
    exp.Avg,
    exp.Min,
    exp.Max,
    exp.Variance,
    exp.VariancePop,
    exp.Stddev,
    exp.StddevPop,
    exp.StddevSamp,
)


def holistic(item: Expression) -> list[str]:
    """The aggregates of an expression that need the tuples themselves."""
    aggregates = item.tree.find_all(exp.AggFunc)
    return [node.sql("spark") for node in aggregates if not isinstance(node, ALGEBRAIC) or isinstance(node.this, exp.Distinct)]
