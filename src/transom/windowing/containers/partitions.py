"""The partitions of a container: opened, reused, limited, saved. A window without partitions is one, with the key None."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from transom.windowing.containers.crowd import Crowd
from transom.windowing.containers.partition import Partition
from transom.windowing.containers.subwindow import Subwindow, Summarized
from transom.windowing.policies.configuration import Configuration

NAN = float("nan")


class Partitions:
    """Partitions by key. `opened` numbers them, `arrived` numbers their tuples where they are limited."""

    def __init__(
        self,
        configuration: Configuration,
        handlers: Mapping[str, Callable[..., Any]],
        name: str,
        port: str,
        summarized: bool,
    ) -> None:
        self.by_key: dict[Any, Partition] = {}
        self.spare: list[Partition] = []
        self.touched: set[Any] = set()
        self.opened = 0
        self.arrived = 0
        self._port = port
        self._view = Summarized if summarized else Subwindow
        self._keyed = bool(configuration.keys)
        self.whole = self._make(None)
        if not self._keyed:
            self.by_key[None] = self.whole
        self.crowd = None
        if configuration.limit is not None:
            self.crowd = Crowd(configuration.limit, self.by_key, handlers, name)

    def _make(self, key: Any) -> Partition:
        p = Partition(key, self.opened)
        p.window = self._view(p, self._port)
        return p

    def open(self, key: Any, at: int = 0) -> Partition:
        """A partition for a key that was not found."""
        key = with_one_nan(key)
        if key in self.by_key:
            return self.by_key[key]
        self.opened += 1
        if self.spare:
            p = self.spare.pop()
            p.key, p.serial = key, self.opened
        else:
            p = self._make(key)
        self.by_key[key] = p
        if self.crowd is not None:
            self.crowd.join(p, at)
        return p

    def leave(self, p: Partition) -> None:
        """The tuple is in no window; a partition that was opened for it alone is none either."""
        if p.reached is None and p.passed is None:
            p.gone = True
            del self.by_key[p.key]

    def window(self, key: Any) -> Subwindow:
        """The window of a partition; an empty one if there is no such partition."""
        p = self.by_key.get(with_one_nan(key))
        return p.window if p is not None else self._make(key).window

    def changed(self) -> set[Any]:
        """The keys that were touched, and those that are gone."""
        return self.touched | (self.crowd.evicted if self.crowd is not None else set())

    def forget_changed(self) -> None:
        self.touched.clear()
        if self.crowd is not None:
            self.crowd.evicted.clear()

    def load(self, saved: Iterable[tuple[Any, ...]]) -> None:
        """Take over partitions that were saved, in the order in which they opened."""
        if not self._keyed:
            (state,) = saved
            self.whole.load(state)
            return
        self.by_key.clear()
        loaded = []
        for state in saved:
            p = self._make(None)
            p.load(state)
            p.key = with_one_nan(p.key)
            loaded.append(p)
        for p in sorted(loaded, key=lambda p: p.serial):
            self.by_key[p.key] = p
        if self.crowd is not None:
            self.crowd.refill(loaded)


def with_one_nan(key: Any) -> Any:
    """A key in which NaN is always the same object: NaN is one key, though it does not equal itself."""
    if isinstance(key, tuple):
        return tuple([with_one_nan(one) for one in key])
    return NAN if isinstance(key, float) and key != key else key
