"""The states of the panes of a window, combined at the cost of three for each pane, however many there are.

Panes are numbered from the start of the key and go in blocks of as many as a window has. A window is the end of one block and the
beginning of the next: the ends are combined once when a block is full, from its last pane on, the beginning grows with each
pane. Nothing has to be subtracted, and where a block begins does not depend on how the tuples were cut.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any


class PaneStates:
    """The states of the last panes of a key. Only they are kept; what they combine to is computed again when it is asked for."""

    def __init__(self, program: Any, panes: int, states: Iterable[Any] = (), seen: int = 0) -> None:
        self.program, self.panes, self.seen = program, panes, seen
        self.states: deque[Any] = deque(states, maxlen=panes)
        self._ends: list[Any] | None = None
        self._beginning: Any = None

    def enter(self, state: Any) -> None:
        """A pane is over."""
        self.states.append(state)
        place = self.seen % self.panes
        self.seen += 1
        if place == 0:
            self._ends, self._beginning = None, self.program.copied(state)
        elif self._beginning is not None:
            self.program.combine(self._beginning, self.program.lent(state))

    def combined(self) -> Any:
        """A state of its own for all tuples of the window."""
        beginning = self._of_this_block()
        later = self.panes - 1 - (self.seen - 1) % self.panes
        if not later or self.seen <= self.panes:
            return self.program.copied(beginning)
        whole = self.program.copied(self._of_last_block(later)[later - 1])
        self.program.combine(whole, self.program.lent(beginning))
        return whole

    def _of_this_block(self) -> Any:
        if self._beginning is None:
            first, *others = list(self.states)[-1 - (self.seen - 1) % self.panes :]
            self._beginning = self.program.copied(first)
            for state in others:
                self.program.combine(self._beginning, self.program.lent(state))
        return self._beginning

    def _of_last_block(self, panes: int) -> list[Any]:
        """The last one, two and more panes of the block before this one, combined."""
        if self._ends is None:
            self._ends = []
            for state in reversed(list(self.states)[:panes]):
                end = self.program.copied(state)
                if self._ends:
                    self.program.combine(end, self.program.lent(self._ends[-1]))
                self._ends.append(end)
        return self._ends
