"""What a micro-batch written in Python raises to Spark: short, so that Spark knows an interrupt of `stop()` from a failure.

Spark looks for the interrupt in the text of the error, with a regular expression that recurses for every character. The text of
an error of Java's is long enough to overflow the stack, which ends the thread of the query with 1,024 lines on the console.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from transom.spark.running.messages.failures import cause, is_of_spark

INTERRUPTS = ("java.lang.InterruptedException", "java.io.InterruptedIOException", "java.nio.channels.ClosedByInterruptException")
"""What Spark takes for an interrupt."""
CANCELLED = "cancelled part of cancelled job group"
"""What a job says that `stop()` has cancelled before it interrupted the thread of the query."""
INTERRUPT = f"py4j.protocol.Py4JJavaError: An error occurred while calling foreachBatch: {INTERRUPTS[0]}"
"""An interrupt, as Spark looks for it."""


class Keeper(Protocol):
    """Keeps what went wrong, for the error that has a name."""

    error: BaseException | None


class MicroBatchFailed(Exception):
    """What Spark hears of; the original is kept by the writer."""


@contextmanager
def reported(keeper: Keeper) -> Iterator[None]:
    """Keep an error, and raise one that Spark can read."""
    try:
        yield
    except BaseException as error:
        short = in_short(error)
        if str(short) != INTERRUPT:
            keeper.error = error
        if short is error:
            raise
        raise short from None


def in_short(error: BaseException) -> BaseException:
    """An error of Java's as an interrupt, or with its cause in one line; others unchanged."""
    if not is_of_spark(error):
        return error
    text = str(error)
    if CANCELLED in text or any(name in text for name in INTERRUPTS):
        return MicroBatchFailed(INTERRUPT)
    return MicroBatchFailed(cause(text) or type(error).__name__)
