"""What the parser gives: statements and clauses as they were written, nothing resolved yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from transom.errors import Span
from transom.uda.definition import Version


@dataclass(frozen=True)
class Clause:
    """A clause of a bracket or of CREATE STREAM, its value, and where it stands."""

    name: str
    value: Any
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Percent:
    """A number of percent."""

    value: float


@dataclass(frozen=True)
class SourceText:
    """`SOURCE ...` or the target of INSERT INTO: a kind, what it names, a format and options."""

    kind: str
    name: str | None = None
    format: str | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ScriptStatement:
    """Any statement."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class SelectStatement(ScriptStatement):
    query: exp.Expr


@dataclass(frozen=True)
class CreateStream(ScriptStatement):
    name: str
    columns: tuple[tuple[str, str], ...] = ()
    clauses: tuple[Clause, ...] = ()
    source: SourceText | None = None
    query: exp.Expr | None = None
    late_of: str | None = None
    order_by: str | None = None
    name_span: Span | None = field(default=None, compare=False, repr=False)
    """Where the name behind LATE OF stands."""
    order_span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class CreateTable(ScriptStatement):
    """CREATE TABLE and CREATE VIEW, handed on to Spark or kept as a concrete view."""

    name: str
    kind: str
    columns: tuple[tuple[str, str], ...] = ()
    query: exp.Expr | None = None


@dataclass(frozen=True)
class CreateAggregate(ScriptStatement):
    """CREATE AGGREGATE or CREATE WINDOW AGGREGATE."""

    version: Version


@dataclass(frozen=True)
class InsertInto(ScriptStatement):
    target: SourceText
    query: exp.Expr


@dataclass(frozen=True)
class Ask(ScriptStatement):
    """EXPLAIN, EXPLAIN ANALYZE or CHECK, of a query."""

    kind: str
    query: exp.Expr


@dataclass(frozen=True)
class Command(ScriptStatement):
    """SHOW STREAMS, DESCRIBE STREAM s, DROP STREAM s."""

    kind: str
    name: str | None = None
