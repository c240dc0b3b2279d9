"""The record store: tuples by event time in a two-level index (seed 001, section 3).

The upper level, the i-node, has an element for each p-node and grows and shrinks with the stream. A p-node stands for a fixed
span of the axis and points to buffers of tuples, here blocks of state. Where a tuple belongs is a division (the paper's
figure 3); it is appended to a buffer of its own micro-batch, so nothing is read, moved or sorted. A p-node is dropped whole, with
all its buffers, when no open window needs it.

The paper's p-nodes span 128 epochs. Here the span is an eighth of the window's range, in whole slides: a window reads about as
many p-nodes as the paper's i-node has at first, and no more than an eighth of a range is kept beyond its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import Axis
from transom.semantics.length import measure
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window

P_NODES = 8
"""P-nodes to the range of a window."""
BUFFERS = 8
"""Buffers of about the same size that become one: each tuple is moved as often as its p-node doubles three times."""
MOST_BUFFERS = 64
"""Buffers of a p-node that is not divided by time."""


class Buffer(NamedTuple):
    """A block: how many records it holds, the first window one of them enters, and the last one of them is in."""

    name: str
    rows: int
    first: int
    last: int

    @property
    def size(self) -> int:
        """Its class of size: three bits wide."""
        return self.rows.bit_length() // 3


@dataclass
class PNode:
    """A span of the axis, and the buffers of what lies in it."""

    buffers: list[Buffer] = field(default_factory=list)

    def crowded(self, *, undivided: bool) -> list[Buffer]:
        """Buffers that had better be one."""
        if undivided:
            return self.buffers if len(self.buffers) > MOST_BUFFERS else []
        size = self.buffers[-1].size
        alike = [one for one in self.buffers if one.size == size]
        return alike if len(alike) >= BUFFERS else []


class RecordStore:
    """The i-node with its p-nodes. Without a span, all buffers are in one."""

    def __init__(self, span: Any = None) -> None:
        self.span = span
        self.inner: dict[int, PNode] = {}
        self.serial = 0

    def p_nodes(self, places: Array) -> Ints:
        """The number of the p-node of each place."""
        if self.span is None:
            return np.zeros(len(places), np.int64)
        return np.asarray(np.floor_divide(places, self.span), np.int64)

    def add(self, number: int, rows: int, first: int, last: int) -> Buffer:
        """A new buffer of a p-node, which is made when it is first needed."""
        self.serial += 1
        made = Buffer(f"b{self.serial}", rows, first, last)
        self.inner.setdefault(number, PNode()).buffers.append(made)
        return made

    def drop(self, buffers: list[Buffer]) -> None:
        """Forget buffers, and p-nodes with them."""
        gone = {one.name for one in buffers}
        for number, node in list(self.inner.items()):
            node.buffers = [one for one in node.buffers if one.name not in gone]
            if not node.buffers:
                del self.inner[number]

    def needed(self, due: int) -> list[Buffer]:
        """The buffers with a record that is in a window below this one."""
        return [one for one in self if one.first < due]

    def crowded(self, number: int) -> list[Buffer]:
        return self.inner[number].crowded(undivided=self.span is None)

    def __iter__(self) -> Iterator[Buffer]:
        return (one for node in self.inner.values() for one in node.buffers)

    @property
    def rows(self) -> int:
        return sum(one.rows for one in self)

    def to_json(self) -> dict[str, Any]:
        nodes = [[number, [list(one) for one in node.buffers]] for number, node in self.inner.items()]
        return {"nodes": nodes, "serial": self.serial}

    def from_json(self, note: dict[str, Any]) -> None:
        self.inner = {number: PNode([Buffer(*one) for one in buffers]) for number, buffers in note["nodes"]}
        self.serial = note["serial"]


def span_of(window: Window | None, axis: Axis) -> Any:
    """The span of p-nodes for the tuples of a window; None where its extents have no length that could be divided."""
    if isinstance(window, Sliding):
        length = measure(window.range)
    elif isinstance(window, Varying) and window.max is not None:
        length = measure(window.max)
    else:
        return None
    slide = axis.number(measure(window.slide))
    slides = -(-axis.number(length) // (slide * P_NODES))
    return slide * max(1, slides)
