"""The ways of running an aggregate slot after slot: tumbles, and panes below windows (seed 003, examples 13 to 15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transom.errors import AggregateFailed
from transom.uda.compile.drive import Drive
from transom.uda.compile.program import Program, is_odd
from transom.uda.run.pane_states import PaneStates, partials_of
from transom.uda.run.runners import Results, Runner, Tuples

Sizes = list[tuple[int, bool]]
"""How many tuples come of each slot, and whether it is over with them."""


@dataclass
class Slot:
    """A slot that is not over: the state of its tuples so far, and how many there were."""

    state: Any
    count: int = 0

    def take(self, tuples: int, length: int) -> Sizes:
        """Cut tuples into what is left of this slot and the slots that follow."""
        room = length - self.count
        if tuples < room:
            self.count += tuples
            return [(tuples, False)]
        whole, self.count = divmod(tuples - room, length)
        return [(room, True), *[(length, True)] * whole, *[(self.count, False)] * (self.count > 0)]


class Tumble(Runner):
    """A new start for each slot of `slide` rows, of which the last `size` count."""

    def __init__(self, program: Program, slide: int, size: int) -> None:
        self.program, self.slide, self.size = program, slide, size

    def fresh(self) -> Any:
        return Slot(self.program.fresh())

    def run(self, entry: Any, tuples: Tuples) -> Results:
        if not len(tuples):
            return [], []
        if self.size < self.slide:
            columns, sizes = self._without_skipped(entry, tuples)
        else:
            columns, sizes = tuples.columns, entry.take(len(tuples), self.slide)
        if not sizes:
            return [], []
        entry.state.careful |= tuples.odd and is_odd(columns)
        out, ends, entry.state = self.program.slots(entry.state, columns, sizes)
        if len(sizes) > 1 and entry.state.careful:
            entry.state.careful = is_odd([column[-sizes[-1][0] :] for column in columns])
        return out, ends

    def _without_skipped(self, entry: Slot, tuples: Tuples) -> tuple[list[list[Any]], Sizes]:
        """The tuples that can matter."""
        chosen: list[slice] = []
        sizes: Sizes = []
        end, before = 0, entry.count
        for size, over in entry.take(len(tuples), self.slide):
            start, end = end + max(0, self.slide - self.size - before), end + size
            before = 0
            if start < end:
                chosen.append(slice(start, end))
                sizes.append((end - start, over))
        return [[value for each in chosen for value in column[each]] for column in tuples.columns], sizes

    def dump(self, entry: Any) -> Any:
        return {"state": entry.state.dump(), "count": entry.count}

    def restore(self, kept: Any) -> Any:
        return Slot(self.program.restored(kept["state"]), kept["count"])


@dataclass
class Panes:
    """The states of whole panes, and that of the pane that is not over."""

    whole: PaneStates
    slot: Slot


class Combine(Runner):
    """Panes of gcd(range, slide) rows, each with the state of the base version; combined where a window ends."""

    def __init__(self, program: Program, pane: int, panes: int, per_slide: int) -> None:
        self.program, self.pane, self.panes, self.per_slide = program, pane, panes, per_slide
        self.how = partials_of(program)

    def fresh(self) -> Any:
        return Panes(PaneStates(self.how, self.panes), Slot(self.program.fresh()))

    def run(self, entry: Any, tuples: Tuples) -> Results:
        if not len(tuples):
            return [], []
        out: list[Any] = []
        ends: list[int] = []
        slot, whole = entry.slot, entry.whole
        odd = slot.state.careful or (tuples.odd and is_odd(tuples.columns))
        slot.state.careful = odd
        found, slot.state = self.how.of_panes(slot.state, tuples.columns, slot.take(len(tuples), self.pane))
        self.how.guarded(self._entered, whole, found, odd, out, ends)
        slot.state.careful = odd and slot.count > 0
        return out, ends

    def _entered(self, whole: PaneStates, found: list[Any], odd: bool, out: list[Any], ends: list[int]) -> None:
        """Panes that are over, and the windows that end with them."""
        for one in found:
            whole.enter(one, odd)
            if whole.seen % self.per_slide == 0:
                out += whole.result()
                ends.append(len(out))

    def dump(self, entry: Any) -> Any:
        whole, slot = entry.whole, {"state": entry.slot.state.dump(), "count": entry.slot.count}
        kept = list(map(self.how.dump, whole.states))
        return {"whole": kept, "slot": slot, "seen": whole.seen, "odd_until": whole.odd_until}

    def restore(self, kept: Any) -> Any:
        whole = PaneStates(self.how, self.panes, map(self.how.restore, kept["whole"]), kept["seen"], kept["odd_until"])
        return Panes(whole, Slot(self.program.restored(kept["slot"]["state"]), kept["slot"]["count"]))


@dataclass
class Fed:
    """The state of the window version, the pane below it that is not over, and how many panes there were."""

    window: Any
    slot: Slot
    seen: int = 0


class PaneFeed(Runner):
    """The results of the base version on panes, fed into the window version (seed 003, example 15)."""

    def __init__(self, base: Program, window: Program, pane: int, panes: int, per_slide: int) -> None:
        self.below = Tumble(base, pane, pane)
        self.window, self.panes, self.per_slide = window, panes, per_slide

    def fresh(self) -> Any:
        return Fed(self.window.fresh(), self.below.fresh())

    def run(self, entry: Any, tuples: Tuples) -> Results:
        results, ends = self.below.run(entry.slot, tuples)
        if ends is not None and len(results) != len(ends):
            raise AggregateFailed(
                f"{self.window.bound.name} is ALGEBRAIC, but its base version did not return one row for each pane",
                given=f"{len(results)} rows for {len(ends)} panes",
                remedy="return one row in TERMINATE, or leave ALGEBRAIC out",
            )
        if not results:
            return [], []
        many = len(self.window.bound.arguments) > 1
        columns = [list(column) for column in zip(*results, strict=True)] if many else [results]
        flags = [number % self.per_slide == 0 for number in range(entry.seen + 1, entry.seen + len(results) + 1)]
        entry.seen += len(flags)
        entry.window.careful |= is_odd(columns)
        return self.window.step(entry.window, Drive("rows", yields=True), columns, yields=flags, reach=self.panes - 1)

    def dump(self, entry: Any) -> Any:
        return {"window": entry.window.dump(), "slot": self.below.dump(entry.slot), "seen": entry.seen}

    def restore(self, kept: Any) -> Any:
        return Fed(self.window.restored(kept["window"]), self.below.restore(kept["slot"]), kept["seen"])
