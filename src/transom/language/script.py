"""A script: its statements, bound in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from transom.language.bind.binder import Binder
from transom.language.bind.tables import asks_tables
from transom.language.catalog import Catalog
from transom.language.parse.parser import parse_script
from transom.language.parse.spans import with_span
from transom.language.parse.syntax import (
    Ask,
    Command,
    CreateAggregate,
    CreateStream,
    CreateTable,
    InsertInto,
    ScriptStatement,
    SelectStatement,
)
from transom.plan.check import check_bounded
from transom.plan.nodes.node import Node

BYTE_ORDER_MARK = "\ufeff"
"""What some editors put at the start of a file."""


@dataclass
class Script:
    """What a script asks for, in order: each statement, and the plan of those that have one."""

    catalog: Catalog
    statements: list[tuple[ScriptStatement, Node | None]] = field(default_factory=list)

    @property
    def queries(self) -> list[Node]:
        """The plans to run: bare SELECTs, INSERTs and concrete views."""
        return [
            plan
            for statement, plan in self.statements
            if plan is not None and isinstance(statement, SelectStatement | InsertInto | CreateTable)
        ]


def bind_script(sql: str, catalog: Catalog | None = None) -> Script:
    """Parse and bind a script. Nothing runs.

    >>> script = bind_script('''
    ...     CREATE STREAM s (x DOUBLE, ts TIMESTAMP) ORDER BY ts;
    ...     SELECT max(x) AS hi FROM s [TUMBLE 5 MINUTES];
    ... ''')
    >>> [column.name for column in script.queries[0].schema.columns]
    ['hi']
    """
    sql = sql.removeprefix(BYTE_ORDER_MARK)
    script = Script(catalog or Catalog())
    binder = Binder(script.catalog, sql)
    for statement in parse_script(sql):
        script.statements.append((statement, _bind(binder, statement)))
    return script


def _bind(binder: Binder, statement: ScriptStatement) -> Node | None:
    if isinstance(statement, CreateStream | CreateTable | CreateAggregate):
        concrete = binder.define(statement)
        if concrete is not None:
            with_span(statement.span, partial(check_bounded, concrete))
        return concrete
    if isinstance(statement, SelectStatement) and binder.catalog.one_time and asks_tables(statement.query, binder.catalog):
        return None
    if isinstance(statement, InsertInto | SelectStatement | Ask):
        bind = partial(binder.insert, statement) if isinstance(statement, InsertInto) else partial(binder.query, statement.query)
        plan = with_span(statement.span, bind)
        with_span(statement.span, partial(check_bounded, plan))
        return plan
    assert isinstance(statement, Command)
    if statement.name is not None:
        binder.forget(statement, statement.name, drop=statement.kind == "drop")
    return None
