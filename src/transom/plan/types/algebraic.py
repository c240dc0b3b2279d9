"""Which aggregates are algebraic: partial results of constant size that can be combined."""

from __future__ import annotations

from sqlglot import exp

from transom.plan.expression import AnyAggregate, Expression
from transom.plan.types.schema import Schema
from transom.semantics.sql_type import SqlType
from transom.uda.run.python_aggregate import PythonAggregate

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


def without_partials(item: Expression, schema: Schema) -> list[str]:
    """The aggregates of an expression of which no partial results are kept: holistic ones, and those over types whose values
    have no fixed width, as far as types are known without Spark."""
    wide = [
        node.sql("spark")
        for node in item.tree.find_all(exp.AggFunc)
        if not isinstance(node, exp.Count) and not isinstance(node.this, exp.Distinct) and not _has_lane(node.this, schema)
    ]
    return list(dict.fromkeys([*holistic(item), *wide]))


def _has_lane(argument: exp.Expr, schema: Schema) -> bool:
    return SqlType.of(Expression(argument.sql("spark")).type_in(schema)).has_lane


def is_algebra(user: AnyAggregate) -> bool:
    """Whether a user's aggregate works on arrays, as the built-in ones do."""
    return isinstance(user, PythonAggregate) and user.is_algebraic
