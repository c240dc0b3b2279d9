"""Showing what went wrong where it was written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from transom.errors import Span, TransomError

T = TypeVar("T")


def with_span(span: Span | None, build: Callable[[], T]) -> T:
    """Build something; an error that does not know its place yet is shown at `span`."""
    try:
        return build()
    except TransomError as error:
        error.span = error.span or span
        raise
