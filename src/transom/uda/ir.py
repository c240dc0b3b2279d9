"""A body after binding: every name resolved, every value of a known kind. Both analysis and code generation read this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from transom.errors import Span


@dataclass(frozen=True)
class TableRef:
    """A table: `local` (its number), `inwindow`, `other` (a local one of the state that is combined), `static` or `return`."""

    where: str
    index: int
    name: str
    columns: tuple[str, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """A table in FROM, or the target of UPDATE and DELETE; the number distinguishes several of one table."""

    number: int
    table: TableRef


@dataclass(frozen=True)
class Expr:
    """A value of some kind."""

    kind: str

    def parts(self) -> tuple[Expr, ...]:
        return ()


@dataclass(frozen=True)
class Const(Expr):
    value: Any


@dataclass(frozen=True)
class Arg(Expr):
    """An argument of the aggregate."""

    index: int


@dataclass(frozen=True)
class Field(Expr):
    """A column of the row that a source stands at."""

    source: Source
    column: int


@dataclass(frozen=True)
class Oldest(Expr):
    """A column of `oldest()`."""

    column: int


@dataclass(frozen=True)
class Newest(Expr):
    """`is_newest()`, of the row of inwindow that a source stands at."""

    source: Source


@dataclass(frozen=True)
class Op(Expr):
    """An operator or a function; `name` says which."""

    name: str
    args: tuple[Expr, ...]

    def parts(self) -> tuple[Expr, ...]:
        return self.args


@dataclass(frozen=True)
class AggregateValue(Expr):
    """The value of an aggregate of the query it stands in."""

    index: int


@dataclass(frozen=True)
class Scalar(Expr):
    """A query in parentheses: its one value, NULL if it has no row."""

    query: SelectQuery


@dataclass(frozen=True)
class Exists(Expr):
    query: SelectQuery


@dataclass(frozen=True)
class InQuery(Expr):
    value: Expr
    query: SelectQuery

    def parts(self) -> tuple[Expr, ...]:
        return (self.value,)


@dataclass(frozen=True)
class AggregateCall:
    """A built-in aggregate, or a user's (`user` is its place among those that the version uses), over the rows of a query."""

    function: str
    args: tuple[Expr, ...]
    distinct: bool = False
    user: int | None = None


@dataclass(frozen=True)
class SelectQuery:
    """A SELECT."""

    outputs: tuple[Expr, ...]
    sources: tuple[Source, ...] = ()
    where: tuple[Expr, ...] = ()
    group: tuple[Expr, ...] | None = None
    aggregates: tuple[AggregateCall, ...] = ()
    having: Expr | None = None
    order: tuple[tuple[Expr, bool], ...] = ()
    limit: int | None = None
    distinct: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether each row that FROM and WHERE give is a row of the result, in that order."""
        return not (self.aggregates or self.group is not None or self.order or self.distinct) and self.limit is None


@dataclass(frozen=True)
class BoundStatement:
    """A statement, with its clause and its place for messages."""

    clause: str
    text: str
    span: Span | None = field(compare=False, repr=False)


@dataclass(frozen=True)
class InsertRows(BoundStatement):
    """Rows for a table, or for the result: each of the values is of the kind of its column."""

    target: TableRef
    queries: tuple[SelectQuery, ...]


@dataclass(frozen=True)
class Update(BoundStatement):
    source: Source
    assignments: tuple[tuple[int, Expr], ...]
    where: tuple[Expr, ...]


@dataclass(frozen=True)
class Delete(BoundStatement):
    source: Source
    where: tuple[Expr, ...]


@dataclass(frozen=True)
class BoundVersion:
    """A version after binding. `arguments` are their kinds, `called` their names; `returns` are the SQL types of a row."""

    name: str
    is_window: bool
    arguments: tuple[str, ...]
    called: tuple[str, ...]
    returns: tuple[str, ...]
    tables: tuple[TableRef, ...]
    inwindow: TableRef
    clauses: dict[str, tuple[BoundStatement, ...]]
    uses: tuple[str, ...] = ()

    def statements(self) -> Iterator[BoundStatement]:
        for statements in self.clauses.values():
            yield from statements


def queries_of(statement: BoundStatement) -> Iterator[SelectQuery]:
    """The queries of a statement, inner ones too."""
    outer = statement.queries if isinstance(statement, InsertRows) else ()
    for query in outer:
        yield from _inner(query)
    for expr in own_expressions(statement):
        for part in walk(expr):
            if isinstance(part, Scalar | Exists | InQuery):
                yield from _inner(part.query)


def own_expressions(statement: BoundStatement) -> list[Expr]:
    """The expressions of an UPDATE or DELETE."""
    if isinstance(statement, Update):
        return [*(value for _, value in statement.assignments), *statement.where]
    return list(statement.where) if isinstance(statement, Delete) else []


def _inner(query: SelectQuery) -> Iterator[SelectQuery]:
    yield query
    for expr in expressions_of(query):
        for part in walk(expr):
            if isinstance(part, Scalar | Exists | InQuery):
                yield from _inner(part.query)


def expressions_of(query: SelectQuery) -> list[Expr]:
    """The expressions of a query itself."""
    having = [] if query.having is None else [query.having]
    calls = [arg for call in query.aggregates for arg in call.args]
    return [*query.outputs, *query.where, *(query.group or ()), *calls, *having, *(key for key, _ in query.order)]


def walk(expr: Expr) -> Iterator[Expr]:
    """An expression and its parts; inner queries are not entered."""
    yield expr
    for part in expr.parts():
        yield from walk(part)


def everything(statement: BoundStatement) -> Iterator[Expr]:
    """All expressions of a statement, those of inner queries too."""
    for expr in own_expressions(statement):
        yield from walk(expr)
    for query in queries_of(statement):
        for expr in expressions_of(query):
            yield from walk(expr)


def sources_of(expr: Expr) -> set[int]:
    """The numbers of the sources that an expression reads, inner queries included."""
    found = set()
    for part in walk(expr):
        if isinstance(part, Field | Newest):
            found.add(part.source.number)
        if isinstance(part, Scalar | Exists | InQuery):
            for query in _inner(part.query):
                for inner in expressions_of(query):
                    found |= sources_of(inner)
    return found
