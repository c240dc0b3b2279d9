"""Operators that make no sense on a stream have named errors, before anything runs where that can be known."""

from __future__ import annotations

import threading
from typing import Any, ClassVar

import pyarrow as pa
import pytest

import transom as tr
from tests.applied.harness import kernel_rows
from transom.errors import (
    BadOperator,
    BadPolicy,
    NotOrdered,
    NotPunctuated,
    NotSupported,
    ReadOnlyWindow,
    TransomError,
    UnknownColumn,
    UnknownFunction,
    WindowNotTaken,
    WrongEmit,
    WrongUnit,
)
from transom.kernels.applied.applied_spec import AppliedSpec, InputSpec
from transom.windowing import Operator, Output, Port, count, delta, punct, sliding, time, tumbling
from transom.windowing.operators import Deduplicate, Vwap
from transom.windowing.toolkit import BatchSort, Join

TRADES = {"ticker": "STRING", "price": "DOUBLE", "volume": "BIGINT", "ts": "TIMESTAMP", "tags": "ARRAY<STRING>"}
TEN = sliding(count(10), count(1))


def trades() -> tr.Relation:
    return tr.stream(TRADES, name="trades")


@pytest.mark.parametrize(
    ("operator", "window", "error", "says"),
    [
        (Vwap, TEN, BadOperator, r"write Vwap\(\)"),
        (print, TEN, BadOperator, "derive a class"),
        (Vwap(), tr.sliding(range="1 hour", slide="1 minute"), BadPolicy, "import sliding"),
        (Vwap(), TEN.partitioned_by("tickr"), UnknownColumn, "did you mean 'ticker'"),
        (Vwap(), TEN.partitioned_by("tags"), NotSupported, "simple types"),
        (Vwap(), tumbling(delta("ticker", 3)), NotOrdered, "no order"),
        (Vwap(), tumbling(delta("ts", 3)), WrongUnit, "another unit"),
        (Vwap(), tumbling(punct()), NotPunctuated, r"Vwap\.in <- trades\.out \(free\)"),
        (BatchSort(len), TEN, WindowNotTaken, "a sliding window, where it takes tumbling ones"),
        (Join("a INT", lambda x, y: True, lambda x, y: (1,)), TEN, BadOperator, "a window for each port|a stream for each port"),
    ],
)
def test_what_is_refused_before_there_is_data(operator: Any, window: Any, error: type[TransomError], says: str) -> None:
    with pytest.raises(error, match=says):
        trades().apply(operator, window)


def test_ports_and_outputs_that_there_are_not() -> None:
    with pytest.raises(BadOperator, match="no such input port"):
        trades().apply(Vwap(), TEN, left=trades())
    with pytest.raises(UnknownFunction, match="hand it over"):
        tr.sql("SELECT * FROM vwap(TABLE trades [SLIDING count(3), count(1)])", trades=trades())
    with pytest.raises(TransomError, match="through a window with policies"):
        tr.sql("SELECT * FROM vwap(TABLE trades)", trades=trades(), vwap=Vwap())


def test_punctuation_is_searched_through_the_plan() -> None:
    once = trades().apply(Deduplicate("ticker"), TEN)
    assert isinstance(once, tr.Relation)
    with pytest.raises(NotPunctuated) as raised:
        once.where("price > 3").apply(Vwap(), tumbling(punct()))
    path = (
        "Vwap.in <- where.out (preserving(in)) <- where.in <- Deduplicate.out (preserving(in)) <- "
        "Deduplicate.in <- trades.out (free)"
    )
    assert path in str(raised.value)
    prices = trades().apply(Vwap(), TEN)
    assert isinstance(prices, tr.Relation)
    assert prices.where("vwap > 3").apply(Deduplicate("ticker"), TEN) is not None


def test_windows_in_time_over_an_operator_are_refused_by_name() -> None:
    prices = trades().apply(Vwap(), TEN)
    with pytest.raises(TransomError):
        tr.sql("SELECT count(*) AS n FROM p [TUMBLE 5 MINUTES]", p=prices)


def ran(operator: Operator, rows: list[dict[str, Any]], window: Any = TEN, *, spread: bool = False) -> list[Any]:
    schema = pa.schema([("y", pa.int32())])
    spec = AppliedSpec((InputSpec("in", window, ("x",)),), operator=operator, output="out", schema=schema, spread=spread)
    return kernel_rows(spec, [[pa.Table.from_pylist([row])] for row in rows], 1)


class Emits(Operator):
    gives = Output("y INT", punctuation="free")

    def __init__(self, value: Any) -> None:
        self._value = value

    def on_trigger(self, window: Any, partition: Any) -> None:
        self.emit(self._value)


class Keeps(Operator):
    """Keeps something where it would be gone after a micro-batch."""

    gives = Output("y INT", punctuation="free")
    seen = 0

    def on_trigger(self, window: Any, partition: Any) -> None:
        self.seen += 1
        self.emit(self.seen)


class Shares(Operator):
    gives = Output("y INT", punctuation="free")

    def on_trigger(self, window: Any, partition: Any) -> None:
        self.state["seen"] = self.state.get("seen", 0) + 1
        self.emit(self.state["seen"])


class Changes(Operator):
    gives = Output("y INT", punctuation="free")

    def on_trigger(self, window: Any, partition: Any) -> None:
        window.append(1)


def test_what_operators_may_not_do() -> None:
    with pytest.raises(WrongEmit, match="y is a INT"):
        ran(Emits("one"), [{"x": 1}])
    with pytest.raises(WrongEmit, match="y is a int32"):
        ran(Emits(2**40), [{"x": 1}])
    with pytest.raises(ReadOnlyWindow):
        ran(Changes(), [{"x": 1}])
    with pytest.raises(BadOperator, match=r"window\.state"):
        ran(Keeps(), [{"x": 1}])
    assert ran(Shares(), [{"x": 1}, {"x": 1}]) == [(1,), (2,)]
    with pytest.raises(BadOperator, match="shards=1"):
        ran(Shares(), [{"x": 1}], TEN.partitioned_by("x"), spread=True)


class Looks(Operator):
    """Looks at the window of a partition that is not its own."""

    takes: ClassVar[dict[str, Port]] = {"left": Port(), "right": Port()}
    gives = Output("y INT", punctuation="free")

    def after_insertion(self, window: Any, partition: Any, t: Any) -> None:
        self.emit(len(self.window("right", 1)))


def test_other_partitions_may_be_elsewhere() -> None:
    inputs = tuple(InputSpec(port, TEN.partitioned_by("x"), ("x",)) for port in ("left", "right"))
    spec = AppliedSpec(inputs, operator=Looks(), output="out", schema=pa.schema([("y", pa.int32())]), ordered=True)
    one, two = pa.table({"x": [1]}), pa.table({"x": [2]})
    assert kernel_rows(spec, [[one, one.slice(0, 0)]], 1) == [(0,)]
    with pytest.raises(BadOperator, match="another partition"):
        kernel_rows(spec, [[two, two.slice(0, 0)]], 1)


def test_a_clock_policy_sees_micro_batches() -> None:
    assert str(trades().apply(Vwap(), sliding(count(100), time("1 minute")))) != ""


@pytest.mark.spark
def test_what_cannot_be_pickled_is_refused_before_a_job(spark: Any) -> None:
    frame = spark.createDataFrame([(1,)], "x INT")
    with pytest.raises(TransomError, match="cannot be sent to executors"):
        tr.stream(frame, name="s").apply(Emits(threading.Lock()), TEN).to_df()
