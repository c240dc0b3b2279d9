"""Errors of ours leave a worker by name, without the traceback of the worker: nothing in it is the user's to read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import wraps
from typing import ParamSpec, TypeVar

from transom.errors import AggregateError, TransomError

Args = ParamSpec("Args")
Item = TypeVar("Item")

HIDE = "SPARK_HIDE_TRACEBACK"
"""PySpark reads it when it reports an exception, after which the worker ends."""


def by_name(run: Callable[Args, Iterator[Item]]) -> Callable[Args, Iterator[Item]]:
    """The function, whose errors are shown by name alone. Those of users' aggregates keep their traceback."""

    @wraps(run)
    def named(*args: Args.args, **kwargs: Args.kwargs) -> Iterator[Item]:
        try:
            yield from run(*args, **kwargs)
        except AggregateError:
            raise
        except TransomError:
            os.environ[HIDE] = "1"
            raise

    return named
