"""How a version keeps its tables: as variables where there is always one row, else as rows with the indexes that it asks for."""

from __future__ import annotations

from dataclasses import dataclass, field

from transom.uda.analyse.unique import is_unique
from transom.uda.definition import INWINDOW
from transom.uda.ir import (
    Arg,
    BoundStatement,
    BoundVersion,
    Delete,
    Expr,
    Field,
    InsertRows,
    Newest,
    Oldest,
    Op,
    Source,
    everything,
    queries_of,
    sources_of,
)


@dataclass(frozen=True)
class Falling:
    """A window that is kept falling: its first act on each tuple is `DELETE ... WHERE v <= x AND NOT is_newest()`, x being what v
    holds of the new tuple. So values fall from the oldest on, and only the end of the window has to be looked at.
    """

    statement: Delete
    column: int
    strict: bool


@dataclass
class Layout:
    """What the analysis of a version found out.

    `variables` are the tables of one row; `indexes` the columns that each other table is looked up by, `unique` those of them
    for which there is at most one row; `deletes` whether the body takes tuples out of inwindow; `keeps` whether inwindow is
    needed at all.
    """

    variables: set[int]
    indexes: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)
    deletes: bool = False
    keeps: bool = False
    scans_on_expire: bool = False
    loses_newest: bool = False
    unique: set[tuple[int, tuple[int, ...]]] = field(default_factory=set)
    falling: Falling | None = None

    def index(self, table: int, columns: tuple[int, ...]) -> int:
        """The number of an index, which is added if there is none."""
        known = self.indexes.setdefault(table, [])
        if columns not in known:
            known.append(columns)
        return known.index(columns)


def layout_of(version: BoundVersion) -> Layout:
    """Analyse a version."""
    statements = list(version.statements())
    layout = Layout({table.index for table in version.tables if _has_one_row(table.index, version)})
    leaving = [each for each in statements if isinstance(each, Delete) and each.source.table.where == INWINDOW]
    layout.deletes = bool(leaving)
    layout.loses_newest = not all(any(_is_not_newest(part, each.source) for part in each.where) for each in leaving)
    layout.falling = _falling(version) if len(leaving) == 1 else None
    expire = version.clauses.get("EXPIRE", ())
    layout.scans_on_expire = any(_scans(statement) for statement in expire)
    layout.keeps = bool(expire) or any(_scans(each) or _reads_oldest(each) for each in statements)
    for statement in statements:
        _find_indexes(statement, layout)
    layout.unique = {
        (table, columns) for table, each in layout.indexes.items() for columns in each if is_unique(table, columns, version)
    }
    return layout


def _falling(version: BoundVersion) -> Falling | None:
    first = next(iter(version.clauses.get("ITERATE", ())), None)
    if not isinstance(first, Delete) or first.source.table.where != INWINDOW or len(first.where) != 2:
        return None
    tests = [each for each in first.where if not _is_not_newest(each, first.source)]
    test = tests[0] if len(tests) == 1 else None
    if not isinstance(test, Op) or test.name not in ("lt", "le", "gt", "ge"):
        return None
    small, large = test.args if test.name in ("lt", "le") else test.args[::-1]
    same = isinstance(small, Field) and small.source == first.source and isinstance(large, Arg) and large.index == small.column
    return Falling(first, small.column, test.name in ("lt", "gt")) if same and isinstance(small, Field) else None


def _is_not_newest(expr: Expr, source: Source) -> bool:
    return isinstance(expr, Op) and expr.name == "not" and expr.args[0] == Newest("boolean", source)


def _has_one_row(table: int, version: BoundVersion) -> bool:
    """One row is inserted when the aggregate starts, and none is inserted or deleted later."""
    inserts = [each for each in version.statements() if isinstance(each, InsertRows) and _is(each.target, table)]
    if len(inserts) != 1 or inserts[0].clause != "INITIALIZE" or len(inserts[0].queries) != 1:
        return False
    query = inserts[0].queries[0]
    if query.sources or query.where or query.limit is not None or query.aggregates:
        return False
    before = version.clauses["INITIALIZE"][: version.clauses["INITIALIZE"].index(inserts[0])]
    touched = [each for each in before if table in _tables(each)]
    return not touched and not any(isinstance(each, Delete) and _is(each.source.table, table) for each in version.statements())


def _tables(statement: BoundStatement) -> set[int]:
    found = {source.table.index for query in queries_of(statement) for source in query.sources if source.table.where == "local"}
    return found | ({statement.source.table.index} if hasattr(statement, "source") else set())


def _is(ref: object, table: int) -> bool:
    return getattr(ref, "where", "") == "local" and getattr(ref, "index", -1) == table


def _scans(statement: BoundStatement) -> bool:
    if isinstance(statement, Delete) and statement.source.table.where == INWINDOW:
        return True
    return any(source.table.where == INWINDOW for query in queries_of(statement) for source in query.sources)


def _reads_oldest(statement: BoundStatement) -> bool:
    return any(isinstance(part, Oldest | Newest) for part in everything(statement))


def _find_indexes(statement: BoundStatement, layout: Layout) -> None:
    if hasattr(statement, "source") and hasattr(statement, "where"):
        _index(statement.source, statement.where, set(), layout)
    for query in queries_of(statement):
        inside = {source.number for source in query.sources}
        for n, source in enumerate(query.sources):
            later = {other.number for other in query.sources[n + 1 :]}
            _index(source, query.where, later & inside, layout)


def _index(source: Source, where: tuple[Expr, ...], later: set[int], layout: Layout) -> None:
    if source.table.where == "local" and source.table.index not in layout.variables:
        found = looked_up(source, where, later)
        if found:
            layout.index(source.table.index, tuple(column for column, _ in found))


def looked_up(source: Source, where: tuple[Expr, ...], later: set[int]) -> list[tuple[int, Expr]]:
    """The columns of a source that conditions set equal to something known before, each once, in order."""
    found: dict[int, Expr] = {}
    for condition in where:
        if isinstance(condition, Op) and condition.name == "eq":
            for one, other in (condition.args, condition.args[::-1]):
                known = not sources_of(other) & (later | {source.number})
                if isinstance(one, Field) and one.source == source and known:
                    found.setdefault(one.column, other)
                    break
    return sorted(found.items())
