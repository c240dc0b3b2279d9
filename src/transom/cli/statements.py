"""The statements of a script with the text that each was written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from transom.language import Script
from transom.language.syntax import CreateStream, CreateTable, InsertInto, SelectStatement, Statement
from transom.plan.node import Node
from transom.plan.relational import Derived, LateOf, Scan, TableJoin

if TYPE_CHECKING:
    from transom.physical.frame import SparkSession


@dataclass(frozen=True)
class Stated:
    """A statement, its text, and its plan if it has one."""

    statement: Statement
    text: str
    plan: Node | None

    @property
    def is_query(self) -> bool:
        return isinstance(self.statement, SelectStatement | InsertInto)

    def sql(self, script: Script) -> list[str]:
        """The definitions that a query reads from, and the query."""
        assert self.plan is not None
        names = {name.lower() for node in self.plan.walk() for name in _names(node)}
        every = stated(script, self.statement.span.text)
        return [
            *(
                one.text
                for one in every
                if isinstance(one.statement, CreateStream | CreateTable) and one.statement.name.lower() in names
            ),
            self.text,
        ]


def _names(node: Node) -> list[str]:
    if isinstance(node, Scan):
        return [node.stream.name]
    if isinstance(node, LateOf):
        return [node.called or node.name, node.name]
    if isinstance(node, TableJoin):
        return [node.table]
    return [node.name] if isinstance(node, Derived) else []


def stated(script: Script, sql: str) -> list[Stated]:
    """Each statement reaches to the next."""
    starts = [statement.span.start for statement, _ in script.statements]
    ends = [*starts[1:], len(sql)]
    return [
        Stated(statement, sql[start:end].strip().rstrip(";").rstrip(), plan)
        for (statement, plan), start, end in zip(script.statements, starts, ends, strict=False)
    ]


def tables(spark: SparkSession, statements: list[Stated]) -> None:
    """Make the tables of CREATE TABLE that Spark does not know."""
    from transom.physical.tables import make_table

    for one in statements:
        if isinstance(one.statement, CreateTable):
            make_table(spark, one.statement.name, one.statement.kind, one.text)
