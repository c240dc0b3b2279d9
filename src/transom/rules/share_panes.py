"""Windows over the same stream and keys share panes (seed 000, section 5.2): one width that goes into all of them."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Project
from transom.plan.nodes.windowed import Cut
from transom.plan.panes import PaneAggregate, Together
from transom.rules.panes_by_gcd import common_width
from transom.semantics.classes.measured import base_of
from transom.semantics.length import Length
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.sliding import Sliding


def share_panes(plan: Node) -> Node:
    """Give the pane aggregates of one stream, in the same keys, the same panes."""
    if not isinstance(plan, Together):
        return plan
    shared: dict[object, list[PaneAggregate]] = {}
    for query in plan.queries:
        if isinstance(query, PaneAggregate) and (key := _shares(query)) is not None:
            shared.setdefault(key, []).append(query)
    widths = {key: reduce(common_width, (query.width for query in queries)) for key, queries in shared.items()}
    return replace(plan, queries=tuple(_narrowed(query, widths) for query in plan.queries))


def _narrowed(query: Node, widths: dict[object, Length]) -> Node:
    if not isinstance(query, PaneAggregate) or _shares(query) is None:
        return query
    return replace(query, width=widths[_shares(query)])


def _shares(query: PaneAggregate) -> object:
    """What queries must have in common: stream, keys, attribute, and edges that fall on the same panes."""
    cut = query.input
    if not isinstance(cut, Cut):
        return None
    base = base_of(cut.window)
    if not isinstance(base, Sliding | RowWindow):
        return None
    edges = None if isinstance(base, RowWindow) else (base.offset, base.origin, base.lag)
    return _source(cut.input), query.keys, str(base.wattr), cut.disorder, edges


def _source(node: Node) -> Node:
    """The stream, whatever columns each query keeps of it."""
    while isinstance(node, Project):
        node = node.input
    return node
