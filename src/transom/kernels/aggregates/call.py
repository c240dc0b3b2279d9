"""An aggregate as it is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """A built-in aggregate, by its canonical name in lower case, with whatever is constant about the call.

    `options` are the arguments that are no columns: the percentage of a percentile, a separator, the k of top_k.
    """

    function: str
    distinct: bool = False
    options: tuple[Any, ...] = ()
    ignore_nulls: bool = False
