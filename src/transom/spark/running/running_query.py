"""A query that runs, as `write` and `start` return it: Spark's StreamingQuery, whose failures have names."""

from __future__ import annotations

import json
from html import escape
from typing import Any, NoReturn

from transom.errors import QueryFailed, TransomError
from transom.plan.nodes.node import Node
from transom.quality.unstated import warn
from transom.spark.running.messages.failures import failure, is_of_spark


def _own_failure(error: BaseException) -> TransomError:
    """What the function of a user raised, or what a sink did; an error with a name from inside of it."""
    if isinstance(error, TransomError):
        return error
    reason = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
    if is_of_spark(error):
        named = failure(error)
        if type(named) is not QueryFailed:
            return named
        reason = named.problem
    return QueryFailed(f"writing a micro-batch failed: {reason}")


class RunningQuery:
    """A query that writes results: the methods are those of PySpark's `StreamingQuery`, and failures are TransomErrors.

    Over a batch it has written everything when it is returned, and is not active.
    """

    def __init__(self, title: str, query: Any = None, writer: Any = None, plan: Node | None = None) -> None:
        self._title = title
        self._query = query
        self._writer = writer
        self._plan = plan

    @property
    def title(self) -> str:
        """Where its rows go, in words."""
        return self._title

    @property
    def plan(self) -> Node | None:
        """What it computes; None over a batch, which has ended."""
        return self._plan

    @property
    def streaming_query(self) -> Any:
        """Spark's own StreamingQuery; None over a batch."""
        return self._query

    @property
    def name(self) -> str | None:
        """The name that `query_name` gave it."""
        return None if self._query is None else self._query.name

    @property
    def id(self) -> str | None:
        """Spark's id of the query, the same after a restart from its checkpoint; None over a batch."""
        return None if self._query is None else str(self._query.id)

    @property
    def isActive(self) -> bool:  # noqa: N802
        """Whether it still runs."""
        return self._query is not None and bool(self._query.isActive)

    @property
    def status(self) -> dict[str, Any]:
        """What it does now."""
        done = {"message": "Finished", "isDataAvailable": False, "isTriggerActive": False}
        return done if self._query is None else dict(self._query.status)

    @property
    def recentProgress(self) -> list[Any]:  # noqa: N802
        """Reports of the last micro-batches. `transom.Quality.of(query)` reads them."""
        return [] if self._query is None else list(self._query.recentProgress)

    @property
    def lastProgress(self) -> Any:  # noqa: N802
        """The report of the last micro-batch; None before the first."""
        return None if self._query is None else self._query.lastProgress

    def awaitTermination(self, timeout: float | None = None) -> bool | None:  # noqa: N802
        """Wait until it ends, or for `timeout` seconds; with a timeout, whether it has ended. Raises what made it fail.

        ```
        running.awaitTermination(60)
        ```
        """
        if self._query is None:
            return None if timeout is None else True
        try:
            ended: bool | None = self._query.awaitTermination(timeout)
        except Exception as error:
            self._fail(error)
        self._warn()
        return ended

    def processAllAvailable(self) -> None:  # noqa: N802
        """Wait until all that is there now has been processed: for tests.

        ```
        running.processAllAvailable()
        ```
        """
        if self._query is not None:
            try:
                self._query.processAllAvailable()
            except Exception as error:
                self._fail(error)
            self._warn()

    def exception(self) -> Exception | None:
        """What made it fail, by name; the original is its `__cause__`. None if nothing did.

        ```
        if running.exception() is not None:
            print(running.exception())
        ```
        """
        error = None if self._query is None else self._query.exception()
        return None if error is None else self._named(error)

    def stop(self) -> None:
        """Stop it. It can be resumed from its checkpoint.

        ```
        running.stop()
        ```
        """
        if self._query is not None:
            self._query.stop()

    def explain(self, extended: bool = False) -> None:
        """Print Spark's plan of the last micro-batch; with `extended` the logical plans, too.

        ```
        running.explain()
        ```
        """
        if self._query is not None:
            self._query.explain(extended)

    def _warn(self) -> None:
        """Warn of late tuples now; the listener of the session may hear of them later than whoever waited."""
        for progress in self.recentProgress:
            report = progress if isinstance(progress, dict) else json.loads(progress.json)
            warn(str(self.id), report)

    def _named(self, error: BaseException) -> Exception:
        own = self._writer.error if self._writer is not None else None
        original = own or error
        named = failure(original) if own is None else _own_failure(own)
        if named is not original:
            named.__cause__ = original.with_traceback(None) if own is None else original
        return named

    def _fail(self, error: BaseException) -> NoReturn:
        named = self._named(error)
        raise named from named.__cause__

    def __repr__(self) -> str:
        state = "finished" if self._query is None else "running" if self.isActive else "stopped"
        return f"<RunningQuery, {state}: {self._title}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"
