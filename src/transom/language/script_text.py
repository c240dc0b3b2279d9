"""The statements of a script with the text that each was written in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from transom.language.parse.syntax import CreateAggregate, CreateStream, CreateTable, InsertInto, ScriptStatement, SelectStatement
from transom.language.script import Script
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Scan, TableJoin
from transom.plan.nodes.windowed import Frame


@dataclass(frozen=True)
class Stated:
    """A statement, its text, and its plan if it has one."""

    statement: ScriptStatement
    text: str
    plan: Node | None

    @property
    def is_query(self) -> bool:
        return self.plan is not None and isinstance(self.statement, SelectStatement | InsertInto | CreateTable)

    def sql(self, script: Script) -> list[str]:
        """The definitions that a query reads from, and the query."""
        assert self.plan is not None
        names = {name.lower() for node in self.plan.walk() for name in _names(node)}
        every = stated(script, self.statement.span.text)
        return [*(one.text for one in every if _defined(one.statement) in names), self.text]


def _defined(statement: ScriptStatement) -> str | None:
    """The name that a statement defines."""
    if isinstance(statement, CreateAggregate):
        return statement.version.name.lower()
    return statement.name.lower() if isinstance(statement, CreateStream | CreateTable) else None


def _called(node: Node) -> list[str]:
    """The users' aggregates that a node calls, with those that they use and the tables that they read."""
    items = [item for _, item in getattr(node, "items", ())]
    expressions = [item.aggregate if isinstance(item, Frame) else item for item in items]
    having = getattr(node, "having", None)
    found: list[str] = []
    for user in [user for each in [*expressions, *([having] if having else [])] for user in each.aggregates]:
        found += [user.name, *user.all_reads(), *(other.name for other in getattr(user, "uses", ()))]
    return found


def _names(node: Node) -> list[str]:
    called = _called(node)
    if called:
        return called
    if isinstance(node, Scan):
        return [node.stream.name]
    if isinstance(node, LateOf):
        return [node.called or node.name, node.name]
    if isinstance(node, TableJoin):
        return [node.table]
    return [node.name] if isinstance(node, Derived) else []


BEHIND = re.compile(r";?\s*(?:(?:--[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)\s*)*\Z")
"""What stands behind a statement: its semicolon, and comments that belong to the next one."""


def stated(script: Script, sql: str) -> list[Stated]:
    """Each statement with its own text.

    >>> from transom.language import bind_script
    >>> text = "CREATE STREAM s (x INT, t TIMESTAMP) ORDER BY t;  -- first\\n-- then\\nSELECT x FROM s;"
    >>> [one.text for one in stated(bind_script(text), text)]
    ['CREATE STREAM s (x INT, t TIMESTAMP) ORDER BY t', 'SELECT x FROM s']
    """
    starts = [statement.span.start for statement, _ in script.statements]
    ends = [*starts[1:], len(sql)]
    return [
        Stated(statement, BEHIND.sub("", sql[start:end].strip(), count=1), plan)
        for (statement, plan), start, end in zip(script.statements, starts, ends, strict=False)
    ]
