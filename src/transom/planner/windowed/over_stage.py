"""OVER frames as a stage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from transom.column_names import AGGREGATE, EVENT_TS
from transom.plan.nodes.windowed import Frame, Frames
from transom.planner.aggregate_calls import WrittenAggregate, aggregates_of
from transom.planner.stage import Items, Stage
from transom.semantics.length import Rows


@dataclass(frozen=True)
class OverStage(Stage):
    """The frames of one SELECT, over a common buffer of tuples."""

    top: Frames

    @property
    def frames(self) -> list[Frame]:
        return [item for _, item in self.top.items if isinstance(item, Frame)]

    @property
    def attribute(self) -> str | None:
        if self.in_arrival_order:
            return None
        return next((frame.order_by for frame in self.frames if frame.order_by is not None), self.order)

    @property
    def in_arrival_order(self) -> bool:
        """Whether frames follow the order of arrival: no order is given, and nothing is measured on one."""
        if self.order_known or any(frame.order_by for frame in self.frames):
            return False
        return not any(_measures(frame) for frame in self.frames)

    @property
    def partition_by(self) -> tuple[str, ...]:
        """What all frames are partitioned by."""
        shared = set.intersection(*(set(frame.partition_by) for frame in self.frames))
        return tuple(name for name in self.frames[0].partition_by if name in shared)

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for frame in self.frames for name in frame.partition_by))

    @property
    def calls(self) -> list[WrittenAggregate]:
        return [aggregates_of(frame.aggregate)[0] for frame in self.frames]

    @property
    def lengths(self) -> list[Any]:
        given = [length for frame in self.frames for length in (frame.preceding, frame.slide)]
        return [length for length in given if length is not None and not isinstance(length, Rows)]

    @property
    def expires(self) -> bool:
        return any(frame.active for frame in self.frames)

    @property
    def spread_by(self) -> tuple[str, ...]:
        return () if self.row_numbers else self.partition_by

    @property
    def described(self) -> list[str]:
        return [repr(frame) for frame in self.frames]

    def window_types(self, axis: pa.DataType, bounds: pa.DataType, order: pa.DataType | None) -> dict[str, pa.DataType]:
        return {EVENT_TS: bounds if self.expires else axis}

    def finish(self) -> tuple[Items, str | None]:
        items, n = [], 0
        for name, item in self.top.items:
            if isinstance(item, Frame):
                text = aggregates_of(item.aggregate)[0].text
                items.append((name, item.aggregate.replacing({text: f"{AGGREGATE}{n}"}).text))
                n += 1
            else:
                items.append((name, item.text))
        return items, None


def _measures(frame: Frame) -> bool:
    by_axis = frame.slide is not None and not isinstance(frame.slide, Rows)
    return by_axis or not by_rows(frame)


def by_rows(frame: Frame) -> bool:
    """Whether a frame counts rows: by default that is ROWS, without ORDER BY."""
    return not frame.peers if frame.preceding is None else isinstance(frame.preceding, Rows)
