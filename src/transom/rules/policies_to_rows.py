"""A window whose policies only count tuples is a window of rows, which is computed on columns (seed 004, section 3.3)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from transom.plan.applied.sorted_first import order_of_feed
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.windowed import Cut, Frames
from transom.rules.walk import rewrite
from transom.windowing.policy_window import of_rows


def policies_to_rows(plan: Node) -> Node:
    """`[TUMBLING count(n)]` and `[SLIDING count(n), count(m)]` are `[RANGE n ROWS SLIDE m ROWS]`, in each partition.

    On a stream with a disorder clause, which is sorted first, rows are counted by rank. Only over a stream: the results of
    another window with policies, or of an operator, have an order that containers keep.
    """
    nodes = list(plan.walk())
    stateful = [node for node in nodes if isinstance(node, Cut | Frames | Applied)]
    scan = list(plan.chain())[-1]
    if len(stateful) != 1 or not isinstance(scan, Scan):
        return plan
    return rewrite(plan, partial(_here, order_of_feed(scan)))


def _here(order: str | None, node: Node) -> Node | None:
    if not isinstance(node, Cut):
        return None
    if order is not None and order.lower() not in {name.lower() for name in node.input.schema.names}:
        return None
    window = of_rows(node.window, order)
    return None if window == node.window else replace(node, window=window)
