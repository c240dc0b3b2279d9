"""The base class of operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

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
        return self._running.window(port, partition)

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

    def detached(self) -> Self:
        """The same operator, with the same settings, in no run."""
        copy = object.__new__(type(self))
        copy.__dict__.update({name: value for name, value in vars(self).items() if name not in ("_run", "_sealed")})
        return copy

    def seal(self) -> None:
        """Refuse new attributes from here on: on an engine, what is kept in them would be gone after a micro-batch."""
        self.__dict__["_sealed"] = True

    def __setattr__(self, name: str, value: object) -> None:
        if "_sealed" in self.__dict__:
            raise BadOperator(
                f"{type(self).__name__} keeps something in self.{name}, which is not saved",
                given=f"self.{name} = {value!r}"[:200],
                remedy=f"keep it in window.state[{name!r}], or in self.state[{name!r}] if it belongs to no partition",
            )
        super().__setattr__(name, value)
