"""A handler that writes down every event it subscribes to, and a driver for histories."""

from __future__ import annotations

from typing import Any

from transom.windowing import ByTicks
from transom.windowing.containers.container import Container
from transom.windowing.events import EVENTS
from transom.windowing.tumbling_and_sliding import WindowKind

ALL = tuple(event for event in EVENTS if event != "on_partition_selection")


def recorder(events: tuple[str, ...] = ALL) -> Any:
    """An object with a method for each of these events; `log` has what happened."""

    def method(event: str) -> Any:
        def handle(self: Any, window: Any, partition: Any, t: Any = None) -> None:
            assert window.partition == partition
            self.log.append((event, partition, t, tuple(window)))

        return handle

    made = type("Recorder", (), {event: method(event) for event in events})()
    made.log = []
    return made


def drive(container: Container, history: list[Any]) -> None:
    for kind, *what in history:
        if kind == "tuple":
            container.tick(what[0])
            container.insert(what[1])
        elif kind == "tick":
            container.tick(what[0])
        else:
            container.punctuate()


def recorded(kind: WindowKind, history: list[Any], events: tuple[str, ...] = ALL) -> list[Any]:
    handler = recorder(events)
    drive(kind.container(handler, clock=ByTicks()), history)
    return list(handler.log)
