"""Selection commutes with windows whose ids do not come from tuples, never with row windows (seed 002, section 4.2)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter
from transom.plan.nodes.windowed import Cut
from transom.plan.reading import read_by
from transom.plan.relations.changes import Changes
from transom.plan.relations.within_instant import Limit, Ranked
from transom.rules.walk import asks_for_late, names_row_numbers, rewrite
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.landmark import Growing
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.window import ContextFree, Window


def selection_past_window(plan: Node) -> Node:
    """Filter the stream before the window is cut: fewer tuples to cut. Row numbers would be others."""
    if asks_for_late(plan) or names_row_numbers(plan):
        return plan
    looked = any(isinstance(node, Changes | Limit | Ranked) for node in plan.walk())
    return rewrite(plan, partial(_here, looked=looked))


def _here(node: Node, *, looked: bool) -> Node | None:
    """With `looked` the relation is looked at at each instant. Windows that grow have one where any tuple enters."""
    if (
        isinstance(node, Filter)
        and isinstance(node.input, Cut)
        and _commutes(node.input, looked=looked)
        and _of_stream(node.condition, node.input)
    ):
        cut = node.input
        return replace(cut, input=Filter(cut.input, node.condition))
    if isinstance(node, Cut) and isinstance(node.window, Filtered) and _commutes(node, looked=looked):
        below = Filter(node.input, Expression(node.window.where.text))
        return replace(node, input=below, window=node.window.window)
    return None


def _commutes(cut: Cut, *, looked: bool) -> bool:
    """Not where a generator of the window's own would see fewer tuples, and so promise something else; nor where each tuple is
    judged by itself in the operator."""
    if looked and isinstance(base_of(cut.window), Growing):
        return False
    return ids_are_given(cut.window) and cut.disorder.generator is None and not read_by(cut).judges_each


def ids_are_given(window: Window) -> bool:
    """Whether the ids do not come from tuples: types 1 with a SLIDE, 5 and 7."""
    base = base_of(window)
    return isinstance(base, ContextFree | Growing) and not base.ids_are_values and not isinstance(base, RowWindow)


def _of_stream(condition: Expression, cut: Cut) -> bool:
    known = {column.name.lower() for column in cut.input.schema.columns}
    return not condition.is_aggregate and all(column.lower() in known for column in condition.columns)
