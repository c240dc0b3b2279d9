"""Names as SQL."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from transom.plan.expression import is_plain


def names_of(names: Iterable[str]) -> str:
    """Names with commas between them."""
    return ", ".join(map(name_of, names))


def name_of(name: str) -> str:
    """A name, in backquotes unless it is plain."""
    return name if is_plain(name) else str(exp.to_identifier(name, quoted=True).sql("spark"))
