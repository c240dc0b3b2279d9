"""A window with its groups and aggregates, or its tuples, as a stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from transom.column_names import AGGREGATE, EVENT_TS, WID, WINDOW_END, WINDOW_START
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.planner.aggregate_calls import WrittenAggregate, aggregates_of
from transom.planner.stage import Items, Stage
from transom.semantics.classes.measured import base_of, measured_lengths, partition_columns
from transom.semantics.length import Length, Rows
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.of_rows import OfRows
from transom.semantics.windows.window import Window


@dataclass(frozen=True)
class WindowStage(Stage):
    """A window; `together` are those that share its panes, `width` is that of panes."""

    cut: Cut = field(kw_only=True)
    together: tuple[Window, ...] = ()
    width: Length | None = None

    @property
    def window(self) -> Window:
        """The window itself, without the partitions and the filter around it."""
        return base_of(self.cut.window)

    @property
    def attribute(self) -> str | None:
        return self.window.attribute

    @property
    def own_progress(self) -> bool:
        return self.cut.disorder.generator is not None

    @property
    def aggregate(self) -> Aggregate | None:
        """The aggregates of each extent; None where its tuples are listed."""
        return self.top if isinstance(self.top, Aggregate) else None

    @property
    def spelled(self) -> list[Expression]:
        """The expressions that hold aggregates: the select list, and HAVING."""
        if self.aggregate is None:
            return []
        having = self.aggregate.having
        return [*(item for _, item in self.aggregate.items), *([] if having is None else [having])]

    @property
    def calls(self) -> list[WrittenAggregate]:
        found = {one.text: one for item in self.spelled for one in aggregates_of(item)}
        return [found[text] for text in sorted(found)]  # the order of a select list is not state

    @property
    def partition_by(self) -> tuple[str, ...]:
        return partition_columns(self.cut.window)

    @property
    def keys(self) -> tuple[str, ...]:
        group = () if self.aggregate is None else self.aggregate.group_by
        return tuple(dict.fromkeys((*self.partition_by, *group)))

    @property
    def lengths(self) -> list[Any]:
        return [length for window in self.together or (self.window,) for length in measures_of(window)]

    @property
    def condition(self) -> str | None:
        conditions = [self.cut.window.where.text] if isinstance(self.cut.window, Filtered) else []
        conditions += [node.condition.text for node in self._between if isinstance(node, Filter)]
        return " AND ".join(f"({text})" for text in conditions) or None

    @property
    def _between(self) -> list[Node]:
        """The nodes between the window and what is computed of it."""
        nodes = []
        for node in list(self.top.chain())[1:]:
            if node is self.cut:
                break
            nodes.append(node)
        return nodes

    @property
    def listed(self) -> tuple[str, ...]:
        return () if self.aggregate is not None and not self.wants_late else super().listed

    @property
    def needs_order(self) -> bool:
        return isinstance(self.window, OfRows) or self.attribute != self.order

    @property
    def spread_by(self) -> tuple[str, ...]:
        window = self.window
        if isinstance(window, OfRows) or window.ids_from_tuples or window.reports_changes or self.row_numbers:
            return self.partition_by
        return () if self.orders_extents else self.keys

    @property
    def described(self) -> Any:
        return self.together or self.cut.window

    def window_types(self, axis: pa.DataType, bounds: pa.DataType, order: pa.DataType | None) -> dict[str, pa.DataType]:
        if order is not None and pa.types.is_date(order):
            order = pa.timestamp("us", "UTC")
        if isinstance(self.window, OfRows):
            return {WINDOW_START: pa.int64(), WINDOW_END: pa.int64(), WID: pa.int64(), EVENT_TS: order or axis}
        event = bounds if self.cut.timestamp == "instant" else order or axis
        wid = bounds if self.window.ids_are_values else pa.int64()
        query = {"query": pa.int32()} if self.together else {}
        return {WINDOW_START: bounds, WINDOW_END: bounds, WID: wid, EVENT_TS: event, **query}

    def finish(self) -> tuple[Items, str | None]:
        if self.aggregate is None:
            return [(name, item.text) for name, item in self.plain_items], None
        which = [("query", "query")] if self.together else []
        names = {call.text: f"{AGGREGATE}{n}" for n, call in enumerate(self.calls)}
        having = self.aggregate.having
        items = which + [(name, item.replacing(names).text) for name, item in self.aggregate.items]
        return items, None if having is None else having.replacing(names).text


def measures_of(window: Window) -> list[Any]:
    """The lengths of a window on its axis."""
    if isinstance(window, OfRows):
        return []
    return [length for length in measured_lengths(window).values() if length is not None and not isinstance(length, Rows)]
