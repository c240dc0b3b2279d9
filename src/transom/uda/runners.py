"""The ways of running an aggregate over the tuples of a key in order: one for each row of the invocation table.

A runner keeps an entry for each key. `run` takes tuples, and gives the rows of those that yield, with the place where each
one's rows end (None: one row each). What an entry holds can be kept as JSON.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from transom.errors import AggregateFailed
from transom.uda.program import Program, is_odd
from transom.uda.runtime import read, spelled
from transom.uda.write_drive import Drive

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

    def part(self, start: int, end: int) -> Tuples:
        yields = None if self.yields is None else self.yields[start:end]
        return Tuples(
            [column[start:end] for column in self.columns], self.places[start:end], yields, self.numbers[start:end], self.odd
        )


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
class Window:
    """The tuples of a window, with their places."""

    rows: deque[tuple[Any, ...]] = field(default_factory=deque)
    places: deque[Any] = field(default_factory=deque)


class Derived(Runner):
    """The base version, run over the window anew at each tuple that yields (seed 003, example 11)."""

    def __init__(self, program: Program, reach: Any, *, by_rows: bool) -> None:
        self.program, self.reach, self.by_rows = program, reach, by_rows

    def fresh(self) -> Any:
        return Window()

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

    def _expire(self, entry: Window, place: Any) -> None:
        while entry.rows and (len(entry.rows) > self.reach if self.by_rows else entry.places[0] < place - self.reach):
            entry.rows.popleft()
            entry.places.popleft()

    def dump(self, entry: Any) -> Any:
        return {"rows": [[spelled(value) for value in row] for row in entry.rows], "places": list(entry.places)}

    def restore(self, kept: Any) -> Any:
        return Window(deque(tuple(map(read, row)) for row in kept["rows"]), deque(kept["places"]))


def at_last(program: Program, columns: list[list[Any]]) -> list[Any]:
    """What a fresh run over these tuples returns at the last of them, TERMINATE included."""
    state = program.fresh()
    state.careful = is_odd(columns)
    size = len(columns[0]) if columns else 0
    if not size:
        return []
    return program.step(state, Drive(yields=True, terminates=True), columns, yields=[False] * (size - 1) + [True])[0]


@dataclass
class Slot:
    """A slot that is not over: the state of its tuples so far, and how many there were."""

    state: Any
    count: int = 0


class Tumble(Runner):
    """A new start for each slot of `slide` rows, of which the last `size` count."""

    def __init__(self, program: Program, slide: int, size: int) -> None:
        self.program, self.slide, self.size = program, slide, size
        self.drive = Drive(yields=True, terminates=True)

    def fresh(self) -> Any:
        return Slot(self.program.fresh())

    def run(self, entry: Any, tuples: Tuples) -> Results:
        out: list[Any] = []
        ends: list[int] = []
        place = 0
        while place < len(tuples):
            end = min(len(tuples), place + self.slide - entry.count)
            skipped = max(0, self.slide - self.size - entry.count)
            part = tuples.part(min(place + skipped, end), end)
            entry.count += end - place
            if len(part):
                entry.state.careful |= part.odd and is_odd(part.columns)
                flags = [False] * (len(part) - 1) + [entry.count == self.slide]
                out += self.program.step(entry.state, self.drive, part.columns, yields=flags)[0]
            if entry.count == self.slide:
                ends.append(len(out))
                entry.state, entry.count = self.program.fresh(), 0
            place = end
        return out, ends

    def dump(self, entry: Any) -> Any:
        return {"state": entry.state.dump(), "count": entry.count}

    def restore(self, kept: Any) -> Any:
        return Slot(self.program.restored(kept["state"]), kept["count"])


@dataclass
class Panes:
    """The states of whole panes, and that of the pane that is not over."""

    whole: deque[Any]
    slot: Slot
    seen: int = 0


class Combine(Runner):
    """Panes of gcd(range, slide) rows, each with the state of the base version; combined where a window ends."""

    def __init__(self, program: Program, pane: int, panes: int, per_slide: int) -> None:
        self.program, self.pane, self.panes, self.per_slide = program, pane, panes, per_slide

    def fresh(self) -> Any:
        return Panes(deque(maxlen=self.panes), Slot(self.program.fresh()))

    def run(self, entry: Any, tuples: Tuples) -> Results:
        out: list[Any] = []
        ends: list[int] = []
        place = 0
        while place < len(tuples):
            end = min(len(tuples), place + self.pane - entry.slot.count)
            part = tuples.part(place, end)
            entry.slot.state.careful |= part.odd and is_odd(part.columns)
            self.program.step(entry.slot.state, Drive(yields=True), part.columns, yields=[False] * len(part))
            entry.slot.count += end - place
            place = end
            if entry.slot.count == self.pane:
                entry.whole.append(entry.slot.state)
                entry.slot = Slot(self.program.fresh())
                entry.seen += 1
                if entry.seen % self.per_slide == 0:
                    out += self.program.finish(self._combined(entry))
                    ends.append(len(out))
        return out, ends

    def _combined(self, entry: Panes) -> Any:
        first, *rest = entry.whole
        whole = self.program.restored(first.dump())
        for state in rest:
            self.program.combine(whole, self.program.restored(state.dump()))
        return whole

    def dump(self, entry: Any) -> Any:
        slot = {"state": entry.slot.state.dump(), "count": entry.slot.count}
        return {"whole": [state.dump() for state in entry.whole], "slot": slot, "seen": entry.seen}

    def restore(self, kept: Any) -> Any:
        whole = deque((self.program.restored(state) for state in kept["whole"]), maxlen=self.panes)
        return Panes(whole, Slot(self.program.restored(kept["slot"]["state"]), kept["slot"]["count"]), kept["seen"])


class Feed(Runner):
    """The results of the base version on panes, fed into the window version (seed 003, example 15)."""

    def __init__(self, base: Program, window: Program, pane: int, panes: int, per_slide: int) -> None:
        self.below = Tumble(base, pane, pane)
        self.window, self.panes, self.per_slide = window, panes, per_slide

    def fresh(self) -> Any:
        return Panes(deque([self.window.fresh()]), self.below.fresh())

    def run(self, entry: Any, tuples: Tuples) -> Results:
        results, ends = self.below.run(entry.slot, tuples)
        if ends is None or len(results) != len(ends):
            raise AggregateFailed(
                f"{self.window.bound.name} is ALGEBRAIC, but its base version did not return one row for each pane",
                given=f"{len(results)} rows for {len(ends or ())} panes",
                remedy="return one row in TERMINATE, or leave ALGEBRAIC out",
            )
        many = len(self.window.bound.arguments) > 1
        columns = [list(column) for column in zip(*results, strict=True)] if many and results else [results]
        flags = [(entry.seen + n + 1) % self.per_slide == 0 for n in range(len(ends or ()))]
        entry.seen += len(flags)
        if not flags:
            return [], []
        state = entry.whole[0]
        state.careful |= is_odd(columns)
        return self.window.step(state, Drive("rows", yields=True), columns, yields=flags, reach=self.panes - 1)

    def dump(self, entry: Any) -> Any:
        return {"window": entry.whole[0].dump(), "slot": self.below.dump(entry.slot), "seen": entry.seen}

    def restore(self, kept: Any) -> Any:
        return Panes(deque([self.window.restored(kept["window"])]), self.below.restore(kept["slot"]), kept["seen"])
