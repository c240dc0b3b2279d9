"""Classes that look at their window, and delete from it."""

from __future__ import annotations

from typing import Any

import pytest

import transom as tr
from tests.uda.on_kernels import BIDS, STREAM, check, rows_on_kernels
from transom.errors import (
    AggregateFailed,
    ReadOnlyTable,
)
from transom.fluent import Relation
from transom.fluent.python_aggregates import REGISTERED
from transom.testing import answer
from transom.uda.compile.drive import Drive
from transom.uda.run.kept_bytes import from_bytes, to_bytes
from transom.uda.run.python_aggregate import PythonProgram

DOOR = "CREATE STREAM door (code STRING, id STRING, t INT) ORDER BY t;"
PASSING = [
    ("item", "a", 0),
    ("ap", "p", 2),
    ("item", "d", 10),
    ("item", "x", 11),
    ("ap", "q", 12),
    ("item", "late", 30),
    ("ap", "z", 40),
]


def remove_each(window: Any) -> None:
    for one in [one for one in window if one[0] == "item"]:
        window.remove(one)


def remove_by_index(window: Any) -> None:
    for at in reversed(range(len(window))):
        if window[at][0] == "item":
            del window[at]


@pytest.mark.parametrize("delete", [remove_each, remove_by_index])
def test_what_a_class_deletes_from_its_window_never_expires(delete: Any) -> None:
    """Example 18 of seed 003, as the library has it."""

    @tr.aggregate(returns="STRING")
    class alarm:  # noqa: N801
        def initialize(self, code: str, name: str) -> None: ...

        def iterate(self, code: str, name: str) -> None:
            if code == "ap":
                delete(self.inwindow)  # type: ignore[attr-defined]
            elif any(one[0] == "ap" for one in self.inwindow):  # type: ignore[attr-defined]
                self.inwindow.pop()  # type: ignore[attr-defined]

        def expire(self) -> Any:
            code, name = self.oldest()  # type: ignore[attr-defined]
            return name if code == "item" else None

    for name in ("exit_alarm", "alarm"):
        over = "OVER (RANGE 5 PRECEDING ACTIVE EXPIRATION)"
        check(
            tr.sql(f"{DOOR} SELECT {name}(code, id) {over} AS y, id, event_ts AS at FROM door;"), [("late", "late", 35)], PASSING
        )


def falling(frame: str, *, delete: Any) -> Relation:
    """The largest price of the window: those before a larger one are deleted."""

    class largest:  # noqa: N801
        def initialize(self, x: float) -> float:
            return x

        def iterate(self, x: float) -> Any:
            delete(self.inwindow, x)  # type: ignore[attr-defined]
            return self.oldest()  # type: ignore[attr-defined]

        def expire(self) -> None: ...

    tr.aggregate(returns="DOUBLE")(largest)
    return tr.sql(f"{STREAM} SELECT largest(price) OVER ({frame}) AS y FROM bid;")


@pytest.mark.parametrize(
    ("frame", "expected"),
    [("ROWS 2 PRECEDING", [5.0, 5.0, 5.0, 3.0, 9.0, 9.0]), ("RANGE 2 PRECEDING", [5.0, 5.0, 5.0, 3.0, 9.0, 9.0])],
)
def test_a_window_with_deletes_keeps_its_length(frame: str, expected: list[float]) -> None:
    def smaller(window: Any, x: float) -> None:
        for one in [one for one in window if one < x]:
            window.remove(one)

    prices = [5.0, 1.0, 3.0, 2.0, 9.0, 1.0]
    check(falling(frame, delete=smaller), [(y,) for y in expected], [(1, price, t) for t, price in enumerate(prices)])


@pytest.mark.parametrize("drive", [Drive("rows"), Drive("range")])
def test_a_window_with_deletes_is_kept(drive: Drive) -> None:
    falling("ROWS 2 PRECEDING", delete=lambda window, x: window.remove(2.0) if x == 9.0 else None)
    program = PythonProgram(REGISTERED["largest"], is_window=True)  # type: ignore[arg-type]
    prices, found = [2.0, 5.0, 9.0, 1.0, 3.0, 4.0], []
    state = program.fresh()
    for t, price in enumerate(prices):
        state = program.restored(from_bytes(to_bytes(state.dump())))
        found += program.step(state, drive, [[price]], places=[t], reach=2)[0]
    assert found == program.step(program.fresh(), drive, [prices], places=range(6), reach=2)[0] == [2.0, 2.0, 5.0, 5.0, 9.0, 1.0]


def test_expire_may_delete_the_tuple_that_leaves() -> None:
    @tr.aggregate(returns="DOUBLE")
    class leaving:  # noqa: N801
        def initialize(self, x: float) -> None: ...

        def iterate(self, x: float) -> Any:
            return self.inwindow.popleft() if x == 9.0 else None  # type: ignore[attr-defined]

        def expire(self) -> Any:
            return self.inwindow.popleft()  # type: ignore[attr-defined]

    query = tr.sql(f"{STREAM} SELECT leaving(price) OVER (RANGE 3 PRECEDING ACTIVE EXPIRATION) AS y, event_ts AS at FROM bid;")
    check(query, [(1.0, 2), (2.0, 4), (9.0, 5)], [(1, 1.0, 0), (1, 2.0, 1), (1, 9.0, 2)])


WRITES = {
    "append": lambda self: self.inwindow.append(1.0),
    "extend": lambda self: self.inwindow.extend([1.0]),
    "insert": lambda self: self.inwindow.insert(0, 1.0),
    "item": lambda self: self.inwindow.__setitem__(0, 1.0),
    "in place": lambda self: self.inwindow.__iadd__([1.0]),
    "rotate": lambda self: self.inwindow.rotate(1),
    "attribute": lambda self: setattr(self, "inwindow", [one for one in self.inwindow if one > 2.0]),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_class_does_not_write_to_its_window(write: Any) -> None:
    made = type("writer", (), {name: lambda self, *x: write(self) for name in ("initialize", "iterate", "expire")})
    tr.aggregate(returns="DOUBLE")(made)
    query = tr.sql(f"{STREAM} SELECT writer(price) OVER (ROWS 1 PRECEDING) AS y FROM bid;")
    for run in (lambda: answer(query, BIDS), lambda: rows_on_kernels(query, BIDS, 2)):
        with pytest.raises(ReadOnlyTable, match="writer does not write to inwindow"):
            run()


def test_deleting_from_an_empty_window_has_a_name() -> None:
    query = falling("ROWS 1 PRECEDING", delete=lambda window, x: (window.clear(), window.popleft()))
    for run in (lambda: answer(query, BIDS), lambda: rows_on_kernels(query, BIDS, 2)):
        with pytest.raises(AggregateFailed, match="IndexError"):
            run()


def test_a_copy_of_the_window_is_the_classs_own() -> None:
    query = falling("ROWS 1 PRECEDING", delete=lambda window, x: (window.copy().append(1.0), window + window, window * 2))
    check(query, [(4.0,), (4.0,), (8.0,)], BIDS[:3])
