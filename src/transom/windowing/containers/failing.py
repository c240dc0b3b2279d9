"""What went wrong while handlers ran: which operator, event, partition and tuple."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from transom.errors import BadTuple, OperatorFailed, TransomError, UnknownColumn, nearest
from transom.windowing.attributes import names
from transom.windowing.containers.code_lines import READ
from transom.windowing.containers.subwindow import Subwindow

NO_TUPLE = object()


def failed(operator: str, event: str, partition: object, t: object, error: Exception) -> TransomError:
    """An error of a handler, with where it happened. Errors of our own keep their names."""
    where = f"{operator}, {event}, partition {partition!r}" + ("" if t is NO_TUPLE else f", tuple {t!r}")
    if isinstance(error, TransomError):
        error.add_note(f"in {where}")
        return error
    return OperatorFailed(
        f"{event} of {operator} raised {type(error).__name__}: {error}",
        given=f"partition {partition!r}" + ("" if t is NO_TUPLE else f", tuple {t!r}"),
        remedy="mend the handler; the window stays as it was saved last",
    )


def told(handler: Callable[..., Any] | None, event: str, operator: str, about: Subwindow | list[Subwindow]) -> Any:
    """Call a handler that hears of partitions."""
    if handler is None:
        return None
    try:
        return handler(about) if isinstance(about, list) else handler(about, about.partition)
    except Exception as error:
        partition = [window.partition for window in about] if isinstance(about, list) else about.partition
        raise failed(operator, event, partition, NO_TUPLE, error) from error


def traced(operator: str, error: Exception, code: str, does: Mapping[int, str]) -> Exception | None:
    """What an error that passed through a container's code means; None if it came from outside, as from an iterator of tuples."""
    frame = _innermost(error.__traceback__, code)
    if frame is None or frame.tb_lineno not in does:
        return None
    variables = frame.tb_frame.f_locals
    t = variables.get("t", NO_TUPLE)
    event = does[frame.tb_lineno]
    if event != READ:
        return error if _has_place(error) else failed(operator, event, variables.get("key"), t, error)
    if isinstance(error, TransomError):
        error.add_note(f"in tuple {t!r}")
        return error
    if isinstance(error, AttributeError | KeyError):
        missing = str(getattr(error, "name", None) or (error.args[0] if error.args else ""))
        return UnknownColumn(
            "a tuple has no such attribute", given=f"{missing} of {t!r}", exists=names(t), remedy=nearest(missing, names(t))
        )
    return BadTuple(
        f"the attributes of a tuple cannot be used: {error}", given=repr(t), exists=names(t), remedy="give plain values"
    )


def is_refusal(error: Exception, code: str, does: Mapping[int, str]) -> bool:
    """Whether an error only refuses a tuple: it was raised before the tuple changed anything."""
    frame = _innermost(error.__traceback__, code)
    return frame is not None and does.get(frame.tb_lineno, READ) == READ


def _has_place(error: Exception) -> bool:
    return isinstance(error, TransomError) and (isinstance(error, OperatorFailed) or bool(getattr(error, "__notes__", None)))


def _innermost(trace: TracebackType | None, code: str) -> TracebackType | None:
    """The last place in a container's code that the error came through."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == code:
            found = trace
        trace = trace.tb_next
    return found
