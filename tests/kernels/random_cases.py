"""Random queries on random disordered streams, cut into random micro-batches: one case for each integer.

The number of a case also chooses its kind of window, so that any run of consecutive numbers covers all of them.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

from tests.engines.kernels import KernelEngine
from tests.kernels.random_axes import AXES, Axis
from tests.kernels.random_windows import EXACT_AXES, KINDS, PANED, WINDOWS
from transom import rows
from transom.disorder import AtEnd, Buffered, DropRatio, Generator, Heartbeat, Ordered, Slack
from transom.reference import Arrival, End, Item, Late, Over, Promise, Query, ReferenceStream, Stamp
from transom.reference.of_plan import condition
from transom.rules import RULES
from transom.semantics import Filtered, Length, Partitioned, Window
from transom.semantics.time import EPOCH


@dataclass(frozen=True)
class Case:
    """A query on a stream, what arrives in each micro-batch, and the engine that is asked."""

    number: int
    kind: str
    query: Query
    stream: ReferenceStream
    batches: tuple[tuple[Item, ...], ...]
    shards: int = 1
    slices: int = 1
    panes: bool = True
    apart: bool = False

    @property
    def items(self) -> list[Item]:
        return [item for batch in self.batches for item in batch]

    def engine(self) -> KernelEngine:
        return KernelEngine(self.shards, self.slices, rules=RULES if self.panes else (), seed=self.number, apart=self.apart)


class Maker:
    """Makes one case."""

    def __init__(self, number: int) -> None:
        self.r = random.Random(number)
        self.number = number
        self.kind = KINDS[number % len(KINDS)]
        self.for_panes = self.kind in PANED and self.chance(0.4)
        self.order_axis = self.r.choice(EXACT_AXES if self.for_panes else sorted(AXES))
        self.other_axis = self.r.choice(sorted(AXES))
        self.q_type = self.r.choice(["bigint", "double", "boolean"])
        self.order: str | None = self._order()
        self.attribute: str = self._attribute()

    def chance(self, share: float) -> bool:
        return self.r.random() < share

    def count(self, low: int = 1, high: int = 6) -> int:
        return self.r.randint(low, high)

    # -- the stream ------------------------------------------------------------------------------------------

    def _order(self) -> str | None:
        if self.for_panes:
            return "a"
        if self.kind == "frames in arrival order":
            return None
        if self.kind == "rows by position" and self.chance(0.6):
            return "n"
        return self.r.choice(["a"] * 12 + ["arrival_ts", None])

    def _attribute(self) -> str:
        """The column windows are cut on: mostly the stream's own order."""
        if self.kind == "rows by position":
            return "n"
        elsewhere = self.chance(0.12) and not self.for_panes
        return self.r.choice(["a", "b"]) if self.order is None or elsewhere else self.order

    def axis_of(self, column: str) -> Axis:
        own = {"a": self.order_axis, "b": self.other_axis, "n": "bigint", "arrival_ts": "timestamp"}
        return AXES[own[column]]

    @property
    def axis(self) -> Axis:
        return self.axis_of(self.attribute)

    def stream(self) -> ReferenceStream:
        columns = {
            "a": self.axis_of("a").type,
            "b": self.axis_of("b").type,
            "n": "bigint",
            "p": "string",
            "q": self.q_type,
            "x": "bigint",
            "y": "double",
            "z": "decimal",
            "s": "string",
        }
        if not self.for_panes and (self.chance(0.35) or (self.order is None and self.chance(0.6))):
            return self._punctuated(columns)
        return ReferenceStream(columns=columns, order_by=self.order, generator=self._generator())

    def _punctuated(self, columns: dict[str, str]) -> ReferenceStream:
        attribute = self.attribute if self.chance(0.9) else self.order or "a"
        groups = self.r.choice([(), ("p",), ("p",), ("q",), ("p", "q")])
        substreams: tuple[tuple[Any, ...], ...] = ()
        if groups and self.chance(0.3):
            substreams = tuple({self._group(groups) for _ in range(self.count(1, 3))})
        return ReferenceStream(columns=columns, order_by=self.order, punctuation=(*groups, attribute), substreams=substreams)

    def _group(self, columns: tuple[str, ...]) -> tuple[Any, ...]:
        return tuple(self.r.choice([value for value in self._keys(column) if value is not None]) for column in columns)

    def _keys(self, column: str) -> list[Any]:
        if column == "p":
            return ["u", "v", "u", "v", "w", None]
        kinds: dict[str, list[Any]] = {
            "bigint": [1, 2, 1, 2, None],
            "double": [0.5, 0.0, -0.0, math.nan, None],
            "boolean": [True, False, None],
        }
        return kinds[self.q_type]

    def _generator(self) -> Generator | None:
        span = self.axis_of(self.order or "arrival_ts").span
        if self.for_panes:
            return self.r.choice([None, Ordered(), AtEnd(), Slack(span(self.count(0, 6))), self._controlled()])
        return self.r.choice(
            [
                None,
                AtEnd(),
                Ordered(),
                Ordered(per=("p",)),
                Ordered(per=self.r.choice([("q",), ("p", "q")])),
                Slack(span(self.count(0, 6))),
                Slack(span(self.count(0, 6))),
                Slack(rows(self.count(0, 4))),
                self._controlled(),
                self._controlled(),
            ]
        )

    def _controlled(self) -> Generator:
        """A generator that looks at the whole sequence."""
        span = self.axis_of(self.order or "arrival_ts").span
        ratio = self.r.choice([0.4, 0.6])
        ratios: list[Generator] = [DropRatio(ratio), DropRatio(ratio, normal=True)]
        if self.chance(0.3):
            return Buffered(self.r.choice([Slack(span(9)), *ratios]), self.count(1, 9))
        return self.r.choice([Heartbeat(), Heartbeat(average=True), Slack(rows(self.count(0, 6))), *ratios])

    # -- the tuples ------------------------------------------------------------------------------------------

    def items(self, stream: ReferenceStream) -> list[Item]:
        self.start, self.drift = self.r.choice([-15, 0, 0, 7]), self.r.choice([0.2, 0.5, 1.0, 2.0])
        self.jitter = self.r.choice([0, 2, 4, 8, 8])
        self.nulls, self.clock = self.r.choice([0, 0, 0.05, 0.2]), 0
        made: list[Item] = []
        long = [40, 50] if isinstance(stream.generator, DropRatio | Buffered) else []
        for i in range(self.r.choice([2, 12, 18, 24, 30, *long])):
            if stream.punctuation and self.chance(0.25):
                made.append(Promise(self._promised(stream, i)))
            made.append(Arrival(self._tuple(i), self._arrival_ts()))
        if stream.punctuation and self.chance(0.5):
            made.append(Promise(self._promised(stream, len(made))))
        return [*made, End()] if self.chance(0.7) else made

    def _place(self, i: int) -> int:
        return self.start + round(i * self.drift + self.r.uniform(-self.jitter, self.jitter))

    def _value(self, column: str, i: int) -> Any:
        axis = self.axis_of(column)
        return self.r.choice(axis.odd) if self.chance(self.nulls) else axis.at(self._place(i))

    def _tuple(self, i: int) -> dict[str, Any]:
        r = self.r
        position = max(0, i + 1 + round(r.uniform(-self.jitter, self.jitter) / 2))
        return {
            "a": self._value("a", i),
            "b": self._value("b", i),
            "n": None if self.chance(self.nulls) else position,
            "p": r.choice(self._keys("p")),
            "q": r.choice(self._keys("q")),
            "x": r.choice([0, 1, 2, 3, 4, 5, -7, None]),
            "y": r.choice([0.1, 2.5, -3.25, 1e9, 0.1, None, math.nan if self.chance(0.2) else 7.0]),
            "z": r.choice([Decimal("0.10"), Decimal("-2.5"), Decimal("100.000001"), None]),
            "s": r.choice(["a", "b", "ab", "", "ü", None]),
        }

    def _arrival_ts(self) -> Any:
        self.clock += self.r.choice([0, 0, 1, 1, 3])
        return None if self.chance(0.1) else EPOCH + timedelta(milliseconds=500 * self.clock)

    def _promised(self, stream: ReferenceStream, i: int) -> dict[str, Any]:
        *groups, attribute = stream.punctuation
        place = self._place(i) - self.r.choice([0, 1, 3])
        if attribute == "arrival_ts":
            place = self.clock - self.r.choice([0, 1, 3])
        if attribute == "n":
            place = max(0, i - self.r.choice([0, 1, 3]))
        given = {column: self.r.choice([*self._keys(column), None]) for column in groups}
        return {**given, attribute: self.axis_of(attribute).at(place)}

    def batches(self, items: list[Item]) -> tuple[tuple[Item, ...], ...]:
        if self.chance(0.15):
            return tuple((item,) for item in items)
        cuts = sorted(self.r.randint(0, len(items)) for _ in range(self.r.choice([0, 1, 2, 3, 5])))
        return tuple(tuple(items[start:end]) for start, end in pairwise([0, *cuts, len(items)]))

    # -- the query -------------------------------------------------------------------------------------------

    def query(self) -> Query:
        prefilter = self.r.choice([None, None, None, None, "x <> 2", "p = 'u' OR x > 1"])
        late = Late.GENEROUS if self.for_panes else self.r.choice(list(Late))
        if self.kind.startswith("frames"):
            return Query(select=self._frames(), prefilter=prefilter, late=late)
        window = self._refined(WINDOWS[self.kind](self))
        stamp = self.r.choice([Stamp.INSTANT] * 4 + [Stamp.MIN, Stamp.MAX])
        if self.for_panes:
            stamp = Stamp.INSTANT
        elif self.chance(0.2):
            return Query(select=self._tuples(), window=window, prefilter=prefilter, late=late, timestamp=stamp)
        pattr = self._pattr(window)
        group_by = self.r.choice([(), (), pattr, ("p",), ("q",), ("p", "q")])
        select = self._aggregates((*pattr, *group_by))
        having = self.r.choice([None, None, None, None, "count(*) > 1", "max(x) > 2", "window_end IS NOT NULL", "c > 1"])
        if having == "c > 1":
            select["c"] = "count(x)"
        return Query(
            select=select, window=window, prefilter=prefilter, group_by=group_by, having=having, late=late, timestamp=stamp
        )

    def _refined(self, window: Window) -> Window:
        if self.chance(0.35):
            window = Partitioned(window, self.r.choice([("p",), ("q",), ("p", "q")]))
        if self.chance(0.2):
            window = Filtered(window, condition(self.r.choice(["x % 2 = 0", "y > 0", "p = 'u'", "NOT q IS NULL"])))
        return window

    def _pattr(self, window: Window) -> tuple[str, ...]:
        if isinstance(window, Filtered):
            window = window.window
        return window.pattr if isinstance(window, Partitioned) else ()

    def _some(self, options: list[str], most: int) -> list[str]:
        return self.r.sample(options, self.count(1, most))

    def _aggregates(self, keys: tuple[str, ...]) -> dict[str, str]:
        select = {name: name for name in (*dict.fromkeys(keys), *WINDOW_COLUMNS) if self.chance(0.7)}
        algebraic = [text for text in ALGEBRAIC if not self.for_panes or "z" not in text]
        chosen = self._some(algebraic if self.for_panes or self.chance(0.3) else [*EXACT, *ROUNDED], 4)
        return select | {_name(n, text): text for n, text in enumerate(chosen)}

    def _tuples(self) -> dict[str, str]:
        names = ["a", "b", "p", "q", "x", "s", "row_num", "arrival_ts", *WINDOW_COLUMNS]
        return {name: name for name in names if self.chance(0.6)} | {"n": "n", "twice": "x * 2"}

    # -- frames ----------------------------------------------------------------------------------------------

    def _frames(self) -> dict[str, str | Over]:
        select: dict[str, str | Over] = {name: name for name in ("a", "p", "x", "row_num", "n", "event_ts") if self.chance(0.7)}
        by_rows = self.kind == "frames in arrival order" or self.chance(0.5)
        order = None if by_rows and self.kind == "frames in arrival order" else self._frame_order()
        slide = self._frame_slide(by_rows, order) if self.chance(0.4) else None
        partition = self._frame_partition()
        for n in range(self.count(1, 3)):
            partition = partition if slide is not None or self.chance(0.5) else self._frame_partition()
            frame = self._frame(by_rows, order, slide, partition)
            select[_name(n, frame.aggregate)] = frame
        return select

    def _frame_order(self) -> str | None:
        return self.attribute if self.attribute != self.order or self.chance(0.3) else None

    def _frame_slide(self, by_rows: bool, order: str | None) -> Length:
        """Frames of rows slide by rows, those on an attribute along it, or at every n-th tuple too."""
        if by_rows or self.chance(0.3):
            return rows(self.count(1, 4))
        return self.axis_of(order or self.order or "arrival_ts").span(self.count())

    def _frame_partition(self) -> tuple[str, ...]:
        return self.r.choice([(), ("p",), ("p",), ("q",), ("p", "q")])

    def _frame(self, by_rows: bool, order: str | None, slide: Length | None, partition: tuple[str, ...]) -> Over:
        """Frames of one select may be of rows and of ranges, as long as they slide alike."""
        if self.chance(0.25):
            text = self.r.choice(ALGEBRAIC[:-1])
            return Over(aggregate=text, preceding=None, partition_by=partition, order_by=order, slide=slide, peers=not by_rows)
        if slide is None and self.kind != "frames in arrival order":
            by_rows = self.chance(0.5)
        column = order or self.order or "arrival_ts"
        preceding: Length = rows(self.count(0, 4)) if by_rows else self.axis_of(column).span(self.count(0, 6))
        text = self.r.choice([*EXACT, *ROUNDED])
        return Over(aggregate=text, preceding=preceding, partition_by=partition, order_by=order, slide=slide)


WINDOW_COLUMNS = ("window_start", "window_end", "wid", "event_ts")

ALGEBRAIC = [
    "count(*)",
    "count(y)",
    "sum(x)",
    "sum(x * 2)",
    "min(x)",
    "max(y)",
    "sum(z)",
    "min(z)",
    "max(arrival_ts)",
    "sum(y)",
    "avg(x)",
    "coalesce(sum(x), 0) + count(*)",
]
EXACT = [
    *(text for text in ALGEBRAIC if text not in ("sum(y)", "avg(x)", "coalesce(sum(x), 0) + count(*)")),
    "max(s)",
    "first(x)",
    "last(s)",
    "collect_list(x)",
    "collect_list(row_num)",
    "collect_set(q)",
    "string_agg(s, ',')",
    "min_by(x, y)",
    "max_by(s, x)",
    "count(DISTINCT p)",
    "sum(row_num)",
    "min(row_num)",
    "sum(DISTINCT x)",
]
ROUNDED = ["sum(y)", "avg(y)", "avg(x)", "stddev(y)", "var_pop(x)", "median(y)", "percentile(x, 0.3)", "corr(x, y)"]


def _name(n: int, text: str) -> str:
    """Columns that begin with `about_` may differ in the last digits."""
    return f"about_{n}" if text in ROUNDED else f"v{n}"


def case(number: int) -> Case:
    """The case of this number. A query that cannot be written raises `TransomError`."""
    m = Maker(number)
    stream = m.stream()
    query = m.query()
    batches = m.batches(m.items(stream))
    shards, slices = m.r.choice([1, 1, 2, 3]), m.r.choice([1, 1, 2, 4])
    return Case(number, m.kind, query, stream, batches, shards, slices, m.for_panes or m.chance(0.5))
