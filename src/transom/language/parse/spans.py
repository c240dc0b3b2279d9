"""Showing what went wrong where it was written."""

from __future__ import annotations

import re
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


def place_of(name: str, span: Span) -> Span:
    """Where a name stands in a clause, which ends with it or with a list of such; the clause, if it is spelt otherwise."""
    found = list(re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", span.text[span.start : span.end], re.IGNORECASE))
    return Span(span.text, span.start + found[-1].start(), span.start + found[-1].end()) if found else span
