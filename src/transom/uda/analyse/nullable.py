"""Which values can be NULL: computed once for a version, so that the code checks only where it must."""

from __future__ import annotations

from transom.uda.analyse.spread import spread
from transom.uda.definition import INWINDOW
from transom.uda.ir import (
    AggregateValue,
    Arg,
    BoundVersion,
    Const,
    Exists,
    Expr,
    Field,
    Newest,
    Oldest,
    Op,
    SelectQuery,
)


class Nullable:
    """The columns of tables that can be NULL, given whether arguments can be."""

    def __init__(self, version: BoundVersion, *, arguments: bool, deletes: bool) -> None:
        self.version, self.arguments, self.deletes = version, arguments, deletes
        self.columns: set[tuple[int, int]] = set()
        spread(version, self.columns, self.of)

    def of(self, expr: Expr, query: SelectQuery | None = None) -> bool:
        """Whether a value can be NULL."""
        if isinstance(expr, Const):
            return expr.value is None
        if isinstance(expr, Arg):
            return self.arguments
        if isinstance(expr, Oldest):
            return self.arguments or self.deletes
        if isinstance(expr, Newest | Exists):
            return False
        if isinstance(expr, Field):
            table = expr.source.table
            if table.where == INWINDOW:
                return self.arguments
            return table.where == "static" or (table.index, expr.column) in self.columns
        if isinstance(expr, AggregateValue):
            return query is None or query.aggregates[expr.index].function != "count"
        if isinstance(expr, Op):
            return self._op(expr, query)
        return True

    def _op(self, expr: Op, query: SelectQuery | None) -> bool:
        parts = [self.of(part, query) for part in expr.args]
        if expr.name in ("isnull", "nseq"):
            return False
        if expr.name == "case":
            return any(parts[1:-1:2]) or parts[-1]
        if expr.name in ("coalesce", "call:Greatest", "call:Least"):
            return all(parts)
        return any(parts) or expr.name == "call:Ln"
