"""What the condition of a join may compare: it is a condition, and equal columns are of types that have equal values."""

from __future__ import annotations

from transom.errors import BadQuery
from transom.plan.expression import Expression
from transom.plan.relations.equalities import terms_of
from transom.plan.types.conditions import check_condition
from transom.plan.types.schema import Column, Schema
from transom.semantics.sql_type import SqlType


def check_compared(condition: Expression, schema: Schema) -> None:
    """Refuse terms of a condition that are values and no conditions."""
    for term in terms_of(condition.tree):
        check_condition("ON", Expression.of(term), schema)


def check_equal(one: Column, other: Column) -> None:
    """Refuse columns that are equal by a cast alone: exact numbers are compared in a type that holds both."""
    kinds = one.type, other.type
    if "UNKNOWN" not in kinds and _family(kinds[0]) != _family(kinds[1]):
        raise BadQuery(
            "what is compared has types that can be",
            given=f"{one.name} {kinds[0]} and {other.name} {kinds[1]}",
            remedy="cast one of them in a query below",
        )


def _family(kind: str) -> str:
    found = SqlType.of(kind)
    if found.name in ("STRING", "VARCHAR", "CHAR"):
        return "STRING"
    return "NUMBER" if found.is_integer or found.is_decimal else found.name
