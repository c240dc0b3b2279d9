"""The names that an expression in Python may use: the same ones, with the same meaning, as in SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlglot import exp

from transom.language.bind.from_clause import Among
from transom.language.bind.resolve import JoinedColumns, Resolver
from transom.plan.expression import Aggregates, Expression, of_inputs
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, Scan, TableJoin
from transom.plan.nodes.windowed import Cut

PASSING = (Filter, Cut, Extend, TableJoin)
"""What leaves columns with the relations that they come from. Behind a select list, names of relations are gone, as in SQL."""


def resolved(
    tree: exp.Expr, text: str, plan: Node, *, called: Iterable[str] = (), aggregates: Aggregates, extra: Iterable[str] = ()
) -> Expression:
    """An expression over the columns of a plan, which also goes by the names `called`; `extra` stand for themselves."""
    relations, joined = _relations(plan)
    names = Resolver(
        plan.schema, {**relations, **{name: name for name in called}}, text, aggregates=dict(aggregates), joined=joined
    )
    return names.expression(of_inputs(tree, [column.name for column in plan.schema.columns]), extra)


def _relations(plan: Node) -> tuple[Mapping[str, str], JoinedColumns | None]:
    """What columns can be qualified with, and the join of streams that they come from."""
    found: dict[str, str] = {}
    for node in plan.chain():
        if isinstance(node, Among):
            return found | {name: name for name in node.names}, node
        if isinstance(node, TableJoin) and not node.only_filters:
            found[node.table] = node.table
        elif isinstance(node, Scan | Derived):
            name = node.stream.name if isinstance(node, Scan) else node.name
            return found | {name: name}, None
        elif not isinstance(node, PASSING):
            return found, None
    return found, None
