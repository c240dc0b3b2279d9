"""PATTR and GROUP BY are interchangeable on a carried attribute, of windows reported at every slide."""

from __future__ import annotations

from dataclasses import replace

from transom.plan.nodes.node import Node
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.rules.selection_past_window import ids_are_given
from transom.rules.walk import compares_rows, names_row_numbers, rewrite
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.window import Window


def partition_to_group(plan: Node) -> Node:
    """Group by the partitioning columns instead of partitioning by them, where ids do not come from tuples.

    A partition has rows of its own to number, and to compare with DISTINCT and ORDER BY.
    """
    return plan if names_row_numbers(plan) or compares_rows(plan) else rewrite(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, Aggregate) or not isinstance(node.input, Cut):
        return None
    cut = node.input
    partitioned = cut.window.window if isinstance(cut.window, Filtered) else cut.window
    if not isinstance(partitioned, Partitioned) or not ids_are_given(cut.window):
        return None
    if partitioned.reports_changes:  # each partition where its own extent differs, and all groups where any of them does
        return None
    group_by = tuple(dict.fromkeys((*partitioned.pattr, *node.group_by)))
    return replace(node, input=replace(cut, window=_without_partition(cut.window)), group_by=group_by)


def _without_partition(window: Window) -> Window:
    if isinstance(window, Filtered):
        return replace(window, window=_without_partition(window.window))
    assert isinstance(window, Partitioned)
    return window.window
