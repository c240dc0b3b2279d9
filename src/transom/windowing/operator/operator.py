"""The base class of operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from transom.errors import BadOperator
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.ports import Output, Port
from transom.windowing.policies.configuration import Configuration

if TYPE_CHECKING:
    from transom.windowing.operator.operator_run import OperatorRun


class Operator:
    """What reacts to the events of windows. A subclass says what it takes and gives, and defines methods named after events.

    `takes` is a `Port`, or ports by name; `gives` columns, an `Output`, or outputs by name. With `summarizer`, a class
    with `open(partition)`, `insert(t)` and `close()`, tumbling windows keep summaries (`window.summary`) instead of tuples.

    >>> from transom.windowing import OperatorRun, count, tumbling
    >>> class Total(Operator):
    ...     gives = "total BIGINT"
    ...     def before_flush(self, window, partition):
    ...         self.emit(sum(window))
    >>> run = OperatorRun(Total(), tumbling(count(3)))
    >>> run.extend(range(7))
    >>> run.take()
    [Row(total=3), PUNCTUATION, Row(total=12), PUNCTUATION]
    """

    takes: Port | Mapping[str, Port] = Port()
    gives: str | Output | Mapping[str, str | Output] = ""
    summarizer: Any = None
    _run: OperatorRun | None = None

    def check_windows(self, windows: Mapping[str, Configuration]) -> None:
        """Refuse windows that the ports take one by one, and not together."""

    def emit(self, *values: Any, port: str | None = None) -> None:
        """Give a row, one value for each column."""
        (self._run or self._running).outlets.find(port).emit(values)

    def forward(self, t: Any, port: str | None = None) -> None:
        """Pass a tuple on as it came."""
        (self._run or self._running).outlets.find(port).forward(t)

    def punctuate(self, port: str | None = None) -> None:
        """Give a window punctuation: what was emitted since the last one belongs together."""
        self._running.outlets.find(port).punctuate()

    def window(self, port: str, partition: Any = None) -> Subwindow:
        """The window of a partition at another input port, to read; empty if there is no such partition."""
        return self._running.container(port).window(partition)

    @property
    def state(self) -> dict[str, Any]:
        """What the operator keeps beside its windows, saved with them. What belongs to one partition goes in `window.state`."""
        return self._running.state

    @property
    def _running(self) -> OperatorRun:
        if self._run is None:
            raise BadOperator("this operator does not run", given=type(self).__name__, remedy="make an OperatorRun of it")
        return self._run

    def attach(self, run: OperatorRun) -> None:
        """Become the operator of a run. An operator runs once."""
        if self._run is not None:
            raise BadOperator("this operator runs already", given=type(self).__name__, remedy="make another instance")
        self._run = run
