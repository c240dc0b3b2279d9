"""Which rows are surely there when a tuple leaves the window: those that its arrival has put into a table or found in it."""

from __future__ import annotations

from dataclasses import replace

from transom.uda.analyse.layout import Layout
from transom.uda.analyse.steady import is_of_tuple, reads_oldest
from transom.uda.analyse.unique import is_guarded
from transom.uda.ir import Arg, BoundVersion, Delete, Expr, InsertRows, Oldest, Op, SelectQuery

Key = tuple[int, tuple[tuple[int, Expr], ...]]
"""What a row is looked up by: a table, and columns with their values."""


def leaves_a_row(query: SelectQuery, table: int, columns: tuple[int, ...]) -> bool:
    """Whether there is a row with the key of the query's values once they are inserted: they are, or one was there already."""
    if query.sources or not query.is_plain:
        return False
    return not query.where or (len(query.where) == 1 and is_guarded(query, table, columns))


def there_at_the_end(version: BoundVersion, layout: Layout) -> set[Key]:
    """Keys made of `oldest()` for which there is a row when EXPIRE runs: each arrival left one for its tuple, and none goes."""
    deletes = [each.source.table for each in version.statements() if isinstance(each, Delete)]
    emptied = {table.index for table in deletes if table.where == "local"}
    kept = [(table, columns) for table, columns in layout.unique if table not in emptied]
    first, *others = (_left_by(version, clause, kept) for clause in ("INITIALIZE", "ITERATE"))
    return {(table, tuple((at, _when_leaving(value)) for at, value in key)) for table, key in first.intersection(*others)}


def _left_by(version: BoundVersion, clause: str, unique: list[tuple[int, tuple[int, ...]]]) -> set[Key]:
    found: set[Key] = set()
    for statement in version.clauses[clause]:
        if not isinstance(statement, InsertRows) or statement.target.where != "local":
            continue
        for query in statement.queries:
            for table, columns in unique:
                key = tuple((at, query.outputs[at]) for at in columns) if table == statement.target.index else ()
                if key and leaves_a_row(query, table, columns) and all(_is_of_arguments(value) for _, value in key):
                    found.add((table, key))
    return found


def _is_of_arguments(value: Expr) -> bool:
    return is_of_tuple(value) and not reads_oldest(value)


def _when_leaving(value: Expr) -> Expr:
    """What a value of the arguments is called when their tuple leaves."""
    if isinstance(value, Arg):
        return Oldest(value.kind, value.index)
    return replace(value, args=tuple(map(_when_leaving, value.args))) if isinstance(value, Op) else value
