"""The answers to queries on several streams, by their definitions.

A join of queries over windows: every pair of rows that agree in keys and instant. A union: the rows of all streams, by instant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from transom.column_names import EVENT_TS
from transom.errors import NotSupported
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Filter, Project
from transom.plan.nodes.union import Union, in_order
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.reference.evaluate import evaluate
from transom.reference.history import Item, StepRecorder
from transom.reference.of_plan import lower
from transom.reference.outcome import Result, Row
from transom.scalar.evaluation import Scope, holds
from transom.scalar.evaluation import evaluate as value_of
from transom.semantics.keys import key, same_key
from transom.semantics.length import Number
from transom.semantics.progress.frontier import NOTHING_YET
from transom.semantics.tuples import axis_value

Timeline = Sequence[tuple[str, Item]]
"""What arrived, each item with the stream it is of."""


def evaluate_plan(plan: Node, timeline: Timeline) -> list[Result]:
    """The results of a plan with windows, joined or united or neither.

    A pair leaves when the later of its rows would have left; that a row of a LEFT JOIN has no match is known at the end. A row
    of a union leaves when the frontiers of all its streams have passed it.
    """
    return [Result({name: one.row[name] for name in plan.schema.names}, one.left_at) for one in _results(plan, timeline)]


def _results(plan: Node, timeline: Timeline) -> list[Result]:
    """With event_ts among their columns."""
    nodes = list(plan.chain())
    if isinstance(nodes[-1], Join):
        found, rest = _matched(nodes[-1], timeline), nodes[:-1]
    elif isinstance(nodes[-1], Union):
        found, rest = _united(nodes[-1], timeline), nodes[:-1]
    else:
        top = _window_of(nodes)
        found, rest = _windowed(nodes[top], timeline), nodes[:top]
    for node in reversed(rest):
        found = row_by_row(node, found)
    return found


def _window_of(nodes: Sequence[Node]) -> int:
    """The place of what computes the rows of the window."""
    cut = next((n for n, node in enumerate(nodes) if isinstance(node, Cut)), 0)
    return max((n for n in range(cut) if isinstance(nodes[n], Aggregate | Project)), default=0)


def _windowed(plan: Node, timeline: Timeline) -> list[Result]:
    query, stream = lower(plan)
    query = replace(query, select={EVENT_TS: EVENT_TS, **query.select})
    places = [n for n, (name, _) in enumerate(timeline) if name == stream.name]
    outcome = evaluate(query, stream, [timeline[n][1] for n in places])
    return [Result(one.row, places[one.left_at]) for one in outcome.results]


def row_by_row(node: Node, results: list[Result]) -> list[Result]:
    """What stands above windows and joins and takes one row at a time."""
    if isinstance(node, Filter):
        return [one for one in results if holds(node.condition.text, Scope(one.row))]
    if isinstance(node, Project):
        return [Result({EVENT_TS: one.row[EVENT_TS], **_projected(node, one.row)}, one.left_at) for one in results]
    if isinstance(node, Derived):
        return results
    raise NotSupported("the reference filters and projects what it has joined", given=node.label(), remedy="ask a simpler query")


def _projected(node: Project, row: Row) -> Row:
    return {name: value_of(item.text, Scope(row)) for name, item in node.items}


def _matched(join: Join, timeline: Timeline) -> list[Result]:
    left, right = (_results(node, timeline) for node in join.inputs)
    found = []
    for one in left:
        partners = [other for other in right if _agree(join, one.row, other.row)]
        found += [Result(_pair(join, one.row, other.row), max(one.left_at, other.left_at)) for other in partners]
        if not partners and join.kind == "LEFT":
            found.append(Result(_pair(join, one.row, None), len(timeline) - 1))
    return found


def _united(union: Union, timeline: Timeline) -> list[Result]:
    branches = [in_order(stream) for stream in union.streams]
    passed = [_frontiers(branch, timeline) for branch in branches]
    found: dict[Any, tuple[Any, Result]] = {}
    for number, branch in enumerate(branches):
        for place, one in enumerate(_results(branch, timeline)):
            instant = one.row[EVENT_TS]
            values = [value for name, value in one.row.items() if name != EVENT_TS]
            row = {**dict(zip(union.schema.names, values, strict=True)), EVENT_TS: instant}
            a = axis_value(instant, EVENT_TS)
            at = [next((n for n, x in enumerate(own) if a is not None and x > a), None) for own in passed]
            same = (number, place) if union.every else (key(instant), *map(key, values))
            if None not in at:
                left_at = max(n for n in at if n is not None)
                found.setdefault(same, ((left_at, a, number, place), Result(row, left_at)))
    return [one for _, one in sorted(found.values(), key=lambda each: each[0])]


def _frontiers(branch: Node, timeline: Timeline) -> list[Number]:
    """How far the stream of a branch had come after each item."""
    nodes = list(branch.chain())
    query, stream = lower(nodes[_window_of(nodes)])
    items = [(n, item) for n, (name, item) in enumerate(timeline) if name == stream.name]
    steps = StepRecorder(stream, stream.order, query.prefilter).record([item for _, item in items])
    reached: list[Number] = [NOTHING_YET] * len(timeline)
    for (n, _), step in zip(items, steps, strict=True):
        reached[n] = step.after.of_group({})
    return list(accumulate(reached, max))


def _agree(join: Join, left: Row, right: Row) -> bool:
    """NULL equals nothing."""
    pairs = [(_of(left, one), _of(right, other)) for one, other in join.condition]
    return all(one is not None and other is not None and same_key(one, other) for one, other in pairs)


def _of(row: Row, name: str) -> Any:
    return next(value for known, value in row.items() if known.lower() == name.lower())


def _pair(join: Join, left: Row, right: Row | None) -> Row:
    row = {here: left[there] for here, there in join.columns_of(0).items()}
    row |= {here: None if right is None else right[there] for here, there in join.columns_of(1).items()}
    return {**row, EVENT_TS: _of(left, join.instants[0])}
