"""A join of states, by comparing every row with every row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from transom.column_names import EVENT_TS, WINDOW_END
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, Project, Sort, TableJoin
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.window_join import JoinStep, WindowJoin
from transom.reference.relations.held import Held
from transom.scalar.evaluation import Scope, holds
from transom.scalar.sql_values import order_key
from transom.semantics.length import Number
from transom.semantics.states import Instant

Nothing = None
"""What stands in a row for an input that it has no row of."""

Row = tuple[Held | None, ...]
"""Of each input so far, a row or nothing. What a semi or an anti join has compared with shows nothing."""


@dataclass(frozen=True)
class Pairs:
    """The rows of a join at an instant, and what has found a match there: (step, side, rows), for outer and anti joins."""

    rows: list[Held]
    matched: frozenset[tuple[Any, ...]]


def joined(join: WindowJoin, states: Sequence[list[Held]], instant: Instant, value: Callable[[Number], Any]) -> Pairs:
    """The rows of a join, given the state of each input."""
    rows: list[tuple[Row, tuple[Any, ...] | None]] = [((one,), None) for one in states[0]]
    matched: set[tuple[Any, ...]] = set()
    for side, step in enumerate(join.steps, start=1):
        rows = _step(join, side, step, rows, states[side], matched)
    return Pairs([_made(join, row, wants, instant, value) for row, wants in rows], frozenset(matched))


def _step(
    join: WindowJoin,
    side: int,
    step: JoinStep,
    rows: list[tuple[Row, tuple[Any, ...] | None]],
    others: list[Held],
    matched: set[tuple[Any, ...]],
) -> list[tuple[Row, tuple[Any, ...] | None]]:
    found: list[tuple[Row, tuple[Any, ...] | None]] = []
    met: set[int] = set()
    equal = _equal(join, side)
    for row, wants in rows:
        pairs = [(n, (*row, other)) for n, other in enumerate(others) if equal((*row, other))]
        here = [n for n, pair in pairs if holds(step.condition.text, Scope(columns(join, pair)))]
        met |= set(here)
        mine = (side, "left", _identity(row))
        if here:
            matched.add(mine)
        if step.kind == "SEMI":
            found += [((*row, Nothing), wants)] if here else []
        elif step.kind == "ANTI":
            found += [] if here else [((*row, Nothing), mine)]
        else:
            found += [((*row, others[n]), wants) for n in here]
            if not here and step.kind in ("LEFT", "FULL"):
                found.append(((*row, Nothing), mine))
    for n, other in enumerate(others):
        theirs = (side, "right", other.identity)
        if n in met:
            matched.add(theirs)
        elif step.kind in ("RIGHT", "FULL"):
            found.append(((*(Nothing for _ in range(side)), other), theirs))
    return found


def _equal(join: WindowJoin, side: int) -> Callable[[Row], bool]:
    """Whether the columns agree that a condition compares for equality: of most pairs, that is all that need be looked at."""
    places = {here: place for place, here in join.owners.items()}
    compared = [(places[one], places[other]) for one, other in join.equalities[side - 1]]

    def equal(row: Row) -> bool:
        pairs = [(_at(row, one), _at(row, other)) for one, other in compared]
        return all(one is not None and other is not None and order_key(one) == order_key(other) for one, other in pairs)

    return equal


def _at(row: Row, place: tuple[int, str]) -> Any:
    side, name = place
    held = row[side]
    if held is None:
        return None
    return next((value for known, value in (*held.values.items(), *held.stamps.items()) if known.lower() == name), None)


def _identity(row: Row) -> tuple[Any, ...]:
    return tuple(None if one is None else one.identity for one in row)


def columns(join: WindowJoin, row: Row) -> dict[str, Any]:
    """The columns of a row under the names of the join; those of an input that it has no row of are NULL."""
    found: dict[str, Any] = {}
    for (side, there), here in join.owners.items():
        held = row[side] if side < len(row) else None
        known = {} if held is None else {name.lower(): value for name, value in {**held.stamps, **held.values}.items()}
        found[here] = known.get(there)
    for name in join.using:
        own = (found[join.owners[side, name.lower()]] for side in range(len(join.sides)))
        found[name] = next((value for value in own if value is not None), None)
    return found


def _made(join: WindowJoin, row: Row, wants: tuple[Any, ...] | None, instant: Instant, value: Callable[[Number], Any]) -> Held:
    identity = ("pair", wants, *_identity(row)) if wants is not None else ("pair", *_identity(row))
    passing = wants is not None or any(one.passing for one in row if one is not None)
    made = made_at(join, row, instant, value)
    return replace(made, identity=identity, passing=passing, order=_order(join, row))


def made_at(join: WindowJoin, row: Row, instant: Instant, value: Callable[[Number], Any]) -> Held:
    """A row as it is at an instant."""
    parts = [one.ts for one in row if one is not None]
    ts = _stamped(join.timestamp, parts, instant, whole=len(parts) == len(row))
    stamps = {WINDOW_END: value(instant.at), EVENT_TS: None if ts is None else value(ts)}
    return Held(columns(join, row), stamps, ts, ("pair", *_identity(row)))


def is_of_tuples(row: Held) -> bool:
    """Whether a row is made of tuples alone, and so the same one when it comes again."""
    flat = _flat(row.identity)
    return "group" not in flat and "row" not in flat


def _flat(identity: tuple[Any, ...]) -> list[Any]:
    return [one for part in identity for one in (_flat(part) if isinstance(part, tuple) else [part])]


def _order(join: WindowJoin, row: Row) -> tuple[Any, ...]:
    """By the timestamp of a pair, then by its tuples from left to right. Rows of subqueries are no tuples; NULL comes last."""
    of_tuples = [held for held, side in zip(row, join.sides, strict=False) if _is_of_tuples(side)]
    known = [one.ts for one in of_tuples if one is not None and one.ts is not None]
    pick = {"min": min, "max": max}.get(join.timestamp)
    when = (0,) if pick is None or not known else (0, pick(known))
    return (when, *((1,) if one is None else one.order for one in of_tuples))


def _is_of_tuples(side: Node) -> bool:
    below = side
    while isinstance(below, Filter | Project | Extend | Derived | TableJoin | Sort):
        below = below.input
    return isinstance(below, Cut)


def _stamped(timestamp: str, given: Sequence[Number | None], instant: Instant, *, whole: bool) -> Number | None:
    """TIMESTAMP MIN or MAX of the rows, or NOW, the instant; MAX of a row that has not one of each input is the instant at which
    that shows."""
    if timestamp == "now" or (not whole and timestamp == "max"):
        return instant.at
    known = [ts for ts in given if ts is not None]
    return (min if timestamp == "min" else max)(known, default=None)
