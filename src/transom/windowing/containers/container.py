"""A window that runs: tuples go in, handlers are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from heapq import heappop
from itertools import chain
from time import time_ns
from typing import Any, NoReturn

from transom.errors import OperatorFailed, ReadOnlyWindow
from transom.windowing.clock import Clock, SystemClock, instant, reader
from transom.windowing.containers.agenda import Agenda, fire_later, planned
from transom.windowing.containers.container_code import ContainerProgram, program
from transom.windowing.containers.failing import is_refusal, traced
from transom.windowing.containers.partitions import Partitions
from transom.windowing.containers.places import Places
from transom.windowing.containers.saved import Saved, pack, unpack
from transom.windowing.containers.shape import Shape
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.events import check_summarizer, subscriptions
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.limits import Age, Most
from transom.windowing.policies.policy import Count, Delta, Time

Summarizer = Callable[[], Any]
"""Makes an object with `open(partition)`, `insert(tuple)` and `close()`."""


class Container:
    """Made by `container(...)` of a configuration, see there.

    `now` is the time in microseconds, `outside` counts tuples whose delta attribute is NULL or no number, which are in no window.
    """

    def __init__(
        self,
        configuration: Configuration,
        handler: object,
        *,
        clock: Clock | None = None,
        summarizer: Summarizer | None = None,
        port: str = "in",
        name: str | None = None,
        tracks: bool = False,
    ) -> None:
        self.configuration = configuration
        self.port = port
        self.name = name or getattr(handler, "__name__", None) or type(handler).__name__
        self.now = 0
        self.outside = 0
        self._handlers = subscriptions(handler, configuration)
        check_summarizer(summarizer)
        self._summarizer = summarizer if configuration.tumbles else None
        self._read = reader(clock) if configuration.reads_clock else None
        self._deltas = [Places(policy) if isinstance(policy, Delta) else None for policy in configuration.policies]
        self._agenda: Agenda = []
        self._partitions = Partitions(configuration, self._handlers, self.name, port, self._summarizer is not None)
        limit = configuration.limit
        plain = replace(configuration, limit=replace(limit, select="lru")) if isinstance(limit, Most) else configuration
        self._shape = Shape(
            plain,
            frozenset(self._handlers),
            summarizes=self._summarizer is not None,
            clock=self._fast_clock[1],
            tracks=tracks,
        )
        self._halted: str | None = None
        self._knows_tuples = False
        self._start(self._shape)

    def _start(self, shape: Shape) -> None:
        self._program: ContainerProgram = program(shape)
        self._run_code = self._program.functions(self._given())
        self._extend = self._run_code["extend"]

    def _given(self) -> dict[str, Any]:
        """The names that the program uses."""
        evict, trigger = self.configuration.evict, self.configuration.trigger
        limit, partitions = self.configuration.limit, self._partitions
        fires = trigger if isinstance(trigger, Time) else evict
        return {
            **self._handlers,
            "c": self,
            "store": partitions,
            "touch": partitions.touched.add,
            "whole": partitions.whole,
            "partitions": partitions.by_key,
            "agenda": self._agenda,
            "crowd": partitions.crowd,
            "open": partitions.open,
            "spare": partitions.spare,
            "leave": partitions.leave,
            "read": self._fast_clock[0],
            "fire_later": fire_later(self._agenda, fires.length.micros) if isinstance(fires, Time) else None,
            "summarizer": self._summarizer,
            "n": evict.n if isinstance(evict, Count) else None,
            "d": self._deltas[0].threshold if self._deltas[0] else None,
            "m": trigger.n if isinstance(trigger, Count) else self._deltas[-1].threshold if self._deltas[-1] else None,
            "period": evict.length.micros if isinstance(evict, Time) else None,
            "most": limit.most if isinstance(limit, Most) else None,
            "age": limit.length.micros if isinstance(limit, Age) else None,
            "places": self._deltas[0],
            "turns": self._deltas[-1],
        }

    @property
    def _fast_clock(self) -> tuple[Callable[[], int] | None, str | None]:
        """What the program calls to read the clock, and how: the machine's without a detour."""
        if self._read is SystemClock.micros:
            return time_ns, "read() // 1000"
        return self._read, None if self._read is None else "read()"

    @property
    def code(self) -> str:
        """The Python that runs for each tuple, and on the clock, in this configuration with these subscriptions."""
        return self._program.text

    # Tuples, clock, punctuation

    def insert(self, t: Any) -> None:
        """Take one tuple."""
        self.extend((t,))

    def extend(self, tuples: Iterable[Any]) -> None:
        """Take tuples in the order given; for many, this is faster than `insert`."""
        if not self._knows_tuples:
            tuples = self._look_at_first(tuples)
        if self._halted is not None:
            self._check_may_run()
        self._halted = "running"
        try:
            self._extend(tuples)
        except Exception as error:
            self._stop(error)
        self._halted = None

    def tick(self, now: datetime | int | None = None) -> None:
        """Do what is due on the clock. Without `now`, the clock is read; time does not run back."""
        if now is None and self._read is not None:
            now = self._read()
        if now is not None and self.configuration.reads_clock:
            self._call("run", max(self.now, instant(now)))

    def punctuate(self) -> None:
        """A window punctuation has come: windows that end there are flushed."""
        self._call("punctuate")

    def drain(self) -> int:
        """The input has ended. Nothing is flushed or triggered; returns how many tuples are left in windows."""
        self._check_may_run()
        self._halted = "drained"
        return len(self)

    def _call(self, what: str, *arguments: Any) -> None:
        if self._halted is not None:
            self._check_may_run()
        self._halted = "running"
        try:
            self._run_code[what](*arguments)
        except Exception as error:
            self._stop(error)
        self._halted = None

    def _stop(self, error: Exception) -> NoReturn:
        """Something was raised: say where, and take no more if a handler was at fault."""
        cause = traced(self.name, error, self._program.name, self._program.does)
        self._halted = None if is_refusal(error, self._program.name, self._program.does) else "failed"
        if cause is None or cause is error:
            raise error
        raise cause from error

    def _check_may_run(self) -> None:
        if self._halted == "running":
            raise ReadOnlyWindow("a handler called its own window", given=self.name, remedy="emit rows, and feed them elsewhere")
        if self._halted is not None:
            raise OperatorFailed(f"this window has {self._halted}", given=self.name, remedy="restore a snapshot into a new one")

    def _look_at_first(self, tuples: Iterable[Any]) -> Iterable[Any]:
        """Find out whether tuples are dictionaries."""
        arriving = iter(tuples)
        for first in arriving:
            self._knows_tuples = True
            if isinstance(first, Mapping):
                self._start(replace(self._shape, mapping=True))
            return chain((first,), arriving)
        return ()

    # Partitions

    @property
    def partitions(self) -> list[Any]:
        """The partitions there are, in the order in which they opened."""
        return list(self._partitions.by_key)

    def window(self, partition: Any = None) -> Subwindow:
        """The window of a partition, to read; an empty one if there is no such partition."""
        return self._partitions.window(partition)

    def __iter__(self) -> Iterator[Subwindow]:
        return (p.window for p in self._partitions.by_key.values())

    def __len__(self) -> int:
        return sum(len(window) for window in self)

    @property
    def disordered(self) -> int:
        """How often a delta attribute went back, and counted as not moved."""
        return sum(places.back for places in self._deltas if places is not None)

    @property
    def due(self) -> int | None:
        """The next instant at which the clock causes something; None if nothing is planned."""
        if self._shape.evicts_at_once:
            stamps, evict = self._partitions.whole.stamps, self.configuration.evict
            return stamps[0] + evict.length.micros + 1 if stamps and isinstance(evict, Time) else None
        while self._agenda and self._agenda[0][3].gone:
            heappop(self._agenda)
        return self._agenda[0][0] if self._agenda else None

    def dues(self) -> dict[Any, int]:
        """For each partition, the next instant at which the clock causes something in it."""
        found: dict[Any, int] = {}
        for at, _, _, p in self._agenda:
            if not p.gone:
                found[p.key] = min(at, found.get(p.key, at))
        return found

    # State

    @property
    def touched(self) -> set[Any]:
        """The partitions that have changed since the last snapshot, and those that are gone; collected with `tracks=True`."""
        return self._partitions.changed()

    @property
    def _fingerprint(self) -> str:
        return f"{self.configuration} {', '.join(sorted(self._handlers))}{' summarized' if self._summarizer else ''}"

    def snapshot(self, only: Iterable[Any] | None = None) -> Saved:
        """The state, in bytes; of some partitions alone if `only` names them."""
        if self._halted in ("running", "failed"):
            self._check_may_run()
        partitions = self._partitions
        keys = list(partitions.by_key) if only is None else [key for key in only if key in partitions.by_key]
        places = [None if one is None else (one.back, one.most) for one in self._deltas]
        header = (self.now, self.outside, partitions.arrived, partitions.opened, places)
        partitions.forget_changed()
        return pack(self.name, self._fingerprint, header, {key: partitions.by_key[key].saved() for key in keys})

    def restore(self, saved: Saved) -> None:
        """Resume from a snapshot of a container with the same configuration and subscriptions."""
        header, states = unpack(saved, self._fingerprint)
        partitions = self._partitions
        self.now, self.outside, partitions.arrived, partitions.opened, kept = header
        for places, state in zip(self._deltas, kept, strict=True):
            if places is not None:
                places.back, places.most = state
        self._halted = None
        partitions.forget_changed()
        partitions.load(states.values())
        evict = self.configuration.evict
        expires = evict.length.micros if isinstance(evict, Time) and not self.configuration.tumbles else None
        self._agenda[:] = planned(partitions.by_key.values(), expires)
