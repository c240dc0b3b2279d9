"""Aggregates written in Python: classes that see tuple after tuple, and algebraic ones on arrays."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from transom.errors import AggregateFailed, BadAggregate, NotPicklable, TransomError
from transom.uda.compile.drive import Drive
from transom.uda.definition import Columns
from transom.uda.run.inwindow import InWindow, read_only
from transom.uda.run.keeping import keep, kept

TUPLE_AT_A_TIME = ("initialize", "iterate")
ALGEBRAIC = ("identity", "lift", "combine", "lower")
GIVEN = ("emit", "inwindow", "oldest")
"""The attributes that the system gives an instance."""


@dataclass(frozen=True)
class PythonVersion:
    """What can be said about a version without running it."""

    is_blocking: bool


@dataclass(frozen=True)
class PythonAggregate:
    """A class as an aggregate: its name, what it returns, and the class."""

    name: str
    returns: Columns
    made_of: type = field(repr=False)
    argument_types: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.is_algebraic or all(hasattr(self.made_of, method) for method in TUPLE_AT_A_TIME):
            return
        raise BadAggregate(
            f"{self.name} is no aggregate",
            given=", ".join(name for name in vars(self.made_of) if not name.startswith("_")) or "an empty class",
            exists=[", ".join(TUPLE_AT_A_TIME) + " (terminate, expire, combine)", ", ".join(ALGEBRAIC) + " (invert)"],
            remedy="give the class one of these sets of methods",
        )

    @property
    def is_algebraic(self) -> bool:
        """Whether it works on arrays: lift, combine, lower."""
        return all(hasattr(self.made_of, method) for method in ALGEBRAIC)

    @property
    def returns_type(self) -> str:
        if len(self.returns) == 1 and not self.returns[0][0]:
            return self.returns[0][1]
        return "STRUCT<" + ", ".join(f"{name}: {kind}" for name, kind in self.returns) + ">"

    @property
    def arguments(self) -> Columns | None:
        """Its arguments, by the names of the method's parameters; types may be left out."""
        method = getattr(self.made_of, "lift" if self.is_algebraic else "iterate")
        names = list(inspect.signature(method).parameters)[1:]
        types = self.argument_types or ("",) * len(names)
        return tuple(zip(names, types, strict=False))

    @property
    def base(self) -> PythonVersion | None:
        return PythonVersion(self.is_algebraic or hasattr(self.made_of, "terminate"))

    @property
    def window(self) -> PythonVersion | None:
        return PythonVersion(False) if self.expires else None

    @property
    def is_blocking(self) -> bool:
        return self.base is None or self.base.is_blocking

    @property
    def expires(self) -> bool:
        return hasattr(self.made_of, "expire")

    @property
    def can_combine(self) -> bool:
        return not self.is_algebraic and hasattr(self.made_of, "combine") and hasattr(self.made_of, "terminate")

    @property
    def can_feed_itself(self) -> bool:
        return False

    def all_reads(self) -> dict[str, Columns]:
        return {}


class PythonState:
    """An instance, and the tuples of its window."""

    def __init__(self, program: PythonProgram) -> None:
        self.program = program
        self.careful = self.started = False
        self.seen = 0
        self.window = InWindow(program.aggregate.name)
        self.out: list[Any] = []
        self.instance = program.instance(self)

    def dump(self) -> dict[str, Any]:
        name = self.program.aggregate.name
        saved = self.instance.save() if hasattr(self.instance, "save") else vars(self.instance)
        own = {key: keep(value, name, f"self.{key}") for key, value in saved.items() if key not in GIVEN}
        return {
            "started": self.started,
            "seen": self.seen,
            "own": own,
            "window": [keep(row, name, "inwindow") for row in self.window],
            "stays": list(map(list, self.window.stays)),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        self.started, self.seen = saved["started"], saved["seen"]
        own = {key: kept(value) for key, value in saved["own"].items()}
        if hasattr(self.instance, "restore"):
            self.instance.restore(own)
        else:
            vars(self.instance).update(own)
        for row, (number, place) in zip(saved["window"], saved["stays"], strict=True):
            self.window.enter(kept(row), (number, place))


class PythonProgram:
    """Runs a class as compiled bodies run. `is_window` keeps the window, in which tuples expire."""

    def __init__(self, aggregate: PythonAggregate, *, is_window: bool) -> None:
        self.aggregate, self.is_window = aggregate, is_window

    def instance(self, state: PythonState) -> Any:
        """A new instance, with a way to emit rows and a view of its window."""
        try:
            made = self.aggregate.made_of()
        except Exception as error:
            raise self._failed("__init__", error, ()) from None
        made.emit = state.out.append
        made.inwindow = window = state.window
        made.oldest = lambda: window[0] if window else None
        return made

    def fresh(self) -> PythonState:
        return PythonState(self)

    def restored(self, saved: dict[str, Any]) -> PythonState:
        state = self.fresh()
        state.restore(saved)
        return state

    def step(
        self,
        state: PythonState,
        drive: Drive,
        columns: Sequence[Sequence[Any]],
        *,
        places: Sequence[Any] = (),
        yields: Sequence[bool] = (),
        numbers: Sequence[int] = (),
        reach: Any = None,
    ) -> tuple[list[Any], list[int] | None]:
        found: list[Any] = []
        ends: list[int] = []
        window, is_window, active = state.window, self.is_window, drive.active
        alone, placed = len(columns) == 1, len(places) > 0
        for n, row in enumerate(zip(*columns, strict=True)):
            place = places[n] if placed else None
            if is_window:
                if window and drive.window:
                    self._expire(state, drive, reach, place, found)
                window.enter(row[0] if alone else row, (numbers[n] if active else state.seen, place))
                state.seen += 1
            rows = self._call(state, "iterate" if state.started else "initialize", row)
            state.started = True
            if not drive.yields or yields[n]:
                if drive.terminates and hasattr(state.instance, "terminate"):
                    rows += self._call(state, "terminate", ())
                found += [(numbers[n], place, value) for value in rows] if active else rows
                ends.append(len(found))
        return found, ends

    def _expire(self, state: PythonState, drive: Drive, reach: Any, upto: Any, found: list[Any]) -> None:
        window = state.window
        by_rows = drive.window == "rows"
        while window:
            number, place = stay = window.stays[0]
            if state.seen - number <= reach if by_rows else not place < upto - reach:
                return
            rows = self._call(state, "expire", ())
            window.leave(stay)
            if drive.active:
                found += [(number, place + reach, value) for value in rows]

    def expire(self, state: PythonState) -> list[Any]:
        """What is returned when the oldest tuple leaves."""
        stay = state.window.stays[0]
        rows = self._call(state, "expire", ())
        state.window.leave(stay)
        return rows

    def slots(
        self, state: PythonState, columns: Sequence[Sequence[Any]], sizes: Sequence[tuple[int, bool]]
    ) -> tuple[list[Any], list[int] | None, PythonState]:
        drive = Drive(yields=True, terminates=True)
        found: list[Any] = []
        ends: list[int] = []
        for part, over in _parts(columns, sizes):
            found += self.step(state, drive, part, yields=[*[False] * (len(part[0]) - 1), over])[0]
            if over:
                ends.append(len(found))
                state = self.fresh()
        return found, ends, state

    def panes(
        self, state: PythonState, columns: Sequence[Sequence[Any]], sizes: Sequence[tuple[int, bool]]
    ) -> tuple[list[PythonState], PythonState]:
        found: list[PythonState] = []
        for part, over in _parts(columns, sizes):
            self.step(state, Drive(), part)
            if over:
                found.append(state)
                state = self.fresh()
        return found, state

    def copied(self, state: PythonState) -> PythonState:
        return self.restored(state.dump())

    def lent(self, state: PythonState) -> PythonState:
        """A state to combine another with: a copy, of which the class may take what it likes."""
        return self.copied(state)

    def finish(self, state: PythonState) -> list[Any]:
        if not state.started or not hasattr(state.instance, "terminate"):
            return []
        return self._call(state, "terminate", ())

    def flush(self, state: PythonState, drive: Drive, reach: Any, upto: Any) -> list[Any]:
        found: list[Any] = []
        self._expire(state, drive, reach, upto, found)
        return found

    def combine(self, state: PythonState, other: PythonState) -> None:
        self._call(state, "combine", (other.instance,))

    def whole(self, columns: Sequence[Sequence[Any]], *, careful: bool | None = None) -> list[Any]:
        state = self.fresh()
        found, _ = self.step(state, Drive(), columns)
        return found + self.finish(state)

    def _call(self, state: PythonState, method: str, row: tuple[Any, ...]) -> list[Any]:
        """What a method returns, behind what it emitted."""
        instance = state.instance
        try:
            value = getattr(instance, method)(*row)
            if instance.inwindow is not state.window:
                raise read_only(self.aggregate.name, f"self.inwindow = {instance.inwindow!r}"[:80])
        except TransomError:
            raise
        except Exception as error:
            raise self._failed(method, error, row) from None
        rows = [] if value is None or method == "combine" else [value]
        if state.out:
            rows = [*state.out, *rows]
            state.out.clear()
        return rows

    def _failed(self, method: str, error: Exception, row: tuple[Any, ...]) -> AggregateFailed:
        return AggregateFailed(
            f"aggregate {self.aggregate.name} failed in {method}: {type(error).__name__}: {error}",
            given=f"tuple {row}",
            remedy="check the method against the tuple",
        )


def _parts(columns: Sequence[Sequence[Any]], sizes: Sequence[tuple[int, bool]]) -> Iterator[tuple[list[Sequence[Any]], bool]]:
    """The tuples of each slot, and whether it is over with them."""
    start = 0
    for size, over in sizes:
        yield [column[start : start + size] for column in columns], over
        start += size


def check_picklable(aggregate: PythonAggregate, dumps: Any) -> None:
    """Refuse a class that cannot be sent to where it is to run."""
    try:
        dumps(aggregate)
    except Exception as error:
        raise NotPicklable(
            f"{aggregate.name} cannot be sent to where it is to run: {error}",
            given=aggregate.made_of.__qualname__,
            remedy="open files, connections and locks inside initialize, not outside the class",
        ) from None
