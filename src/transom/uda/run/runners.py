"""The ways of running an aggregate over the tuples of a key in order: one for each row of the invocation table, cascades apart.

A runner keeps an entry for each key. `run` takes tuples, and gives the rows of those that yield, with the place where each
one's rows end (None: one row each). What an entry holds can be kept as JSON.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from transom.uda.compile.drive import Drive
from transom.uda.compile.program import Program, is_odd
from transom.uda.compile.runtime import read, spelled

Results = tuple[list[Any], list[int] | None]


@dataclass
class Tuples:
    """Tuples of one key: arguments by column, places, and which of them yield (None: all)."""

    columns: list[list[Any]]
    places: Sequence[Any] = ()
    yields: list[bool] | None = None
    numbers: Sequence[int] = ()
    odd: bool = False

    def __len__(self) -> int:
        return len(self.columns[0])


class Runner(ABC):
    """One way of running an aggregate."""

    @abstractmethod
    def fresh(self) -> Any:
        """The entry of a key that has not been seen."""

    @abstractmethod
    def run(self, entry: Any, tuples: Tuples) -> Results:
        """Take tuples in, in order."""

    @abstractmethod
    def dump(self, entry: Any) -> Any:
        """An entry as JSON knows it."""

    @abstractmethod
    def restore(self, kept: Any) -> Any:
        """The inverse."""


class Straight(Runner):
    """One state, every tuple run through it: UNBOUNDED, and the window version."""

    def __init__(self, program: Program, drive: Drive, reach: Any = None) -> None:
        self.program, self.drive, self.reach = program, drive, reach

    def fresh(self) -> Any:
        return self.program.fresh()

    def run(self, entry: Any, tuples: Tuples) -> Results:
        entry.careful |= tuples.odd and is_odd(tuples.columns)
        return self.program.step(
            entry, self.drive, tuples.columns, places=tuples.places, yields=tuples.yields or (), reach=self.reach
        )

    def dump(self, entry: Any) -> Any:
        return entry.dump()

    def restore(self, kept: Any) -> Any:
        return self.program.restored(kept)


class Active(Straight):
    """ACTIVE EXPIRATION: results of arrivals and of expiries, each with the tuple it belongs to and its instant."""

    def run(self, entry: Any, tuples: Tuples) -> Results:
        entry.careful |= tuples.odd and is_odd(tuples.columns)
        return self.program.step(
            entry, self.drive, tuples.columns, places=tuples.places, numbers=tuples.numbers, reach=self.reach
        )

    def flush(self, entry: Any, upto: Any) -> list[Any]:
        """What expires before `upto`."""
        return self.program.flush(entry, self.drive, self.reach, upto)


@dataclass
class WindowTuples:
    """The tuples of a window, with their places."""

    rows: deque[tuple[Any, ...]] = field(default_factory=deque)
    places: deque[Any] = field(default_factory=deque)


class DerivedRunner(Runner):
    """The base version, run over the window anew at each tuple that yields (seed 003, example 11)."""

    def __init__(self, program: Program, reach: Any, *, by_rows: bool) -> None:
        self.program, self.reach, self.by_rows = program, reach, by_rows

    def fresh(self) -> Any:
        return WindowTuples()

    def run(self, entry: Any, tuples: Tuples) -> Results:
        out: list[Any] = []
        ends: list[int] = []
        rows = list(zip(*tuples.columns, strict=True))
        places = tuples.places if not self.by_rows else [0] * len(rows)
        for n, (row, place) in enumerate(zip(rows, places, strict=True)):
            self._expire(entry, place)
            entry.rows.append(row)
            entry.places.append(place)
            if tuples.yields is None or tuples.yields[n]:
                out += at_last(self.program, [list(column) for column in zip(*entry.rows, strict=True)])
                ends.append(len(out))
        return out, ends

    def _expire(self, entry: WindowTuples, place: Any) -> None:
        while entry.rows and (len(entry.rows) > self.reach if self.by_rows else entry.places[0] < place - self.reach):
            entry.rows.popleft()
            entry.places.popleft()

    def dump(self, entry: Any) -> Any:
        return {"rows": [[spelled(value) for value in row] for row in entry.rows], "places": list(entry.places)}

    def restore(self, kept: Any) -> Any:
        return WindowTuples(deque(tuple(map(read, row)) for row in kept["rows"]), deque(kept["places"]))


def at_last(program: Program, columns: list[list[Any]]) -> list[Any]:
    """What a fresh run over these tuples returns at the last of them, TERMINATE included."""
    state = program.fresh()
    state.careful = is_odd(columns)
    size = len(columns[0]) if columns else 0
    if not size:
        return []
    return program.step(state, Drive(yields=True, terminates=True), columns, yields=[False] * (size - 1) + [True])[0]
