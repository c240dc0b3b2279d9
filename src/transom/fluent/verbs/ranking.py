"""`row_number`, `rank` and `dense_rank` in a select list over a window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sqlglot import exp

from transom.errors import BadExpression
from transom.fluent.functions.aggregated import Aggregated, aggregated, is_column
from transom.fluent.select_list import ordering
from transom.plan.expression import parse
from transom.plan.nodes.node import Node
from transom.plan.relations.within_instant import RANKED, Ranked, Ranking, partition_of_rank

if TYPE_CHECKING:
    from transom.fluent.select_list import Item


def ranked(plan: Node, items: Mapping[str, Item]) -> tuple[Node, dict[str, Item]]:
    """The plan with ranks as columns, and the select list with these columns; both unchanged if there is no rank."""
    found = {name: rank for name, item in items.items() if (rank := _rank(item, plan)) is not None}
    if not found:
        return plan, dict(items)
    made = Ranked(plan, tuple(dict.fromkeys(found.values())))
    return made, {name: found[name].text if name in found else item for name, item in items.items()}


def _rank(item: Item, plan: Node) -> Ranking | None:
    tree = _tree(item)
    function = RANKED.get(type(tree.this)) if isinstance(tree, exp.Window) else None
    if tree is None or function is None or not plan.is_windowed:
        return None
    by = partition_of_rank(tree)
    order = tree.args.get("order")
    given = [] if order is None else [ordering(one.sql("spark"), plan) for one in order.expressions]
    return Ranking(function, tuple(plan.schema.find(column.name).name for column in by), tuple(given))


def _tree(item: Item) -> exp.Expr | None:
    if isinstance(item, str):
        try:
            return parse(item).unalias()
        except BadExpression:
            return None
    one = aggregated(item) if is_column(item) else item  # type: ignore[arg-type]
    return one.expression.tree.unalias() if isinstance(one, Aggregated) else None
