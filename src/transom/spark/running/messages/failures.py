"""What failed, in words for a user: no traceback of Python or Java."""

from __future__ import annotations

import re
from functools import cache

from transom import errors
from transom.errors import CheckpointMismatch, QueryFailed, TransomError, WorkerNotStarted

NAMES = sorted(
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, TransomError) and kind is not TransomError
)
OURS = re.compile(
    rf"(?:^|[\s.:])(?P<text>(?:{'|'.join(NAMES)}): (?!(?:{'|'.join(NAMES)}): )[^\n]*"
    r"(?:\n  (?:line \d+|was|is now|given|exists|remedy| )[^\n]*)*)"
)
JAVA_NAME = re.compile(r"^(?:Caused by: )?(?:[a-z_][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error)?: ")
OPERATORS = "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA"
"""Spark's name for a checkpoint with state of other operators."""
WAITED = "Exception thrown in awaitResult"
"""What Spark says where one of its threads has waited for another that failed: the reason is in the cause alone."""
NOT_STARTED = ("Python worker failed to connect back", "Timed out while waiting for the Python worker to connect back")
"""What Spark says of a Python process that has not answered in time."""
UNREAD = "State store commit validation failed"
"""What Spark says where nobody has read the rows of a micro-batch."""
TASK = re.compile(r"^.*most recent failure: Lost task [^\n]*?\): ", re.DOTALL)


def failure(error: BaseException) -> TransomError:
    """The named error inside of what Spark reports, or else QueryFailed with the cause in one line.

    >>> print(failure(RuntimeError("Traceback ...\\ntransom.errors.BadTuple: BadTuple: a, line 3: no\\n  given:  x\\n")))
    BadTuple: a, line 3: no
      given:  x
    >>> print(failure(RuntimeError("[STREAM_FAILED] terminated with exception: [A_B] Division by zero. SQLSTATE: 22012")))
    QueryFailed: Division by zero.
    >>> failure(RuntimeError("terminated with exception: Python worker failed to connect back. SQLSTATE: XXKST")).name
    'WorkerNotStarted'
    """
    if isinstance(error, TransomError):
        return error
    text = str(error)
    ours = OURS.search(text)
    if ours is not None:
        return _named(ours["text"].rstrip())
    if OPERATORS in text:
        return CheckpointMismatch(
            "the operators that keep state are not those of the checkpoint",
            given=cause(text),
            remedy="restore the query; of one with a controller (DRATIO, HEARTBEAT, BFSIZE) also how it is spread: the number of "
            "shards that was asked for, and spark.transom.frontier, which is shards in checkpoints of earlier versions",
        )
    if any(words in text for words in NOT_STARTED):
        return WorkerNotStarted(
            "a Python process of Spark's took longer than ten seconds to start",
            given=next(words for words in NOT_STARTED if words in text),
            remedy="start the query again, it resumes from its checkpoint; no setting of Spark lengthens the wait, so let the "
            "machine do less meanwhile: start queries one after the other, with fewer shards (docs/operating.md)",
        )
    if UNREAD in text or UNREAD in str(getattr(error, "_cause", "")):
        return QueryFailed(
            "a micro-batch ended and its state had not been computed",
            given=UNREAD,
            remedy="let the function of foreach_batch read its rows: with write, count() or another action",
        )
    inner = getattr(error, "_cause", None)
    if cause(text).startswith(WAITED) and inner is not None:
        return failure(inner)
    return QueryFailed(cause(text) or type(error).__name__)


def is_of_spark(error: BaseException) -> bool:
    """Whether an error is PySpark's, or one of Java's that it passes on."""
    return type(error).__module__.partition(".")[0] in ("py4j", "pyspark")


def cause(text: str) -> str:
    """The innermost reason, in one line."""
    text = text.rpartition("terminated with exception: ")[2]
    if "Traceback (most recent call last)" in text:
        lines = text.rpartition("Traceback (most recent call last)")[2].splitlines()
        told = [line for line in lines[1:] if re.match(r"[A-Za-z_][\w.]*(?:Error|Exception|Invalid|Exit|Interrupt)?: ", line)]
        if told:
            return _plain(told[0])
    caused = [line for line in text.splitlines() if line.startswith("Caused by: ")]
    return _plain(caused[-1] if caused else TASK.sub("", text))


def _plain(text: str) -> str:
    line = text.strip().partition("\n")[0]
    while JAVA_NAME.match(line):
        line = JAVA_NAME.sub("", line)
    line = re.sub(r"^\[[A-Z0-9_.]+\] ", "", line)
    return re.sub(r"\s*SQLSTATE: \w+.*$", "", line).strip()


class _Told(TransomError):
    """An error that another process has reported."""

    def __init__(self, text: str) -> None:
        self._text = text
        super().__init__(text.partition(": ")[2].partition("\n")[0], remedy=text.rpartition("\n  remedy: ")[2])

    def __str__(self) -> str:
        return self._text


@cache
def _kind(name: str) -> type[TransomError]:
    """A class that `except` takes for the one of that name."""
    kind = getattr(errors, name)
    return type(name, (_Told, kind), {"__module__": kind.__module__, "__doc__": kind.__doc__})


def _named(text: str) -> TransomError:
    return _kind(text.partition(": ")[0])(text)
