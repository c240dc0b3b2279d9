"""The volume-weighted average price of each ticker."""

from __future__ import annotations

from typing import Any

from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import Port


class Vwap(Operator):
    """For each window of trades, which have `price` and `volume`. Partition it by ticker.

    >>> from collections import namedtuple
    >>> from transom.windowing import OperatorRun, count, sliding
    >>> Trade = namedtuple("Trade", "ticker price volume")
    >>> run = OperatorRun(Vwap(), sliding(count(2), count(1)).partitioned_by("ticker"))
    >>> run.extend([Trade("ACME", 10.0, 100), Trade("ACME", 13.0, 200)])
    >>> run.rows()
    [Row(ticker='ACME', vwap=10.0), Row(ticker='ACME', vwap=12.0)]
    """

    takes = Port()
    gives = "ticker STRING, vwap DOUBLE"

    def on_trigger(self, window: Subwindow, partition: Any) -> None:
        self.emit(partition, sum(t.price * t.volume for t in window) / sum(t.volume for t in window))
