"""`self.inwindow` of a Python class: the tuples of its window, to be read and deleted, not written."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, NoReturn

from transom.errors import ReadOnlyTable

_append, _popleft = deque.append, deque.popleft


def read_only(name: str, given: str) -> ReadOnlyTable:
    """The refusal of a write."""
    return ReadOnlyTable(
        f"{name} does not write to inwindow",
        given=given,
        exists=["remove", "popleft", "pop", "clear", "del"],
        remedy="tuples may be deleted from inwindow; the system inserts them",
    )


Stay = tuple[int, Any]
"""The number of a tuple in a window, and its place."""


class InWindow(deque[Any]):
    """Tuples, oldest first. What is deleted takes its number and its place along, and so never expires."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.stays: deque[Stay] = deque()

    def enter(self, row: Any, stay: Stay) -> None:
        """A tuple comes."""
        _append(self, row)
        self.stays.append(stay)

    def leave(self, stay: Stay) -> None:
        """The oldest tuple has expired; the class may have deleted it meanwhile."""
        stays = self.stays
        if stays and stays[0] is stay:
            stays.popleft()
            _popleft(self)

    def starts_with(self, number: int) -> bool:
        """Whether the oldest tuple is that of this number."""
        return bool(self) and self.stays[0][0] == number

    # -- deletes ---------------------------------------------------------------------------------------------

    def __delitem__(self, at: Any) -> None:
        super().__delitem__(at)
        del self.stays[at]

    def remove(self, value: Any) -> None:
        del self[self.index(value)]

    def popleft(self) -> Any:
        self.stays.popleft()
        return _popleft(self)

    def pop(self) -> Any:  # type: ignore[override]
        self.stays.pop()
        return super().pop()

    def clear(self) -> None:
        super().clear()
        self.stays.clear()

    # -- copies, which are the class's own -------------------------------------------------------------------

    def copy(self) -> deque[Any]:  # type: ignore[override]
        return deque(self)

    __copy__ = copy  # type: ignore[assignment]

    def __add__(self, other: Iterable[Any]) -> deque[Any]:  # type: ignore[override]
        return deque((*self, *other))

    def __mul__(self, times: int) -> deque[Any]:  # type: ignore[override]
        return self.copy() * times

    __rmul__ = __mul__  # type: ignore[assignment]

    # -- writes ----------------------------------------------------------------------------------------------

    def _refuse(self, *given: Any) -> NoReturn:
        raise read_only(self.name, f"a write of {', '.join(map(repr, given))}"[:80])

    append = appendleft = extend = extendleft = insert = rotate = reverse = _refuse
    __setitem__ = __iadd__ = __imul__ = _refuse
