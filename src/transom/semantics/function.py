"""A function given as text: what a specification holds of an expression that somebody else evaluates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Function:
    """Equal to another if its text is; called with whatever it is a function of. `columns` are those it reads."""

    text: str
    call: Callable[[Any], Any] = field(compare=False, repr=False)
    columns: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __call__(self, argument: Any) -> Any:
        return self.call(argument)

    def __str__(self) -> str:
        return self.text
