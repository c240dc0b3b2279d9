"""An operator with a window on each input port, running in plain Python."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from transom.errors import BadOperator, NotPicklable, nearest
from transom.windowing.clock import ByTicks, Clock, instant, reader
from transom.windowing.containers.container import Container
from transom.windowing.containers.saved import Saved
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.events import check_names, subscriptions
from transom.windowing.operator.given import check_operator, windows_by_port
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.outlets import PUNCTUATION, Outlets
from transom.windowing.operator.ports import Preserving, inputs_of, outputs_of
from transom.windowing.policies.configuration import Configuration

Windows = Configuration | Mapping[str, Configuration]


@dataclass(frozen=True)
class SavedRun:
    """A snapshot of an operator: its windows, its own state, and what it has emitted that nobody has taken."""

    windows: Mapping[str, Saved]
    own: bytes


class OperatorRun:
    """Runs an operator: tuples, ticks and punctuation go in, rows are taken out.

    `window` is the configuration of the input port, or configurations by port.

    >>> class Count(Operator):
    ...     gives = "k STRING, n BIGINT"
    ...     def on_trigger(self, window, partition):
    ...         self.emit(partition, len(window))
    >>> from transom.windowing import count, sliding
    >>> run = OperatorRun(Count(), sliding(count(2), count(1)).partitioned_by("k"))
    >>> run.extend([{"k": "a"}, {"k": "b"}, {"k": "a"}])
    >>> run.rows()
    [Row(k='a', n=1), Row(k='b', n=1), Row(k='a', n=2)]
    """

    def __init__(self, operator: Operator, window: Windows, *, clock: Clock | None = None, tracks: bool = False) -> None:
        check_operator(operator)
        self.operator = operator
        self.name = type(operator).__name__
        self.state: dict[str, Any] = {}
        self.ports = inputs_of(operator.takes)
        outputs = outputs_of(operator.gives)
        self.outlets = Outlets(self.name, outputs)
        windows = windows_by_port(operator, window)
        for name, port in self.ports.items():
            port.check(windows[name], f"port {name!r} of {self.name}")
        operator.check_windows(windows)
        check_names(operator, {})
        self._containers: dict[str, Container] = {}
        alone = len(windows) == 1
        for name, configuration in windows.items():
            self._containers[name] = Container(
                configuration,
                self._handlers(configuration),
                clock=clock if alone else ByTicks(),
                summarizer=operator.summarizer,
                port=name,
                name=self.name,
                tracks=tracks,
            )
        self._only = self._containers[next(iter(windows))] if alone else None
        clocked = any(configuration.reads_clock for configuration in windows.values())
        self._read = reader(clock) if clocked and not alone else None
        _check_outputs(operator, outputs, list(self.ports), self._processes)
        operator.attach(self)

    def _handlers(self, configuration: Configuration) -> dict[str, Callable[..., Any]]:
        """The operator's methods; outputs are punctuated after the one that processes a window."""
        found = subscriptions(self.operator, configuration)
        for event in ("on_trigger", "before_flush"):
            if event in found and event in (("before_flush",) if configuration.tumbles else ("on_trigger",)):
                found[event] = self._punctuated(found[event])
        return found

    def _punctuated(self, process: Callable[..., Any]) -> Callable[..., Any]:
        processed = self.outlets.processed

        def handle(window: Any, partition: Any) -> None:
            process(window, partition)
            processed()

        return handle

    @property
    def _processes(self) -> bool:
        return any(hasattr(self.operator, event) for event in ("on_trigger", "before_flush"))

    def container(self, port: str | None = None) -> Container:
        """The window of an input port, which a single one need not name."""
        found = self._only if port is None else self._containers.get(port)
        if found is None:
            raise BadOperator(
                f"{self.name} has no such input port",
                given=repr(port),
                exists=self._containers,
                remedy="say which: port=..." if port is None else nearest(port, self._containers),
            )
        return found

    def window(self, port: str, partition: Any = None) -> Subwindow:
        """The window of a partition at an input port, to read; empty if there is no such partition."""
        return self.container(port).window(partition)

    def insert(self, t: Any, port: str | None = None) -> None:
        """Take a tuple at an input port."""
        if self._read is not None:
            self._advance(self._read())
        self.container(port).extend((t,))

    def extend(self, tuples: Iterable[Any], port: str | None = None) -> None:
        """Take tuples at an input port, in order."""
        container = self.container(port)
        if self._read is None:
            container.extend(tuples)
            return
        for t in tuples:
            self._advance(self._read())
            container.insert(t)

    def feed(self, items: Iterable[Any], port: str | None = None) -> None:
        """Take what another operator has given: rows and punctuations."""
        for item in items:
            if item is PUNCTUATION:
                self.punctuate(port)
            else:
                self.insert(item, port)

    def punctuate(self, port: str | None = None) -> None:
        """A window punctuation has come in at a port."""
        container = self.container(port)
        container.punctuate()
        self.outlets.passed(container.port)

    def tick(self, now: datetime | int | None = None) -> None:
        """Do what is due on the clock at all ports."""
        if len(self._containers) == 1:
            self.container().tick(now)
        elif now is not None:
            self._advance(instant(now))
        elif self._read is not None:
            self._advance(self._read())

    def _advance(self, now: int) -> None:
        """Let the clock run at all ports together, instant by instant: what one sees of another is as old as itself."""
        containers = list(self._containers.values())
        while True:
            dues = [due for container in containers if (due := container.due) is not None and due <= now]
            if not dues:
                break
            for container in containers:
                if container.due == min(dues):
                    container.tick(min(dues))
        for container in containers:
            container.tick(now)

    @property
    def due(self) -> int | None:
        """The next instant at which the clock causes something; None if nothing is planned."""
        return min((due for container in self._containers.values() if (due := container.due) is not None), default=None)

    def drain(self) -> int:
        """The inputs have ended. Nothing is flushed or triggered; returns how many tuples are left in windows."""
        return sum(container.drain() for container in self._containers.values())

    def take(self, port: str | None = None) -> list[Any]:
        """What an output port has, rows and punctuations, which it then has no longer."""
        return self.outlets.find(port).take()

    def rows(self, port: str | None = None) -> list[Any]:
        """The same without punctuations."""
        return [item for item in self.take(port) if item is not PUNCTUATION]

    @property
    def touched(self) -> set[Any]:
        """The partitions that have changed at any port, or are gone, since the last snapshot; collected with `tracks=True`."""
        return set().union(*(container.touched for container in self._containers.values() if container.configuration.keys))

    def snapshot(self, only: Iterable[Any] | None = None) -> SavedRun:
        """The state, in bytes; of some partitions alone if `only` names them, and of windows without partitions in any case."""
        keys = None if only is None else list(only)
        emitted = {name: outlet.items for name, outlet in self.outlets.by_name.items()}
        try:
            own = pickle.dumps((self.state, emitted))
        except Exception as error:
            raise NotPicklable(
                f"the state of {self.name} cannot be saved: {error}", given=repr(self.state)[:200], remedy="keep plain values"
            ) from error
        windows = {
            name: container.snapshot(keys if container.configuration.keys else None)
            for name, container in self._containers.items()
        }
        return SavedRun(windows, own)

    def restore(self, saved: SavedRun) -> None:
        """Resume from a snapshot of the same operator with the same windows."""
        for name, container in self._containers.items():
            container.restore(saved.windows[name])
        self.state, emitted = pickle.loads(saved.own)
        for name, outlet in self.outlets.by_name.items():
            outlet.items[:] = emitted[name]


def _check_outputs(operator: Operator, outputs: Mapping[str, Any], ports: list[str], processes: bool) -> None:
    name = type(operator).__name__
    for port, output in outputs.items():
        source = output.punctuation.port if isinstance(output.punctuation, Preserving) else None
        for mentioned in (source, output.like):
            if mentioned is not None and mentioned not in ports:
                raise BadOperator(
                    f"output {port!r} of {name} mentions an input that there is not",
                    given=mentioned,
                    exists=ports,
                    remedy=nearest(mentioned, ports),
                )
        if output.punctuation == "generating" and output.automatic and not processes:
            raise BadOperator(
                f"output {port!r} of {name} is punctuated after each processed window, and {name} processes none",
                given=str(output),
                exists=("on_trigger", "before_flush"),
                remedy='define one, or declare punctuation="free", preserving(port), or automatic=False and call punctuate()',
            )
