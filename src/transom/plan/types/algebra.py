"""Which aggregates are algebraic: partial results of constant size that can be combined."""

from __future__ import annotations

from sqlglot import exp

from transom.plan.expression import AnyAggregate, Expression
from transom.uda.python import PythonAggregate

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
    users = [node.sql("spark") for node, user in item.user_calls if not (user.can_combine or is_algebra(user))]
    return users + [node.sql("spark") for node in aggregates if not isinstance(node, ALGEBRAIC) or _distinct(node)]


def _distinct(node: exp.Expr) -> bool:
    """Whether it matters which values were there already."""
    return isinstance(node.this, exp.Distinct) and not isinstance(node, exp.Min | exp.Max)


def is_algebra(user: AnyAggregate) -> bool:
    """Whether a user's aggregate works on arrays, as the built-in ones do."""
    return isinstance(user, PythonAggregate) and user.is_algebraic
