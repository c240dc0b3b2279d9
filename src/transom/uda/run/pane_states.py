"""The states of the panes of a window, combined at the cost of three for each pane, however many there are.

Panes are numbered from the start of the key and go in blocks of as many as a window has. A window is the end of one block and the
beginning of the next: the ends are combined once when a block is full, from its last pane on, the beginning grows with each
pane. Nothing has to be subtracted, and where a block begins does not depend on how the tuples were cut.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from transom.uda.compile.program import Program
from transom.uda.compile.runtime import read_row, spelled_row
from transom.uda.run.python_aggregate import PythonProgram


class Partials(ABC):
    """What panes leave behind, and how it is put together."""

    @abstractmethod
    def of_panes(self, state: Any, columns: list[list[Any]], sizes: Sequence[tuple[int, bool]]) -> tuple[list[Any], Any]:
        """The partials of panes that are over, and the state of the one that is not."""

    @abstractmethod
    def own(self, partial: Any) -> Any:
        """One that may be changed."""

    @abstractmethod
    def joined(self, own: Any, other: Any, careful: bool) -> Any:
        """One for the tuples of both; the first is given away."""

    @abstractmethod
    def result(self, own: Any, careful: bool) -> list[Any]:
        """What TERMINATE returns."""

    def guarded(self, function: Callable[..., None], *args: Any) -> None:
        """Call what joins partials and asks for results."""
        function(*args)

    @abstractmethod
    def dump(self, partial: Any) -> Any:
        """As JSON knows it."""

    @abstractmethod
    def restore(self, kept: Any) -> Any:
        """The inverse."""


class Whole(Partials):
    """States, with tables of any size, or instances of a class."""

    def __init__(self, program: Program | PythonProgram) -> None:
        self.program: Any = program

    def of_panes(self, state: Any, columns: list[list[Any]], sizes: Sequence[tuple[int, bool]]) -> tuple[list[Any], Any]:
        states, last = self.program.panes(state, columns, sizes)
        return states, last

    def own(self, partial: Any) -> Any:
        return self.program.copied(partial)

    def joined(self, own: Any, other: Any, careful: bool) -> Any:
        own.careful = careful
        self.program.combine(own, self.program.lent(other))
        return own

    def result(self, own: Any, careful: bool) -> list[Any]:
        own.careful = careful
        return list(self.program.finish(own))

    def dump(self, partial: Any) -> Any:
        return partial.dump()

    def restore(self, kept: Any) -> Any:
        return self.program.restored(kept)


class VariableValues(Partials):
    """The values of variables, where there are only such: tuples, which nobody can change."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.join = {careful: program.merging(careful=careful) for careful in (False, True)}
        self.end = {careful: program.ending(careful=careful) for careful in (False, True)}

    def of_panes(self, state: Any, columns: list[list[Any]], sizes: Sequence[tuple[int, bool]]) -> tuple[list[Any], Any]:
        return self.program.values(state, columns, sizes), state

    def own(self, partial: Any) -> Any:
        return partial

    def joined(self, own: Any, other: Any, careful: bool) -> Any:
        return self.join[careful](own, other)

    def result(self, own: Any, careful: bool) -> list[Any]:
        out: list[Any] = []
        self.end[careful](own, out)
        return out

    def guarded(self, function: Callable[..., None], *args: Any) -> None:
        self.program.guarded(function, *args)

    def dump(self, partial: Any) -> Any:
        return spelled_row(partial)

    def restore(self, kept: Any) -> Any:
        return tuple(read_row(kept))


def partials_of(program: Program | PythonProgram) -> Partials:
    return VariableValues(program) if isinstance(program, Program) and program.has_values else Whole(program)


class PaneStates:
    """The partials of the last panes of a key. Only they are kept; what they combine to is computed again when it is needed.

    `careful` says that NULLs or NaNs came in a pane that is still there, or not long ago: until as many panes came without.
    """

    def __init__(self, how: Partials, panes: int, states: Iterable[Any] = (), seen: int = 0, odd_until: int = 0) -> None:
        self.how, self.panes, self.seen, self.odd_until = how, panes, seen, odd_until
        self.states: deque[Any] = deque(states, maxlen=panes)
        self._ends: list[Any] | None = None
        self._beginning: Any = None

    @property
    def careful(self) -> bool:
        return self.seen < self.odd_until

    def enter(self, state: Any, odd: bool = False) -> None:
        """A pane is over."""
        if odd:
            self.odd_until = self.seen + 1 + 2 * self.panes
        self.states.append(state)
        place = self.seen % self.panes
        self.seen += 1
        if place == 0:
            self._ends, self._beginning = None, self.how.own(state)
        elif self._beginning is not None:
            self._beginning = self.how.joined(self._beginning, state, self.careful)

    def result(self) -> list[Any]:
        """What the window returns."""
        return self.how.result(self.combined(), self.careful)

    def combined(self) -> Any:
        """A partial of its own for all tuples of the window."""
        beginning = self._of_this_block()
        later = self.panes - 1 - (self.seen - 1) % self.panes
        if not later or self.seen <= self.panes:
            return self.how.own(beginning)
        end = self._of_last_block(later)[later - 1]
        return self.how.joined(self.how.own(end), beginning, self.careful)

    def _of_this_block(self) -> Any:
        if self._beginning is None:
            first, *others = list(self.states)[-1 - (self.seen - 1) % self.panes :]
            self._beginning = self.how.own(first)
            for state in others:
                self._beginning = self.how.joined(self._beginning, state, self.careful)
        return self._beginning

    def _of_last_block(self, panes: int) -> list[Any]:
        """The last one, two and more panes of the block before this one, combined."""
        if self._ends is None:
            self._ends = []
            for state in reversed(list(self.states)[:panes]):
                end = self.how.own(state)
                self._ends.append(self.how.joined(end, self._ends[-1], self.careful) if self._ends else end)
        return self._ends
