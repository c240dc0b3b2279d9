"""Mistakes have names, and are found as early as they can be known."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

import transom as tr
from transom import rows, seconds
from transom.errors import (
    BadDuration,
    BadOperator,
    BadPolicy,
    BadTimestamp,
    BadTuple,
    MissingClause,
    NotALength,
    NotAName,
    NotOrdered,
    NotPicklable,
    NotPositive,
    OperatorFailed,
    ReadOnlyWindow,
    UnknownColumn,
    UnknownType,
    WindowNotTaken,
    WrongEmit,
    WrongUnit,
)
from transom.windowing import (
    ByTicks,
    Operator,
    OperatorRun,
    Output,
    Port,
    count,
    delta,
    partition_age,
    partition_count,
    preserving,
    punct,
    sliding,
    time,
    tumbling,
    tuple_count,
)
from transom.windowing.toolkit import BatchSort


def ignore(window: Any, partition: Any) -> None:
    """A handler."""


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (NotPositive, lambda: tumbling(count(0))),
        (NotPositive, lambda: count(-1)),
        (NotALength, lambda: count(1.5)),
        (NotALength, lambda: count(True)),
        (NotPositive, lambda: sliding(count(1), count(0))),
        (NotPositive, lambda: time(seconds(0))),
        (NotPositive, lambda: delta("ts", -1)),
        (NotPositive, lambda: delta("ts", float("inf"))),
        (NotALength, lambda: delta("ts", float("nan"))),
        (NotAName, lambda: delta("", 1)),
        (BadPolicy, lambda: delta("ts", rows(3))),
        (BadDuration, lambda: time("soon")),
        (NotALength, lambda: time(10)),
        (BadPolicy, lambda: sliding(punct(), count(1))),
        (BadPolicy, lambda: sliding(count(1), punct())),
        (BadPolicy, lambda: sliding(count(1), None)),
        (BadPolicy, lambda: tumbling(100)),
        (BadPolicy, lambda: sliding(count(1), "count")),
        (NotPositive, lambda: partition_count(0)),
        (NotPositive, lambda: tuple_count(-3)),
        (NotPositive, lambda: partition_age("0 seconds")),
        (BadPolicy, lambda: partition_count(3, "newest")),
        (MissingClause, lambda: tumbling(count(1)).limited_to(partition_count(3))),
        (MissingClause, lambda: tumbling(count(1)).partitioned_by()),
        (NotAName, lambda: tumbling(count(1)).partitioned_by(7)),
        (BadOperator, lambda: tumbling(count(1)).container(object())),
        (BadOperator, lambda: sliding(count(1), count(1)).container({"before_flush": ignore})),
        (BadOperator, lambda: tumbling(count(1)).container({"before_flsh": ignore})),
        (BadTimestamp, lambda: tumbling(time("1 s econd".replace(" e", "e"))).container(ignore).tick("now")),
        (BadTimestamp, lambda: tumbling(time("1 second")).container(ignore, clock=5)),
        (WindowNotTaken, lambda: sliding(count(0), count(1)).container(ignore)),
        (WindowNotTaken, lambda: sliding(count(0), time("1 second")).container(ignore)),
        (BadOperator, lambda: tumbling(count(1)).container(ignore, summarizer=int)),
        (BadOperator, lambda: tumbling(count(1)).container(ignore, summarizer=5)),
        (BadOperator, lambda: OperatorRun(BatchSort, tumbling(count(3)))),
        (BadPolicy, lambda: OperatorRun(BatchSort(by=len), tr.tumbling("5 minutes"))),
        (BadOperator, lambda: Port(kinds="hopping")),
        (BadOperator, lambda: Port(evictions=("size",))),
        (BadOperator, lambda: Output()),
        (UnknownType, lambda: Output("x NUMBR")),
        (BadOperator, lambda: Output("x")),
        (BadOperator, lambda: Output("x INT, x INT")),
    ],
)
def test_what_makes_no_sense_is_refused_when_it_is_made(error: type[Exception], make: Any) -> None:
    with pytest.raises(error):
        make()


def test_operator_selection_needs_the_handler() -> None:
    kind = tumbling(count(9)).partitioned_by("k").limited_to(partition_count(1, "operator"))
    with pytest.raises(BadOperator, match="on_partition_selection"):
        kind.container(ignore)


def test_the_operator_selects() -> None:
    class Selects:
        evicted: list[Any] = []  # noqa: RUF012

        def on_partition_selection(self, windows: Any) -> Any:
            return max(windows, key=len)

        def on_partition_eviction(self, window: Any, partition: Any) -> None:
            self.evicted.append((partition, list(window)))

    kind = tumbling(count(9)).partitioned_by("k").limited_to(partition_count(2, "operator"))
    kind.container(Selects()).extend({"k": k} for k in "abbc")
    assert Selects.evicted == [("b", [{"k": "b"}, {"k": "b"}])]


def test_a_selection_that_is_no_candidate() -> None:
    kind = tumbling(count(9)).partitioned_by("k").limited_to(partition_count(1, lambda windows: "z"))
    with pytest.raises(BadOperator, match="none of the candidates"):
        kind.container(ignore).extend({"k": k} for k in "ab")


@pytest.mark.parametrize(
    ("error", "policy", "values"),
    [
        (NotOrdered, delta("a", 1), ["x"]),
        (NotOrdered, delta("a", 1), [True]),
        (WrongUnit, delta("a", 1), [datetime(2026, 1, 1)]),
        (WrongUnit, delta("a", "1 second"), [1]),
        (NotOrdered, delta("a", 1), [1, "x"]),
    ],
)
def test_a_delta_on_something_without_order(error: type[Exception], policy: Any, values: list[Any]) -> None:
    window = tumbling(policy).container(ignore)
    with pytest.raises(error):
        window.extend({"a": value} for value in values)


def test_nothing_and_infinity_are_outside_and_going_back_is_counted() -> None:
    seen: list[Any] = []
    window = tumbling(delta("a", 10)).container(lambda window, partition: seen.append([t["a"] for t in window]))
    values = [None, 5, 3, float("nan"), Decimal("Infinity"), float("inf"), 15, 15.5, -2, float("-inf")]
    window.extend({"a": value} for value in values)
    assert seen == [[5, 3, 15]]
    assert (window.outside, window.disordered, len(window)) == (5, 2, 2)


@pytest.mark.parametrize("t", [{"b": 1}, ignore, 7])
def test_a_tuple_without_the_attribute(t: Any) -> None:
    window = tumbling(count(2)).partitioned_by("k").container(ignore)
    with pytest.raises(UnknownColumn, match="k"):
        window.insert(t)


def test_a_partition_that_cannot_be_looked_up() -> None:
    with pytest.raises(BadTuple, match="unhashable"):
        tumbling(count(2)).partitioned_by("k").container(ignore).insert({"k": []})


def test_a_tuple_that_is_refused_leaves_the_window_as_it_was() -> None:
    window = tumbling(count(5)).partitioned_by("k").container(ignore)
    window.insert({"k": 1})
    with pytest.raises(UnknownColumn):
        window.insert({"b": 1})
    window.insert({"k": 1})
    assert len(window) == 2


class Fails(Operator):
    gives = "x INT"

    def __init__(self, event: str) -> None:
        self.event = event

    def _handle(self, *given: Any) -> None:
        if self.event == "divide":
            return self.emit(1 // 0)
        if self.event == "append":
            return given[0].append(1)
        if self.event == "assign":
            given[0].partition = 3
        if self.event == "insert":
            self._running.insert(1)
        if self.event == "delete":
            del given[0][0]
        return self.emit(*{"text": ("x",), "many": (1, 2), "float": (1.5,), "bool": (True,), "null": (None,)}[self.event])

    def on_trigger(self, window: Any, partition: Any) -> None:
        self._handle(window)


@pytest.mark.parametrize(
    ("event", "error"),
    [
        ("divide", OperatorFailed),
        ("append", ReadOnlyWindow),
        ("assign", ReadOnlyWindow),
        ("delete", ReadOnlyWindow),
        ("insert", ReadOnlyWindow),
        ("text", WrongEmit),
        ("many", WrongEmit),
        ("float", WrongEmit),
        ("bool", WrongEmit),
    ],
)
def test_an_operator_that_does_wrong(event: str, error: type[Exception]) -> None:
    kind = sliding(count(2), count(1)).partitioned_by("k")
    run = OperatorRun(Fails(event), kind)
    with pytest.raises(error) as caught:
        run.insert({"k": "a", "x": 1})
    said = str(caught.value) + "".join(getattr(caught.value, "__notes__", []))
    for part in ("Fails", "on_trigger", "'a'", "{'k': 'a', 'x': 1}"):
        assert part in said
    with pytest.raises(OperatorFailed, match="has failed"):
        run.insert({"k": "a"})
    with pytest.raises(OperatorFailed, match="has failed"):
        run.snapshot()


def test_null_is_of_every_type() -> None:
    run = OperatorRun(Fails("null"), sliding(count(2), count(1)))
    run.insert(1)
    assert run.rows() == [(None,)]


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        (sliding(count(1), count(9)), "before_insertion"),
        (sliding(count(1), count(9)), "after_insertion"),
        (sliding(count(1), count(9)), "before_eviction"),
        (sliding(count(1), count(9)), "after_eviction"),
        (sliding(count(1), count(9)), "on_initial_full"),
        (tumbling(count(1)), "before_flush"),
        (tumbling(count(1)), "after_flush"),
        (sliding(count(1), time("1 second")), "on_trigger"),
        (tumbling(count(9)).partitioned_by("k").limited_to(partition_count(1)), "on_partition_eviction"),
    ],
    ids=str,
)
def test_a_failure_names_its_event(kind: Any, event: str) -> None:
    def fail(*given: Any) -> None:
        raise ValueError("no")

    window = kind.container({event: fail}, name="Mine", clock=ByTicks())
    with pytest.raises(OperatorFailed, match=f"{event} of Mine raised ValueError: no"):  # noqa: PT012 - any of them may fail
        window.extend({"k": k} for k in "ab")
        window.tick(10**7)


def test_an_iterator_of_tuples_that_fails_is_not_the_operators_fault() -> None:
    window = tumbling(count(9)).container(ignore)
    with pytest.raises(ZeroDivisionError):
        window.extend(1 // n for n in (1, 1, 0))
    window.insert(1)
    assert len(window) == 3


def test_declarations_that_do_not_go_together() -> None:
    class Silent(Operator):
        gives = "x INT"

        def after_insertion(self, window: Any, partition: Any, t: Any) -> None:
            """Emits nothing."""

    class Mistyped(Operator):
        gives = "x INT"

        def on_triggr(self, window: Any, partition: Any) -> None:
            """Never called."""

    class Elsewhere(Fails):
        gives = Output("x INT", punctuation=preserving("left"))

    kind = sliding(count(1), count(1))
    for operator, message in ((Silent(), "processes none"), (Mistyped(), "no such event"), (Elsewhere("divide"), "there is not")):
        with pytest.raises(BadOperator, match=message):
            OperatorRun(operator, kind)
    running = Fails("null")
    OperatorRun(running, kind)
    with pytest.raises(BadOperator, match="runs already"):
        OperatorRun(running, kind)
    with pytest.raises(BadOperator, match="does not run"):
        Fails("null").emit(1)
    with pytest.raises(BadOperator, match="window for each port"):
        OperatorRun(Fails("null"), {"left": kind})


def test_state_of_an_operator_that_cannot_be_pickled() -> None:
    class Keeps(Fails):
        def on_trigger(self, window: Any, partition: Any) -> None:
            self.state["f"] = lambda: None

    run = OperatorRun(Keeps(""), sliding(count(1), count(1)))
    run.insert(1)
    with pytest.raises(NotPicklable, match="state of Keeps"):
        run.snapshot()
