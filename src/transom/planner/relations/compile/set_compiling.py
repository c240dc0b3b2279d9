"""Set operations and DISTINCT: how often each row is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transom.plan.nodes.relational import Distinct
from transom.plan.quoted import quoted
from transom.plan.relations.set_operation import SetOperation
from transom.planner.relations.compile.carried_texts import rows_of, typed, with_instant
from transom.planner.relations.relational_stages import MultiplicityStage, RelationalStage

if TYPE_CHECKING:
    from transom.planner.relations.compile.compiler import Compiler


def set_operation(compiler: Compiler, node: SetOperation, gives: str) -> RelationalStage:
    names = node.schema.names
    inputs = []
    for side in node.inputs:
        own = dict(zip(names, side.schema.names, strict=True))
        types = {name: (side.schema.find(own[name]).type, node.schema.find(name).type) for name in names}
        inputs.append(compiler.source(side, lambda parts, own=own, types=types: typed(own, types, parts)))  # type: ignore[misc]
    operation = f"{node.operation.lower()}{' all' if node.every else ''}"
    items = tuple(with_instant([(name, quoted(name)) for name in names]))
    return MultiplicityStage(node, tuple(inputs), operation=operation, gives=gives, items=items)


def distinct(compiler: Compiler, node: Distinct, gives: str) -> RelationalStage:
    """Each row once. Which of equal rows is kept shows in its event_ts alone, and there in streams of changes."""
    names = node.schema.names
    taken = compiler.source(node.input, lambda parts: rows_of(names, parts))
    items = tuple(with_instant([(name, quoted(name)) for name in names]))
    return MultiplicityStage(node, (taken,), operation="distinct", gives=gives, items=items)
