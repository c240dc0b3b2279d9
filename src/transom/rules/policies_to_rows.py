"""A window whose policies only count tuples is a window of rows, which is computed on columns (seed 004, section 3.3)."""

from __future__ import annotations

from dataclasses import replace

from transom.plan.nodes.node import Node
from transom.plan.nodes.windowed import Cut
from transom.rules.walk import rewrite
from transom.windowing.policy_window import of_rows


def policies_to_rows(plan: Node) -> Node:
    """`[TUMBLING count(n)]` and `[SLIDING count(n), count(m)]` are `[RANGE n ROWS SLIDE m ROWS]`, in each partition."""
    return rewrite(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, Cut):
        return None
    window = of_rows(node.window)
    return None if window == node.window else replace(node, window=window)
