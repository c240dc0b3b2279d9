"""Partitions of a window that are evaluated each at instants of its own: their rows are not there together."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Extend, Project
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.landmark import Landmark, LandmarkUntil
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.slide_by_tuple import SlideByTuple

APART = (RowWindow, EveryInstant, SlideByTuple, Landmark, LandmarkUntil)
"""Windows of which partitions are reported where their own extent differs."""


def partitioned_apart(node: Node) -> Cut | None:
    """The window of a query, if its partitions are evaluated one by one."""
    cut = next((one for one in node.chain() if isinstance(one, Cut)), None)
    if cut is None or not partition_columns(cut.window) or not isinstance(base_of(cut.window), APART):
        return None
    return cut


def parts_of(cut: Cut, node: Node, names: Iterable[str]) -> tuple[str, ...] | None:
    """The columns that tell the partitions of a window apart, by their names above it; None if one is not among these."""
    found = {column: name for name in names if (column := _column(node, name.lower(), cut)) is not None}
    wanted = [column.lower() for column in partition_columns(cut.window)]
    return tuple(found[column] for column in wanted) if found.keys() >= {*wanted} else None


def _column(node: Node, name: str, cut: Cut) -> str | None:
    """The column of a window that a column above it is."""
    if node is cut:
        return name
    if isinstance(node, Project | Aggregate | Extend):
        item = next((item for given, item in node.items if given.lower() == name), None)
        if item is not None:
            return _column(node.input, item.tree.name.lower(), cut) if isinstance(item.tree, exp.Column) else None
    return None if node.child is None else _column(node.child, name, cut)
