"""A window whose policies only count tuples is a window of rows, which is computed on columns (seed 004, section 3.3)."""

from __future__ import annotations

from dataclasses import replace

from transom.plan.nodes.applied import Applied
from transom.plan.nodes.node import Node
from transom.plan.nodes.windowed import Cut, Frames
from transom.rules.walk import rewrite
from transom.windowing.policy_window import of_rows


def policies_to_rows(plan: Node) -> Node:
    """`[TUMBLING count(n)]` and `[SLIDING count(n), count(m)]` are `[RANGE n ROWS SLIDE m ROWS]`, in each partition.

    Only over a stream: the results of another window with policies, or of an operator, have an order that containers keep.
    """
    stateful = [node for node in plan.walk() if isinstance(node, Cut | Frames | Applied)]
    return plan if len(stateful) > 1 else rewrite(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, Cut):
        return None
    window = of_rows(node.window)
    return None if window == node.window else replace(node, window=window)
