"""What Python says of OVER frames: how far they go back, and one aggregate in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from transom.errors import BadFrame, UnknownClause, nearest
from transom.fluent.lengths import length_of
from transom.plan.expression import Expression
from transom.semantics.length import Rows

CLAUSES = ("range", "preceding", "unbounded", "partition_by", "order_by", "slide", "active_expiration", "unbounded_state")


def check_clauses(unknown: Mapping[str, Any]) -> None:
    """Refuse clauses that frames do not have; `rows=` above all, which does not say whether the current row counts."""
    for name, value in unknown.items():
        raise UnknownClause(
            "no frame has this clause",
            given=f"{name}={value!r}",
            exists=CLAUSES,
            remedy="write range=rows(50) for the last 50 rows, the current one among them, or preceding=rows(49)"
            if name == "rows"
            else nearest(name, CLAUSES),
        )


def rows_before(value: Rows | str) -> Rows:
    """The rows before the current one, of a number of rows that counts it."""
    length = length_of("range", value)
    if not isinstance(length, Rows):
        raise BadFrame(
            "range counts rows, the current one among them; a length in time or numbers begins before the current row",
            given=f"range={value!r}",
            remedy=f"write preceding={value!r}, which has the row at exactly that distance, too",
        )
    if length.count < 1:
        raise BadFrame("a frame has the current row at least", given=f"range={value!r}", remedy="give rows(1) or more")
    return Rows(length.count - 1)


def check_one_aggregate(expression: Expression) -> Expression:
    """A frame is that of one aggregate."""
    calls = len(expression.user_calls) + sum(1 for _ in expression.tree.find_all(exp.AggFunc))
    if calls != 1:
        raise BadFrame(
            "over(...) puts one aggregate over a frame",
            given=f"{calls} aggregates in {expression.text}",
            remedy="give each its own frame and a name, and compute with them in a second select(...)",
        )
    return expression
