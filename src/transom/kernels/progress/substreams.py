"""Substreams: each has a progress of its own, and the smallest counts. A stream that is not cut is one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from transom.column_names import HIGH, IDLE, INPUT, SEQUENCE_NUMBER, SOURCE
from transom.disorder.arrays.frontier_path import FrontierPath, WrittenFrontiers
from transom.disorder.controllers import Controller, controller_of
from transom.disorder.figures import distance, report, requested, tradeoff
from transom.kernels.columns.arrays import Array, one_chunk, plain
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.number_packing import unpacked
from transom.kernels.generating import Generating
from transom.kernels.slices import Slice

MOST = 40
"""Substreams that are reported one by one: those farthest behind, and the five that are farthest ahead."""


@dataclass
class SubstreamProgress:
    """A substream, or an input: its largest value, when it was last heard of, and whether it says that it is idle."""

    high: Any
    heard: int | None = None
    idle: bool = False


class Substreams:
    """The frontier that the substreams reach together; `starts` are those before each slice, where there is but one, and `late`
    the tuples that are to be counted as late: their places, and the frontier before each. `paths` are the frontiers before each
    tuple of the last micro-batch, slice by slice, where controllers found them."""

    def __init__(self, generating: Generating, axis: Axis) -> None:
        self.generating, self.axis = generating, axis
        self.frontier: Any = axis.nothing_yet
        self.paths: list[FrontierPath] = []
        self.sources: dict[str, SubstreamProgress] = {}
        self.controllers: dict[str, Controller] = {}
        self.starts: list[Any] = []
        self.late: list[tuple[Array, Array]] = []
        self.now: int | None = None

    def fold_highs(self, slices: list[Slice]) -> Array:
        """SLACK d and ORDERED: the running maximum less d; with substreams, the smallest of theirs."""
        self._hear(slices)
        if not self.generating.per_source:
            return self._fold_one_source(slices)
        start = {name: source.high for name, source in self.sources.items() if self._live(name)}
        before, found = self.frontier, []
        for piece in slices:
            names = one_chunk(piece.rows[SOURCE]).to_pylist() if piece.rows.num_rows else []
            carried = {name: self.sources[name].high if name in self.sources else self.axis.nothing_yet for name in set(names)}
            own = np.array([carried[name] for name in names], self.axis.dtype)
            others = {name: self._smallest(start, name) for name in set(names)}
            limit = np.array([others[name] for name in names], self.axis.dtype)
            found.append(np.maximum(before, np.minimum(self._less(np.maximum(own, self._local(piece))), limit)))
            for name, high in piece.highs.items():
                source = self.sources.setdefault(name, SubstreamProgress(self.axis.nothing_yet))
                source.high, source.heard = max(source.high, high), piece.now
        live = [self._less(source.high) for name, source in self.sources.items() if self._live(name)]
        self.frontier = max([before, *([min(live)] if live else [])])
        if not self.generating.lasting_sources:
            self.sources.clear()
        return np.concatenate(found) if found else np.zeros(0, self.axis.dtype)

    def _fold_one_source(self, slices: list[Slice]) -> Array:
        source = self.sources.setdefault("", SubstreamProgress(self.axis.nothing_yet))
        found = []
        for piece in slices:
            self.starts.append(self.frontier)
            if piece.rows.num_rows:
                reached = np.maximum(self.frontier, self._less(np.maximum(self._local(piece), source.high)))
                found.append(np.broadcast_to(reached, piece.rows.num_rows))
            source.high = max([source.high, *piece.highs.values()])
            self.frontier = max(self.frontier, self._less(source.high))
        return np.concatenate(found).astype(self.axis.dtype) if found else np.zeros(0, self.axis.dtype)

    def _local(self, piece: Slice) -> Any:
        """The running maximum of the slice before each tuple; of one in order it makes no tuple late, and was not sent."""
        return np.asarray(one_chunk(piece.rows[HIGH])) if HIGH in piece.rows.column_names else self.axis.nothing_yet

    def fold_sequences(self, slices: list[Slice]) -> Array:
        """Controllers: every shard walks through the whole sequence; with substreams, the smallest frontier of theirs."""
        self._hear(slices)
        start = {name: one.frontier for name, one in self.controllers.items() if self._live(name)}
        before, found = self.frontier, []
        self.paths = []
        for piece in slices:
            own = self._run(piece)
            limit = min((x for name, x in start.items() if name != piece.source), default=self.axis.everything)
            reached = own.between(before, limit)
            if reached is not own and len(piece.sequenced):  # its controller has counted what is below its own frontier
                self.controllers[piece.source].late += len(reached.late()) - len(own.late())
            self.starts.append(reached.first)
            self.paths.append(reached)
            if piece.kept is not None:
                late = reached.late()
                late = late[piece.kept[late]]
                self.late.append((reached.places(late), reached.before(late)))
            if piece.rows.num_rows:
                found.append(reached.before(np.asarray(one_chunk(piece.rows[SEQUENCE_NUMBER]))))
        live = [one.frontier for name, one in self.controllers.items() if self._live(name)]
        self.frontier = max([before, *([min(live)] if live else [])])
        if not self.generating.lasting_sources:
            self.sources.clear()
            self.controllers.clear()
        return np.concatenate(found) if found else np.zeros(0, self.axis.dtype)

    def _run(self, piece: Slice) -> FrontierPath:
        """The frontiers of a slice's own substream. One that has not had a value yet is none."""
        if len(piece.sequenced):
            self.sources.setdefault(piece.source, SubstreamProgress(self.axis.nothing_yet)).heard = piece.now
            return self._controller(piece.source).judge(piece.sequenced, self._arrival(piece))
        known = self.controllers.get(piece.source)
        frontier = self.axis.nothing_yet if known is None else known.frontier
        return WrittenFrontiers(piece.sequenced, np.array([frontier], self.axis.dtype))

    def _controller(self, source: str) -> Controller:
        if source not in self.controllers:
            assert self.generating.control is not None
            self.controllers[source] = controller_of(
                self.generating.control, self.axis, self.generating.step, timed=self.generating.timed
            )
        return self.controllers[source]

    def _arrival(self, piece: Slice) -> Array | None:
        return None if piece.arrival is None else unpacked(piece.arrival)

    def hear_inputs(self, slices: list[Slice], x: Array) -> None:
        """Of several operators below, the slowest counts. One that has not been heard of holds all others up; one that is idle
        does not, and if all are, what any has promised counts."""
        of, idle = _told(slices, INPUT, np.int64), _told(slices, IDLE, bool)
        for n in range(self.generating.inputs):
            source = self.sources.setdefault(str(n), SubstreamProgress(self.axis.nothing_yet))
            if (of == n).any():
                source.high, source.idle = max(source.high, x[of == n].min()), bool(idle[of == n].all())
        live = [source.high for source in self.sources.values() if not source.idle]
        self.frontier = max(self.frontier, min(live) if live else max(source.high for source in self.sources.values()))

    def all_idle(self, slices: list[Slice]) -> bool:
        """Whether all operators below are idle."""
        if self.generating.inputs > 1:
            return all(source.idle for source in self.sources.values())
        idle = _told(slices, IDLE, bool)
        return len(idle) > 0 and bool(idle.all())

    def _hear(self, slices: list[Slice]) -> None:
        self.now = max((piece.now for piece in slices if piece.now is not None), default=None)

    def _live(self, name: str) -> bool:
        """Whether a substream is not passed over as silent."""
        source, idle = self.sources.get(name), self.generating.idle_after
        if idle is None or source is None or source.heard is None or self.now is None:
            return True
        return self.now - source.heard <= idle

    def _smallest(self, highs: dict[str, Any], but: str) -> Any:
        return min((self._less(high) for name, high in highs.items() if name != but), default=self.axis.everything)

    def _less(self, high: Any) -> Any:
        """The maximum less the slack; nothing yet stays so."""
        nothing = self.axis.nothing_yet
        return np.where(high <= nothing, nothing, high - self.generating.slack)

    def about(self) -> dict[str, Any] | None:
        """How far they have come, and which is behind all others; and what the controllers have to tell."""
        if self.controllers:
            return report(list(self.controllers.values()), self.frontier, self.axis) | self._behind()
        newest = max((plain(source.high) for source in self.sources.values()), default=None)
        if newest is None:
            return requested(self.generating.control) or None
        return distance(newest, self.frontier, self.axis) | self._behind()

    def details(self) -> dict[str, Any]:
        """The progress of each substream, those farthest behind first, and the delay that other ratios of DRATIO would cost."""
        found = tradeoff(list(self.controllers.values()), self.axis)
        if self.generating.per_source and self.sources:
            reached = {name: one.frontier for name, one in self.controllers.items()} or {
                name: plain(self._less(one.high)) for name, one in self.sources.items()
            }
            some = sorted(reached, key=lambda name: reached[name])
            found["substreams"] = [self._detail(name, reached[name]) for name in (*some[: MOST - 5], *some[MOST - 5 :][-5:])]
            found["substreams_in_all"] = len(reached)
        return found

    def _detail(self, name: str, frontier: Any) -> dict[str, Any]:
        """One substream. `heard` is the clock when it last sent a tuple, `now` the clock of the last micro-batch."""
        source, controller = self.sources[name], self.controllers.get(name)
        newest = plain(source.high) if controller is None else controller.high
        counts = {} if controller is None else {"seen": controller.seen, "late": controller.late}
        live = {"heard": source.heard, "now": self.now, "idle": not self._live(name)}
        return {"name": name, **distance(newest, frontier, self.axis), **counts, **live}

    def _behind(self) -> dict[str, Any]:
        """The substream that windows wait for, where there are several."""
        reached = {name: one.frontier for name, one in self.controllers.items()} or {
            n: one.high for n, one in self.sources.items()
        }
        live = [name for name in reached if self._live(name)]
        return {"behind": min(live, key=lambda name: reached[name])} if self.generating.per_source and len(live) > 1 else {}

    def to_json(self) -> dict[str, Any]:
        """What is carried to the next micro-batch."""
        return {
            "frontier": plain(self.frontier),
            "sources": {name: [plain(source.high), source.heard, source.idle] for name, source in self.sources.items()},
            "controllers": {name: controller.to_json() for name, controller in self.controllers.items()},
        }

    def from_json(self, kept: dict[str, Any]) -> None:
        self.frontier = kept["frontier"]
        self.sources = {name: SubstreamProgress(*about) for name, about in kept["sources"].items()}
        for name, one in kept["controllers"].items():
            self._controller(name).from_json(one)


def _told(slices: list[Slice], name: str, kind: Any) -> Array:
    """A column of all promises."""
    given = [piece.promises[name] for piece in slices if piece.promises is not None and piece.promises.num_rows]
    return np.concatenate([np.asarray(one_chunk(one), kind) for one in given]) if given else np.zeros(0, kind)
