"""How a property of values spreads through the tables of a version: a column has it if one of the values put into it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from transom.uda.ir import BoundVersion, Expr, InsertRows, SelectQuery, Update


def spread(version: BoundVersion, columns: set[tuple[int, int]], has: Callable[[Expr, SelectQuery | None], bool]) -> None:
    """Add columns, as table and number, until none is missing; `has` looks at those that were found before."""
    while True:
        found = {(table, at) for table, at, value, query in _written(version) if has(value, query)}
        if found <= columns:
            return
        columns |= found


def _written(version: BoundVersion) -> Iterator[tuple[int, int, Expr, SelectQuery | None]]:
    """What statements put into the columns of tables, with the query that it comes from."""
    for statement in version.statements():
        if isinstance(statement, InsertRows) and statement.target.where == "local":
            for query in statement.queries:
                for at, value in enumerate(query.outputs):
                    yield statement.target.index, at, value, query
        if isinstance(statement, Update):
            for at, value in statement.assignments:
                yield statement.source.table.index, at, value, None
