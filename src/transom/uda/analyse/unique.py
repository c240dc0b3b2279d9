"""Which look-ups find at most one row: where the body inserts a key only if it is not there, and never changes it."""

from __future__ import annotations

from transom.uda.ir import BoundVersion, Exists, Field, InsertRows, Op, SelectQuery, Source, TableRef, Update, sources_of


def is_unique(table: int, columns: tuple[int, ...], version: BoundVersion) -> bool:
    """Whether no two rows of a table can have the same values in these columns. NULLs and doubles are not spoken of."""
    own = version.tables[table]
    if any(own.kinds[column] == "double" for column in columns):
        return False
    filled = False
    for statement in version.statements():
        if isinstance(statement, Update) and _is(statement.source.table, table) and _changes(statement, columns):
            return False
        if isinstance(statement, InsertRows) and _is(statement.target, table):
            for query in statement.queries:
                first = statement.clause == "INITIALIZE" and not filled and not query.sources
                if not first and not is_guarded(query, table, columns):
                    return False
                filled = True
    return True


def _changes(statement: Update, columns: tuple[int, ...]) -> bool:
    return any(at in columns for at, _ in statement.assignments)


def _is(ref: TableRef, table: int) -> bool:
    return ref.where == "local" and ref.index == table


def is_guarded(query: SelectQuery, table: int, columns: tuple[int, ...]) -> bool:
    """`SELECT k, ... WHERE NOT EXISTS (SELECT ... FROM t WHERE t.k = k)`, from nothing."""
    if query.sources or not query.is_plain:
        return False
    for condition in query.where:
        absent = isinstance(condition, Op) and condition.name == "not" and isinstance(condition.args[0], Exists)
        if absent and _asks_for(condition.args[0].query, query, table, columns):  # type: ignore[attr-defined]
            return True
    return False


def _asks_for(inner: SelectQuery, query: SelectQuery, table: int, columns: tuple[int, ...]) -> bool:
    if not inner.is_plain or len(inner.sources) != 1 or not _is(inner.sources[0].table, table):
        return False
    source = inner.sources[0]
    asked = {column for column in columns for each in inner.where if _sets(each, source, column, query)}
    return asked == set(columns) and len(inner.where) == len(columns)


def _sets(condition: object, source: Source, column: int, query: SelectQuery) -> bool:
    if not isinstance(condition, Op) or condition.name != "eq":
        return False
    for one, other in (condition.args, condition.args[::-1]):
        if isinstance(one, Field) and one.source == source and one.column == column and not sources_of(other):
            return other == query.outputs[column]
    return False
