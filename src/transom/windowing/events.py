"""The events of a window (seed 004, section 4.1.3), and which of them a handler subscribes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from transom.errors import BadOperator, WindowNotTaken, nearest
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Count

Handler = Callable[..., Any]

INSERTION = ("before_insertion", "after_insertion")
FLUSH = ("before_flush", "after_flush")
EVICTION = ("before_eviction", "after_eviction")
PARTITION = ("on_partition_eviction", "on_partition_selection")

TUMBLING = (*INSERTION, *FLUSH, *PARTITION)
SLIDING = (*INSERTION, *EVICTION, "on_trigger", "on_initial_full", *PARTITION)
EVENTS = (*INSERTION, *EVICTION, *FLUSH, "on_trigger", "on_initial_full", *PARTITION)
"""Handlers are called with the window, the partition and, around insertions and evictions, the tuple;
`on_partition_selection` is called with the list of windows to choose from."""


def subscriptions(handler: object, configuration: Configuration) -> dict[str, Handler]:
    """The events that can occur in such a window and that the handler has a method for.

    On a tumbling window `on_trigger` stands in for a missing `before_flush`: both mean that the window is processed.
    """
    if isinstance(handler, Mapping):
        found: dict[str, Handler] = dict(handler)
    elif any(hasattr(handler, event) for event in EVENTS):
        found = {event: getattr(handler, event) for event in EVENTS if callable(getattr(handler, event, None))}
    elif callable(handler):
        found = {"on_trigger": handler}
    else:
        found = {}
    check_names(handler, found)
    if configuration.tumbles and "on_trigger" in found:
        found.setdefault("before_flush", found["on_trigger"])
    occurring = TUMBLING if configuration.tumbles else SLIDING
    wanted = {event: method for event, method in found.items() if event in occurring}
    if configuration.evict == Count(0) and set(wanted) <= {"on_trigger", "on_initial_full"} and wanted:
        raise WindowNotTaken(
            f"{_name(handler)} processes windows, and a window that holds nothing is never processed",
            given=str(configuration),
            remedy="count 1 or more, or react to insertions",
        )
    if not wanted:
        raise BadOperator(
            f"nothing reacts to the events of a {configuration.kind} window",
            given=_name(handler),
            exists=occurring,
            remedy="define a method of one of these names",
        )
    return wanted


def check_names(handler: object, found: Mapping[str, Handler]) -> None:
    """No method looks like an event that there is not."""
    names = found if isinstance(handler, Mapping) else [name for name in dir(type(handler)) if name.startswith(PREFIXES)]
    for name in names:
        if name not in EVENTS:
            raise BadOperator("there is no such event", given=name, exists=EVENTS, remedy=nearest(name, EVENTS))


def check_summarizer(summarizer: object) -> None:
    """A class of summaries has the methods of one; what a function makes is seen when it is called."""
    if summarizer is None or (callable(summarizer) and not isinstance(summarizer, type)):
        return
    missing = [name for name in SUMMARIZING if not callable(getattr(summarizer, name, None))]
    if missing or not isinstance(summarizer, type):
        raise BadOperator(
            "this makes no summaries" + (f": it lacks {', '.join(missing)}" if isinstance(summarizer, type) else ""),
            given=getattr(summarizer, "__name__", repr(summarizer)),
            exists=SUMMARIZING,
            remedy="give a class with open(partition), insert(t) and close()",
        )


SUMMARIZING = ("open", "insert", "close")
PREFIXES = ("before_", "after_", "on_")


def _name(handler: object) -> str:
    return getattr(handler, "__name__", None) or type(handler).__name__
