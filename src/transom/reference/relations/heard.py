"""What has been heard of one input: its tuples in the order of arrival, which of them are late, and how far it has come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from transom.column_names import ARRIVAL_TS, EVENT_TS, ROW_NUM
from transom.plan.nodes.disorder import Disorder
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, Project, Scan
from transom.plan.nodes.windowed import Cut
from transom.reference.history import Item, Step, StepRecorder
from transom.reference.of_plan import TYPES, stream_of
from transom.reference.outcome import Fate, LateTuple, OutcomeCounts, Result
from transom.reference.rows import columns_of_tuple
from transom.scalar.evaluation import Scope, evaluate, holds
from transom.semantics.length import Number
from transom.semantics.progress.frontier import NOTHING_YET
from transom.semantics.sql_type import SqlType
from transom.semantics.tuples import Tuple, axis_value

Timeline = Sequence[tuple[str, Item]]
"""What arrived, each item with the stream it is of."""


@dataclass(frozen=True)
class Place:
    """Where a tuple came in: the frontier before it, of itself and of all, and whether it claims to be too far ahead."""

    of_tuple: Number = NOTHING_YET
    of_all: Number = NOTHING_YET
    is_ahead: bool = False


@dataclass
class Heard:
    """An input of a query: `came` is the item that brought a tuple, `frontier` how far the input had come after each item."""

    name: str
    kinds: dict[str, str]
    order: str
    axis: str
    tuples: list[Tuple] = field(default_factory=list)
    places: dict[Tuple, Place] = field(default_factory=dict)
    came: dict[Tuple, int] = field(default_factory=dict)
    frontier: list[Number] = field(default_factory=list)
    late: list[LateTuple] = field(default_factory=list)
    counts: OutcomeCounts = field(default_factory=OutcomeCounts)

    def on_axis(self, t: Tuple) -> Number | None:
        """Where a tuple is on the axis of instants."""
        return axis_value(t[self.axis], self.axis)

    def is_late(self, t: Tuple) -> bool:
        """Whether it came when its input had promised that none like it would."""
        a = self.on_axis(t)
        return a is not None and a < self.places[t].of_tuple

    def fate_on_time(self, t: Tuple) -> Fate:
        """What becomes of a tuple where results are fixed tuple by tuple."""
        if self.on_axis(t) is None or self.places[t].is_ahead:
            return Fate.OUTSIDE
        return Fate.DROPPED if self.is_late(t) else Fate.USED

    def settle_on_time(self) -> None:
        """Count the tuples, and note those that are left out."""
        for t in self.tuples:
            fate = self.fate_on_time(t)
            self.counts.settle(fate)
            if fate is Fate.DROPPED:
                self.counts.late += 1
                self.late.append(LateTuple(t, self.places[t].of_tuple))


def kinds_of(node: Node) -> dict[str, str]:
    """The types of columns, as the reference names them."""
    columns = (*node.schema.columns, *node.schema.hidden)
    return {column.name: TYPES.get(SqlType.of(column.type).name, "string") for column in columns}


def reads_scan(node: Node) -> bool:
    """Whether a stream is made of its source tuple by tuple."""
    return all(isinstance(one, Scan | Filter | Project | Extend | Derived) for one in node.chain())


def heard_of_scan(node: Node, cut: Cut | None, axis: str, name: str, timeline: Timeline, ends: Sequence[int]) -> Heard:
    """An input that is a source, filtered and projected. `ends` are those of micro-batches."""
    *between, scan = node.chain()
    assert isinstance(scan, Scan)
    stream = stream_of(scan.stream, Disorder() if cut is None else cut.disorder, cut)
    positions = [n for n, (of, _) in enumerate(timeline) if of == stream.name]
    cuts = [sum(n < end for n in positions) for end in ends]
    steps = StepRecorder(stream, axis if axis in stream.columns else stream.order).record(
        [timeline[n][1] for n in positions], cuts
    )
    heard = Heard(name, kinds_of(node), str(node.time_attribute), axis)
    reached: list[Number] = [NOTHING_YET] * len(timeline)
    for n, step in zip(positions, steps, strict=True):
        reached[n] = step.after.of_group({})
        for t in _passed(step, list(reversed(between)), len(heard.tuples)):
            heard.tuples.append(t)
            heard.came[t] = n
            heard.places[t] = Place(step.before.of_tuple(step.tuple or t), step.before.of_group({}), step.is_ahead)
    heard.frontier = list(accumulate(reached, max))
    return heard


def _passed(step: Step, upward: Sequence[Node], count: int) -> Iterator[Tuple]:
    """The tuple of a step behind filters and projections, numbered among those that pass."""
    if step.tuple is None:
        return
    values = columns_of_tuple(step.tuple)
    for node in upward:
        if isinstance(node, Filter) and not holds(node.condition.text, Scope(values)):
            return
        if isinstance(node, Project | Extend):
            made = {name: evaluate(item.text, Scope(values)) for name, item in node.items}
            hidden = {name: values[name] for name in (ROW_NUM, ARRIVAL_TS)}
            values = {**hidden, **made} if isinstance(node, Project) else {**values, **made}
    kept = {name: value for name, value in values.items() if name not in (ROW_NUM, ARRIVAL_TS)}
    yield replace(step.tuple, row_num=count + 1, values=kept)


def heard_of_results(node: Node, axis: str, name: str, results: Sequence[Result], frontier: list[Number]) -> Heard:
    """An input that is the result of another query, in the order in which it leaves; none of it is late."""
    heard = Heard(name, {**kinds_of(node), EVENT_TS: kinds_of(node).get(EVENT_TS, "timestamp")}, EVENT_TS, axis)
    for count, result in enumerate(results, start=1):
        t = Tuple(count, count, dict(result.row))
        heard.tuples.append(t)
        heard.places[t] = Place()
    heard.frontier = frontier
    return heard
