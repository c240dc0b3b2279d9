"""A call of an aggregate: its function and options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transom.uda.run.ready import Ready


@dataclass(frozen=True)
class Call:
    """A built-in aggregate, by its canonical name in lower case, with whatever is constant about the call.

    `options` are the arguments that are no columns: the percentage of a percentile, a separator, the k of top_k.
    `user` is an aggregate that a user wrote, ready to run. Without `ansi` a sum that overflows is what Spark makes of it with
    spark.sql.ansi.enabled=false: integers wrap around, decimals are NULL.
    """

    function: str
    distinct: bool = False
    options: tuple[Any, ...] = ()
    ignore_nulls: bool = False
    user: Ready | None = None
    ansi: bool = True

    @property
    def is_sequential(self) -> bool:
        """Whether it sees tuple after tuple, and gives any number of rows."""
        return self.user is not None and not self.user.is_algebra
