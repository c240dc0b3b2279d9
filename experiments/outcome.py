"""What an experiment gives: tables, curves and notes, all of it plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Table:
    """Rows under a head, which says for each column how its numbers are written."""

    title: str
    head: dict[str, str]
    rows: list[list[Any]]


@dataclass(frozen=True)
class Curve:
    """Lines in one picture: by name, points from left to right."""

    name: str
    title: str
    x: str
    y: str
    lines: dict[str, Points]
    log_x: bool = False
    log_y: bool = False


@dataclass
class Outcome:
    """What was found, or why there was nothing to find."""

    title: str
    tables: list[Table] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
