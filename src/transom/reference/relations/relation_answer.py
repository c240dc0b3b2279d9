"""The answer to a query over relations: states at instants, operators on them, and what appears, disappears or is there.

From scratch, and by definition: no interval of validity, nothing kept from one instant to the next but what is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from transom.column_names import EVENT_TS, FRONTIER, INPUT_NAME, WINDOW_END
from transom.errors import NotSupported
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Extend, Filter, Project, Scan, Sort, TableJoin
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.changes import LATEST, Changes
from transom.plan.relations.form import Form, form_of
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.stamps import name_of, stamps_of
from transom.plan.relations.window_join import WindowJoin
from transom.plan.relations.within_instant import Limit, Ranked
from transom.reference.of_plan import window_on
from transom.reference.outcome import Result
from transom.reference.relations import relational_algebra
from transom.reference.relations.as_of import matched
from transom.reference.relations.behind import behind
from transom.reference.relations.heard import Heard, Timeline, heard_of_results, heard_of_scan, reads_scan
from transom.reference.relations.held import Held, WindowState, less
from transom.reference.relations.joining import is_of_tuples, joined, made_at
from transom.reference.relations.relational_algebra import Tables
from transom.reference.relations.rows_over_lives import rows_over_lives
from transom.reference.relations.view_states import every_state
from transom.reference.rows import columns_of_tuple
from transom.scalar.evaluation import Scope, holds
from transom.scalar.evaluation import evaluate as value_of
from transom.scalar.value_types import value_on_axis
from transom.semantics.length import Number
from transom.semantics.progress.frontier import EVERYTHING
from transom.semantics.states import Instant, axis_of

Path = tuple[int, ...]


@dataclass
class Answer:
    """Results in the order in which they leave, and of each input what was left out."""

    results: list[Result] = field(default_factory=list)
    inputs: dict[str, Heard] = field(default_factory=dict)


def answer(plan: Node, timeline: Timeline, tables: Tables | None = None, ends: Sequence[int] = ()) -> Answer:
    """The answer to everything that arrived. `tables` are the rows of ordinary ones; `ends` are those of micro-batches."""
    plan = plan.input if isinstance(plan, Insert) else plan
    known = {name.lower(): rows for name, rows in (tables or {}).items()}
    made = Relations(plan, timeline, known, list(ends))
    names = plan.schema.names
    results = [Result({name: one.row[name] for name in names}, one.left_at) for one in made.results()]
    return Answer(results, made.heard())


class Relations:
    """A query at work on everything that arrived."""

    def __init__(self, plan: Node, timeline: Timeline, tables: Mapping[str, Any], ends: list[int]) -> None:
        self.plan, self.timeline, self.tables, self.ends = plan, timeline, tables, ends
        self.windows: dict[Path, WindowState] = {}
        self.below: dict[Path, Relations] = {}
        self.streams: dict[Path, Heard] = {}
        self.evaluated = False
        sources = list(_sources(plan, ()))
        self.order = [path for path, _, _ in sources]
        for number, (path, node, name) in enumerate(sources):
            if isinstance(node, LateOf):
                self.below[path] = Relations(node.input, timeline, tables, ends)
            elif isinstance(node, Cut):
                self.windows[path] = self._window(node, name, path, number, alone=len(sources) == 1)
            else:
                self.streams[path] = self._stream(node, str(node.time_attribute), name, path, None)
                if any(isinstance(one, AsOfJoin) for one in plan.walk()):
                    self.streams[path].settle_on_time()

    def heard(self) -> dict[str, Heard]:
        """The inputs, by name; those of streams below under the name of the stream that they make."""
        found: dict[str, Heard] = {}
        for one in (*(state.heard for state in self.windows.values()), *self.streams.values()):
            found[one.name if one.name not in found else f"{one.name} {len(found) + 1}"] = one
        for other in self.below.values():
            found |= {name: one for name, one in other.heard().items() if name not in found}
        return found

    def late_for(self) -> Iterator[Heard]:
        """The streams that tuples can be late for, from left to right."""
        for path in self.order:
            if path in self.below:
                yield from self.below[path].late_for()
            else:
                yield self.windows[path].heard if path in self.windows else self.streams[path]

    def _window(self, cut: Cut, name: str, path: Path, number: int, *, alone: bool) -> WindowState:
        if cut.timestamp != "instant":
            raise NotSupported(
                "the reference stamps the rows of a relation with their instant", given=cut.label(), remedy="leave TIMESTAMP out"
            )
        order = str(cut.input.time_attribute)
        heard = self._stream(cut.input, axis_of(cut.window, order), name, path, cut)
        compared = relational_algebra.regroups(self.plan) or any(isinstance(node, Changes) for node in self.plan.walk())
        return WindowState(cut, window_on(cut.window, heard.kinds), heard, alone, number, compared)

    def _stream(self, node: Node, axis: str, name: str, path: Path, cut: Cut | None) -> Heard:
        if reads_scan(node):
            return heard_of_scan(node, cut, axis, name, self.timeline, self.ends)
        below = Relations(node, self.timeline, self.tables, self.ends)
        self.below[path] = below
        return heard_of_results(node, axis, name, below.results(), below.passes())

    def passes(self) -> list[Number]:
        """How far the timestamps of results have come after each item: the smallest frontier, less what a row may be older."""
        inputs = [state.heard for state in self.windows.values()] + list(self.streams.values())
        reached = [behind(state, kept) for state in self.windows.values() for kept in self._kept()]
        back: Number = sum(reached) if self._decides_later() else max(reached, default=0)
        smallest = [min(one.frontier[n] for one in inputs) for n in range(len(self.timeline))]
        return [x if x == EVERYTHING else x - back for x in smallest]

    def _decides_later(self) -> bool:
        """Whether rows can be decided when some of their tuples have long left: one waits for another."""
        return any(isinstance(node, WindowJoin) and node.decides_later for node in self.plan.walk())

    def _kept(self) -> set[str]:
        """Which timestamps of their tuples the pairs of joins keep."""
        return {node.timestamp for node in self.plan.walk() if isinstance(node, WindowJoin)} - {"now"}

    # results

    def results(self) -> list[Result]:
        """With event_ts among their columns."""
        found = list(self._results(self.plan, ()))
        return sorted(found, key=lambda one: one.left_at)

    def _results(self, node: Node, path: Path) -> Iterator[Result]:
        if isinstance(node, AsOfJoin):
            yield from matched(node, [self.streams[(*path, n)] for n in range(len(node.inputs))])
            return
        if isinstance(node, Scan):
            yield from self._bare(node, self.streams[path])
            return
        if isinstance(node, LateOf):
            yield from _late(node, list(self.below[path].late_for()))
            return
        form = form_of(node)
        if form is Form.STREAM:
            assert node.child is not None
            yield from self._row_by_row(node, list(self._results(node.child, (*path, 0))))
        elif form is Form.CHANGES:
            assert isinstance(node, Changes)
            yield from self._changes(node, (*path, 0))
        elif form is Form.NEW_PAIRS:
            yield from self._new_pairs(node, path)
        else:
            yield from self._each_instant(node, path)

    def _bare(self, scan: Scan, heard: Heard) -> Iterator[Result]:
        """A stream without a window: each tuple, as it comes."""
        for t in heard.tuples:
            values = columns_of_tuple(t)
            yield Result({EVENT_TS: values[scan.stream.order], **values}, heard.came[t])

    def _row_by_row(self, node: Node, results: list[Result]) -> Iterator[Result]:
        for one in results:
            if isinstance(node, Filter):
                if holds(node.condition.text, Scope(one.row)):
                    yield one
            elif isinstance(node, Project):
                made = {name: value_of(item.text, Scope(one.row)) for name, item in node.items}
                yield Result({EVENT_TS: one.row[EVENT_TS], **made}, one.left_at)
            elif isinstance(node, TableJoin):
                rows = relational_algebra.with_table(node, [Held(one.row, {}, None, ())], self.tables)
                yield from (Result(row.values, one.left_at) for row in rows)
            elif isinstance(node, Derived):
                yield one
            else:
                raise NotSupported("the reference filters and projects streams", given=node.label(), remedy="ask a simpler query")

    def _of(self, path: Path) -> list[WindowState]:
        return [state for below, state in self.windows.items() if below[: len(path)] == path]

    def _left_at(self, path: Path, instant: Instant) -> int | None:
        """The item after which the states of all inputs at an instant are final."""
        given = [state.left_at(instant) for state in self._of(path)]
        known = [n for n in given if n is not None]
        return max(known) if len(known) == len(given) else None

    def _final(self, path: Path, *, moments: bool) -> Iterator[tuple[Instant, int]]:
        """The instants of a relation that are final, in order; `moments` are those, too, right after a state of one instant."""
        every = {one for state in self._of(path) for one in (state.states.changes() if moments else state.states.instants())}
        for instant in sorted(every):
            left_at = self._left_at(path, instant)
            if left_at is None:
                return
            yield instant, left_at

    def _each_instant(self, node: Node, path: Path) -> Iterator[Result]:
        """All rows at each instant. Partitions of a window by itself are reported one by one, each where it is evaluated; groups
        of groups are made of all that is there."""
        self.evaluated = len(self._of(path)) == 1 and not relational_algebra.regroups(node)
        for instant, left_at in self._final(path, moments=False):
            for row in self._state(node, path, instant):
                yield _result(row, left_at)
        self.evaluated = False

    def _new_pairs(self, node: Node, path: Path) -> Iterator[Result]:
        """Each row once: when it is there for the first time; one for want of a match, when its tuple leaves and found none."""
        join, above = _join_below(node, path)
        if join.decides_later:
            yield from self._over_lives(node, path, join, above)
            return
        before: dict[Any, Held] = {}
        seen: set[Any] = set()
        matched_ever: set[Any] = set()
        for instant, left_at in self._final(path, moments=True):
            pairs = joined(join, self._states(join, above, instant), instant, self._value(path))
            matched_ever |= pairs.matched
            now = {row.identity: row for row in self._state(node, path, instant)}
            for row in now.values():
                if not row.passing and row.identity not in before and not (is_of_tuples(row) and row.identity in seen):
                    yield _result(row, left_at)
            seen |= now.keys()
            here = {row.identity for row in pairs.rows}
            for row in before.values():
                if row.passing and row.identity not in here and not _wanted(row) & matched_ever:
                    yield _result(self._leaving(node, join, row, self._value(path)(instant.at)), left_at)
            before = now

    def _over_lives(self, node: Node, path: Path, join: WindowJoin, above: Path) -> Iterator[Result]:
        """Each row once, when it is decided that it is one."""
        moments = list(self._final(path, moments=True))
        states = [self._states(join, above, instant) for instant, _ in moments]
        for row in rows_over_lives(join, states):
            assert row.known is not None
            instant, left_at = moments[row.known]
            rows = [made_at(join, row.parts, instant, self._value(path))]
            nodes = list(node.chain())
            for one in reversed(nodes[: nodes.index(join)]):
                rows = self._above(one, rows, path, instant)
            yield from (_result(made, left_at) for made in rows)

    def _leaving(self, node: Node, join: WindowJoin, row: Held, at: Any) -> Held:
        """An outer row as it leaves: with MIN, it keeps the timestamp of its tuple."""
        stamps = {**row.stamps, WINDOW_END: at, **({} if join.timestamp == "min" else {EVENT_TS: at})}
        stamped = stamps_of(node)
        values = {name: stamps.get(stamped.get(name.lower(), ""), value) for name, value in row.values.items()}
        return Held(values, stamps, row.ts, row.identity, row.partition)

    def _changes(self, node: Changes, path: Path) -> Iterator[Result]:
        if node.kind == LATEST:
            yield from every_state(
                node, self._final(path, moments=False), partial(self._state, node.input, path), self._value(path)
            )
            return
        names = [name for name in node.schema.names if name.lower() not in node.stamped]
        before: list[Held] = []
        for instant, left_at in self._final(path, moments=node.kind != "RSTREAM"):
            now = self._state(node.input, path, instant)
            if node.kind == "DSTREAM":
                rows = [self._stamped(node, row, instant, path) for row in less(before, now, names)]
            else:
                rows = now if node.kind == "RSTREAM" else less(now, before, names)
            kept = _keeps_tuples(node.input)
            for row in rows:
                at = self._value(path)(row.ts if kept and row.ts is not None else instant.at)
                values = {name: at if node.stamped.get(name.lower()) == EVENT_TS else one for name, one in row.values.items()}
                yield _result(Held(values, {**row.stamps, EVENT_TS: at}, None, ()), left_at)
            before = now

    def _stamped(self, node: Changes, row: Held, instant: Instant, path: Path) -> Held:
        """A row that is gone, with what is stamped on at the instant at which it is."""
        states = self._of(path)
        stamps = dict(row.stamps)
        if len(states) == 1:
            stamps |= states[0].stamps_at(instant, row.partition)
        else:
            stamps |= {WINDOW_END: self._value(path)(instant.at), EVENT_TS: self._value(path)(instant.at)}
        kept = row.ts if _keeps_tuples(node.input) else None
        shown = {**stamps, **({} if kept is None else {EVENT_TS: self._value(path)(kept)})}
        values = {name: shown.get(node.stamped.get(name.lower(), ""), value) for name, value in row.values.items()}
        return Held(values, stamps, row.ts, row.identity, row.partition)

    # states

    def _value(self, path: Path) -> Any:
        """From a place on the axis of instants to a value."""
        state = self._of(path)[0]
        kind = state.heard.kinds[state.heard.axis]
        return lambda at: value_on_axis(at, kind)

    def _states(self, node: WindowJoin | SetOperation, path: Path, instant: Instant) -> list[list[Held]]:
        return [self._state(side, (*path, n), instant) for n, side in enumerate(node.inputs)]

    def _state(self, node: Node, path: Path, instant: Instant) -> list[Held]:
        """The rows of a relation at an instant."""
        if isinstance(node, Cut):
            return self.windows[path].rows(instant, evaluated=self.evaluated)
        if isinstance(node, WindowJoin):
            return joined(node, self._states(node, path, instant), instant, self._value(path)).rows
        if isinstance(node, SetOperation):
            left, right = self._states(node, path, instant)
            return relational_algebra.set_operation(node, left, right, instant, self._value(path))
        assert node.child is not None
        rows = self._state(node.child, (*path, 0), instant)
        return self._above(node, rows, path, instant)

    def _above(self, node: Node, rows: list[Held], path: Path, instant: Instant) -> list[Held]:
        """The rows of a node, given those below it."""
        if isinstance(node, Filter):
            return relational_algebra.filtered(node, rows)
        if isinstance(node, Project | Extend):
            return relational_algebra.projected(node, rows)
        if isinstance(node, Aggregate):
            return relational_algebra.aggregated(node, rows, instant, self._value(path))
        if isinstance(node, Distinct):
            return relational_algebra.distinct(node, rows)
        if isinstance(node, Sort):
            return relational_algebra.sorted_rows(node, rows)
        if isinstance(node, Limit):
            return relational_algebra.limited(node, rows)
        if isinstance(node, Ranked):
            return relational_algebra.ranked(node, rows)
        if isinstance(node, TableJoin):
            return relational_algebra.with_table(node, rows, self.tables)
        if isinstance(node, Derived):
            return rows
        raise NotSupported("the reference has no state of this", given=node.label(), remedy="ask a simpler query")


def _late(node: LateOf, heard: list[Heard]) -> Iterator[Result]:
    """LATE OF a query: each late tuple, of several inputs with the name of its own."""
    for (name, columns), one in zip(node.taken, heard, strict=True):
        for late in one.late:
            values = columns_of_tuple(late.tuple)
            own = {node.owners[name, column]: values[column.name] for column in columns}
            frontier = value_on_axis(late.frontier, one.kinds[one.axis])
            row = {EVENT_TS: frontier, **dict.fromkeys(node.schema.names), **own, INPUT_NAME: name, FRONTIER: frontier}
            yield Result(row, one.came.get(late.tuple, 0))


def _sources(node: Node, path: Path, name: str | None = None) -> Iterator[tuple[Path, Node, str]]:
    """The windows of a query, and the bare streams of an as-of join, with what the query calls them."""
    if isinstance(node, LateOf):
        yield path, node, node.name
    elif isinstance(node, Cut):
        yield path, node, name or name_of(node)
    elif isinstance(node, AsOfJoin):
        for n, (side, called) in enumerate(zip(node.inputs, node.names, strict=True)):
            yield (*path, n), side, called
    elif node.inputs:
        names: Sequence[str | None] = node.names if isinstance(node, WindowJoin) else [None] * len(node.inputs)
        for n, below in enumerate(node.inputs):
            yield from _sources(below, (*path, n), names[n])
    elif isinstance(node, Scan):
        yield path, node, node.stream.name
    elif node.child is not None:
        yield from _sources(node.child, (*path, 0), name)
    else:
        raise NotSupported("a relation is made of windows", given=node.label(), remedy="put a window behind the stream")


def _join_below(node: Node, path: Path) -> tuple[WindowJoin, Path]:
    while not isinstance(node, WindowJoin):
        assert node.child is not None
        node, path = node.child, (*path, 0)
    return node, path


def _result(row: Held, left_at: int) -> Result:
    return Result({EVENT_TS: row.stamps.get(EVENT_TS), **row.values}, left_at)


def _wanted(row: Held) -> set[Any]:
    """The rows that an outer row stands for want of a match of."""
    return {part for part in row.identity if isinstance(part, tuple) and len(part) == 3 and part[1] in ("left", "right")}


def _keeps_tuples(node: Node) -> bool:
    """Whether rows are those that DISTINCT keeps, with timestamps of their own."""
    while isinstance(node, Sort | Limit):
        node = node.input
    return isinstance(node, Distinct)
