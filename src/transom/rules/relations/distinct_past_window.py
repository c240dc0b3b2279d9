"""Duplicate elimination commutes with sliding and tumbling windows (seed 002, section 4.2): equal tuples of a pane are one row
before any window is cut."""

from __future__ import annotations

from sqlglot import exp

from transom.column_names import EVENT_TS, WINDOW_COLUMNS
from transom.plan.expression import Expression
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct, Extend, Filter, Items, Project
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.window_join import WindowJoin
from transom.plan.types.schema import Schema
from transom.rules.relations.everywhere import rewrite_relations
from transom.rules.walk import asks_for_late
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.length import measure
from transom.semantics.windows.sliding import Sliding

UNGROUPED = ("MAP", "VARIANT")
"""Types that Spark does not group by, nested ones included."""
VARYING = (
    *(exp.Rand, exp.Randn, exp.Randstr, exp.Uniform, exp.Uuid, exp.Shuffle, exp.Anonymous),
    *(exp.CurrentDate, exp.CurrentTimestamp, exp.Localtimestamp),
)
"""Functions that may give another value for the same tuple."""
OF_EXTENT = {*WINDOW_COLUMNS} - {EVENT_TS}
"""Columns that are the same for all rows of an extent."""


def distinct_past_window(plan: Node) -> Node:
    """Group by what DISTINCT compares, so that panes drop duplicates once, and not each window all of its tuples.

    Of two equal tuples, a window without LAG that has the earlier has the later, too, until the earlier has left; LAG, UNTIL and
    BAND lose the later one first. The rows of a join keep the timestamp of a tuple, which a group does not have; and DISTINCT
    compares rows of different partitions, which groups do not.
    """
    return plan if asks_for_late(plan) else rewrite_relations(plan, _here)


def _here(node: Node) -> Node | None:
    if isinstance(node, WindowJoin | AsOfJoin | Join):
        return node
    if not isinstance(node, Distinct) or not isinstance(node.input, Project):
        return None
    below = node.input.input
    cut = below
    while isinstance(cut, Filter):
        cut = cut.input
    if not isinstance(cut, Cut) or not _commutes(cut):
        return None
    return _grouped(node.input.items, below, cut)


def _commutes(cut: Cut) -> bool:
    base = base_of(cut.window)
    slides = isinstance(base, Sliding) and not (base.lag and measure(base.lag))
    return slides and not partition_columns(cut.window) and cut.timestamp == "instant"


def _grouped(items: Items, below: Node, cut: Cut) -> Node | None:
    """A group for each row that differs; None where rows are not told apart by columns of the stream alone."""
    stream, computed = cut.input.schema, []
    keys: list[str] = []
    for _, item in items:
        if {column.lower() for column in item.columns} <= OF_EXTENT and not item.tree.find(*VARYING):
            continue
        if not _of_columns(item, stream):
            return None
        if not isinstance(item.tree, exp.Column):
            computed.append((item.text, item))
        keys.append(item.text if computed and computed[-1][1] is item else stream.find(item.tree.name).name)
    parts = {text: text for text, _ in computed}
    source = Extend(below, tuple(computed)) if computed else below
    return Aggregate(source, tuple(dict.fromkeys(keys)), tuple((name, item.replacing(parts)) for name, item in items))


def _of_columns(item: Expression, stream: Schema) -> bool:
    """Whether a value is that of columns of the stream, of a type that can be grouped by."""
    own = {column.name.lower() for column in stream.columns}
    grouped = not any(kind in item.type_in(stream).upper() for kind in UNGROUPED)
    return grouped and not item.tree.find(*VARYING) and all(column.lower() in own for column in item.columns)
