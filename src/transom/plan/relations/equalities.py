"""The equalities in a join's condition, by which its state is sharded."""

from __future__ import annotations

from sqlglot import exp

from transom.plan.expression import Expression
from transom.plan.relations.naming import Naming


def terms_of(condition: exp.Expr) -> list[exp.Expr]:
    """The conditions that an AND joins."""
    condition = condition.unnest()
    return list(condition.flatten()) if isinstance(condition, exp.And) else [condition]


def equalities_of(condition: Expression, naming: Naming, side: int) -> tuple[tuple[str, str], ...]:
    """Pairs of columns that a condition compares for equality: one of an earlier input, and one of this."""
    owner = {here: n for (n, _), here in naming.owners.items()}
    found = []
    for term in (term.unnest() for term in terms_of(condition.tree)):
        if isinstance(term, exp.EQ) and isinstance(term.this, exp.Column) and isinstance(term.expression, exp.Column):
            pair = sorted((term.this.name, term.expression.name), key=lambda name: owner.get(name, -1))
            if owner.get(pair[1]) == side and owner.get(pair[0], side) < side:
                found.append((pair[0], pair[1]))
    return tuple(found)
