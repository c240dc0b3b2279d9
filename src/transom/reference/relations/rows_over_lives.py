"""The rows of a join in the stream form, where outer, semi and anti joins stand before the last step.

Whether a tuple has a match is a question about its whole life, the instants at which it is in its window. So each row of a step
has a life, the instants at which all of its tuples are there, and it is decided at some instant whether it is a row at all:

- two rows that meet, at an instant at which both are there, make a row from then on, once both are decided;
- a row without a match is decided when it has left; a row of a semi join when it has its first;
- a row or a tuple has no match if none that it met turned out to be a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from transom.plan.relations.window_join import JoinStep, WindowJoin
from transom.reference.relations.held import Held
from transom.reference.relations.joining import Nothing, Row, columns, is_of_tuples
from transom.scalar.evaluation import Scope, holds


@dataclass(frozen=True)
class Candidate:
    """What may be a row. `known` is the instant from which on it is one, `void` that at which it turns out to be none; instants
    are numbered. Its life ends where it turns out to be none."""

    parts: Row
    life: frozenset[int]
    known: int | None = None
    void: int | None = None

    def meets(self, other: Candidate) -> int | None:
        """The first instant at which both are there."""
        return min(self.life & other.life, default=None)

    def left(self, now: int) -> int | None:
        """The first instant at which it is not there any more; None as long as it is."""
        after = max(self.life) + 1
        return None if after > now else after


def rows_over_lives(join: WindowJoin, states: Sequence[Sequence[list[Held]]]) -> list[Candidate]:
    """The rows of a join that are decided. `states` are those of each input at each instant, which are final."""
    now = len(states) - 1
    sides = [list(_tuples([at[side] for at in states])) for side in range(len(join.sides))]
    rows = sides[0]
    for side, step in enumerate(join.steps, start=1):
        rows = list(_step(join, side, step, rows, sides[side], now))
    return [row for row in rows if row.known is not None]


def _tuples(states: Sequence[list[Held]]) -> Iterator[Candidate]:
    """The rows of an input, each with its life. One that is made of no tuple is another when it comes again."""
    lives: dict[tuple[object, ...], list[int]] = {}
    shown: dict[tuple[object, ...], Held] = {}
    here: dict[tuple[object, ...], int] = {}
    for n, rows in enumerate(states):
        before, here = here, {}
        for row in rows:
            begun = 0 if is_of_tuples(row) else before.get(row.identity, n)
            here[row.identity] = begun
            lives.setdefault((row.identity, begun), []).append(n)
            shown.setdefault((row.identity, begun), row)
    for each, life in lives.items():
        yield Candidate((shown[each],), frozenset(life), known=life[0])


def _step(
    join: WindowJoin, side: int, step: JoinStep, rows: list[Candidate], others: list[Candidate], now: int
) -> Iterator[Candidate]:
    met: dict[int, list[tuple[Candidate, int]]] = {n: [] for n in range(len(others))}
    for row in rows:
        found = []
        for n, other in enumerate(others):
            at = row.meets(other)
            if at is not None and holds(step.condition.text, Scope(columns(join, (*row.parts, *other.parts)))):
                found.append(at)
                met[n].append((row, at))
                if step.shows_right:
                    yield from _alive((*row.parts, *other.parts), row.life & other.life, _latest(row.known, at), row.void)
        if step.kind in ("LEFT", "FULL", "ANTI"):
            known = None if found else _latest(row.known, row.left(now))
            yield from _alive((*row.parts, Nothing), row.life, known, _first(*found, row.void))
        elif step.kind == "SEMI":
            gone = None if found else row.left(now)
            yield from _alive(
                (*row.parts, Nothing), row.life, _latest(row.known, min(found, default=None)), _first(gone, row.void)
            )
    for n, other in enumerate(others) if step.kind in ("RIGHT", "FULL") else ():
        certain = [max(row.known, at) for row, at in met[n] if row.known is not None]
        undecided = any(row.known is None and row.void is None for row, _ in met[n])
        known = None if certain or undecided else _latest(other.left(now), *(row.void for row, _ in met[n]))
        yield from _alive((*(Nothing for _ in range(side)), *other.parts), other.life, known, _first(*certain))


def _alive(parts: Row, life: Iterable[int], known: int | None, void: int | None) -> Iterator[Candidate]:
    kept = frozenset(n for n in life if void is None or n < void)
    if kept:
        yield Candidate(parts, kept, None if void is not None else known, void)


def _latest(*instants: int | None) -> int | None:
    """When all has happened."""
    known = [one for one in instants if one is not None]
    return max(known) if len(known) == len(instants) else None


def _first(*instants: int | None) -> int | None:
    return min((one for one in instants if one is not None), default=None)
