"""The tuples of one partition as a handler sees them: to read, not to change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from transom.errors import BadOperator, ReadOnlyWindow
from transom.windowing.attributes import record

if TYPE_CHECKING:
    from transom.windowing.containers.partition import Partition

CHANGES = ("append", "appendleft", "clear", "extend", "insert", "pop", "popleft", "remove", "reverse", "rotate", "sort")


class Subwindow:
    """A window, oldest tuple first. It stays the same object, and shows the tuples that are there when it is looked at.

    >>> from transom.windowing import sliding, count
    >>> class Show:
    ...     def on_trigger(self, window, partition):
    ...         print(len(window), window.oldest, window.newest, list(reversed(window)))
    >>> sliding(count(3), count(2)).container(Show()).extend([1, 2, 3, 4])
    2 1 2 [2, 1]
    3 2 4 [4, 3, 2]
    """

    __slots__ = ("_of", "_tuples", "port")

    port: str

    def __init__(self, of: Partition, port: str) -> None:
        place = object.__setattr__
        place(self, "_of", of)
        place(self, "_tuples", of.tuples)
        place(self, "port", port)

    @property
    def partition(self) -> Any:
        """The value of the partition-by attribute, a tuple if they are several, None without partitions."""
        return self._of.key

    @property
    def state(self) -> dict[str, Any]:
        """What an operator keeps of this partition. Saved with it; dropped with it, or at the flush of a tumbling window."""
        of: Partition = self._of
        if of.state is None:
            of.state = {}
        return of.state

    @property
    def summary(self) -> Any:
        """The summarizer of this window; None where tuples are kept."""
        return self._of.summary

    @property
    def is_full(self) -> bool:
        """Whether the eviction policy of a sliding window has applied once; kept only with `initial full`."""
        return self._of.full

    @property
    def updates(self) -> int:
        """How many tuples the partition has had; counted only where partitions are limited."""
        return self._of.updates

    @property
    def oldest(self) -> Any:
        return self._tuples[0]

    @property
    def newest(self) -> Any:
        return self._tuples[-1]

    def __len__(self) -> int:
        return len(self._tuples)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._tuples)

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._tuples)

    def __getitem__(self, index: int) -> Any:
        return self._tuples[index]

    def to_arrow(self) -> Any:
        """The tuples as a `pyarrow.Table`, a column for each attribute."""
        import pyarrow

        return pyarrow.Table.from_pylist([record(t) for t in self])

    def to_pandas(self) -> Any:
        """The tuples as a `pandas.DataFrame`, a column for each attribute."""
        import pandas

        return pandas.DataFrame.from_records([record(t) for t in self])

    def __getattr__(self, name: str) -> NoReturn:
        if name in CHANGES:
            self._refuse(name)
        raise AttributeError(f"a window has no {name!r}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        self._refuse(f"{name} = ...")

    def __setitem__(self, index: int, value: object) -> NoReturn:
        self._refuse(f"[{index}] = ...")

    def __delitem__(self, index: int) -> NoReturn:
        self._refuse(f"del [{index}]")

    def __repr__(self) -> str:
        return f"<window of {len(self)} tuples, partition {self.partition!r}>"

    @staticmethod
    def _refuse(change: str) -> NoReturn:
        raise ReadOnlyWindow("policies alone change a window", given=change, remedy="keep what you need in window.state")


class Summarized(Subwindow):
    """A window of which only a summary is kept."""

    __slots__ = ()

    def __len__(self) -> int:
        return self._of.size

    def __iter__(self) -> Iterator[Any]:
        self._only_a_summary()

    def __reversed__(self) -> Iterator[Any]:
        self._only_a_summary()

    def __getitem__(self, index: int) -> Any:
        self._only_a_summary()

    @property
    def oldest(self) -> Any:
        self._only_a_summary()

    @property
    def newest(self) -> Any:
        self._only_a_summary()

    @staticmethod
    def _only_a_summary() -> NoReturn:
        raise BadOperator("a summarized window keeps no tuples", remedy="read window.summary, or leave the summarizer out")
