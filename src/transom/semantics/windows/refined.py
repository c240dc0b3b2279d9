"""Windows made of another window."""

from __future__ import annotations

from dataclasses import dataclass

from transom.semantics.tuples import Counting
from transom.semantics.windows.window import Window


@dataclass(frozen=True)
class Refined(Window):
    """A window that has the nature of the one it is made of."""

    window: Window

    @property
    def attribute(self) -> str | None:
        return self.window.attribute

    @property
    def counting(self) -> Counting | None:
        return self.window.counting

    @property
    def ids_from_tuples(self) -> bool:
        return self.window.ids_from_tuples

    @property
    def ids_are_values(self) -> bool:
        return self.window.ids_are_values

    @property
    def reports_changes(self) -> bool:
        return self.window.reports_changes
