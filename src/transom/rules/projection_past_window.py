"""Projection commutes with every window (seed 002, section 4.2): a window need not carry columns nobody asks for."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Project
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.reading import read_by
from transom.rules.walk import asks_for_late, below_filters, over, rewrite
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.windows.filtered import Filtered


def projection_past_window(plan: Node) -> Node:
    """Keep only the columns that the window and what stands above it use; late tuples keep all columns."""
    return plan if asks_for_late(plan) else rewrite(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, Aggregate | Project):
        return None
    above, below = below_filters(node)
    if not isinstance(below, Cut):
        return None
    used = {
        column.lower()
        for column in (*used_by(node), *(c for one in above for c in one.condition.columns), *window_columns(below))
    }
    schema = below.input.schema
    kept = [column.name for column in schema.columns if column.name.lower() in used]
    if len(kept) == len(schema.columns):
        return None
    narrow: Node = replace(below, input=Project(below.input, tuple((name, _column(name)) for name in kept)))
    return over(node, above, narrow)


def _column(name: str) -> Expression:
    return Expression.of(exp.column(name, quoted=True))


def used_by(node: Aggregate | Project) -> list[str]:
    """The columns that a select list or an aggregate names."""
    columns = [column for _, item in node.items for column in item.columns]
    if isinstance(node, Aggregate):
        columns += [*node.group_by, *(node.having.columns if node.having is not None else ())]
    return columns


def window_columns(cut: Cut) -> list[str]:
    """The columns that a window is cut by, and those by which its tuples are ordered and judged."""
    window = cut.window
    named = [*partition_columns(window), *base_of(window).columns, str(cut.input.time_attribute)]
    return [*named, *read_by(cut).named_columns, *(window.where.columns if isinstance(window, Filtered) else ())]
