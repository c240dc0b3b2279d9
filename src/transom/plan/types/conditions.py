"""Conditions are true or false: what is seen to be neither, without asking Spark."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import NotACondition
from transom.plan.expression import Expression
from transom.plan.types.schema import Schema

COMPUTED = (exp.Column, exp.Literal, exp.Cast, exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Count, exp.Sum)
"""Expressions whose type is known for certain. Of others only Spark knows it, when the query runs."""


def check_condition(clause: str, condition: Expression, schema: Schema) -> None:
    """Refuse a condition that is a number, a text or a time."""
    tree = condition.tree.unnest()
    if not isinstance(tree, COMPUTED):
        return
    kind = condition.type_in(schema)
    if kind.upper() not in ("BOOLEAN", "UNKNOWN", "NULL"):
        raise NotACondition(
            f"{clause} is a condition, and this is {kind}",
            given=condition.text,
            remedy=f"compare it with something, such as {condition.text} > 0",
        )
