"""What an operator has emitted: for each output port, rows and window punctuations in order."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from transom.errors import WrongEmit, nearest
from transom.windowing.operator.output_columns import row_type
from transom.windowing.operator.ports import Output, Preserving


class Mark(Enum):
    """What stands between rows."""

    PUNCTUATION = "window punctuation"

    def __repr__(self) -> str:
        return self.name


PUNCTUATION = Mark.PUNCTUATION


class Outlet:
    """One output port. Rows that have the types of an earlier row are not checked again."""

    def __init__(self, operator: str, name: str, output: Output) -> None:
        self.operator = operator
        self.name = name
        self.output = output
        self.items: list[Any] = []
        self._columns = output.parsed
        self._row = row_type(tuple(column.name for column in self._columns))
        self._seen: set[tuple[type, ...]] = set()

    def emit(self, values: tuple[Any, ...]) -> None:
        kinds = tuple(map(type, values))
        if kinds not in self._seen:
            self._check(values)
            self._seen.add(kinds)
        self.items.append(tuple.__new__(self._row, values))

    def forward(self, t: Any) -> None:
        if self.output.like is None:
            raise WrongEmit(
                f"output {self.name!r} of {self.operator} has columns of its own",
                given=repr(t),
                remedy="use emit, or Output(like=...)",
            )
        self.items.append(t)

    def punctuate(self) -> None:
        if self.output.punctuation != "generating":
            raise WrongEmit(
                f"output {self.name!r} of {self.operator} is declared to be {self.output.punctuation}",
                given="a window punctuation",
                remedy='declare it as punctuation="generating"',
            )
        self.items.append(PUNCTUATION)

    def take(self) -> list[Any]:
        taken, self.items = self.items, []
        return taken

    def _check(self, values: tuple[Any, ...]) -> None:
        where = f"output {self.name!r} of {self.operator}"
        declared = [f"{column.name} {column.type}" for column in self._columns]
        if self.output.like is not None:
            raise WrongEmit(f"{where} passes tuples on", given=repr(values), remedy="use forward(t)")
        if len(values) != len(self._columns):
            raise WrongEmit(
                f"{where} has {len(self._columns)} columns",
                given=f"{len(values)} values: {values!r}",
                exists=declared,
                remedy="give each",
            )
        for column, value in zip(self._columns, values, strict=True):
            if not column.takes(value):
                raise WrongEmit(
                    f"{where}: {column.name} is a {column.type}",
                    given=f"{value!r}, a {type(value).__name__}",
                    exists=declared,
                    remedy="emit a value of that type, or change what the operator gives",
                )


class Outlets:
    """All output ports of an operator."""

    def __init__(self, operator: str, outputs: Mapping[str, Output]) -> None:
        self.by_name = {name: Outlet(operator, name, output) for name, output in outputs.items()}
        self._operator = operator
        self._only = next(iter(self.by_name.values())) if len(self.by_name) == 1 else None
        self._generating = [
            one for one in self.by_name.values() if one.output.punctuation == "generating" and one.output.automatic
        ]

    def find(self, name: str | None) -> Outlet:
        """An output by name, which a single one does not need."""
        outlet = self._only if name is None else self.by_name.get(name)
        if outlet is None:
            raise WrongEmit(
                f"{self._operator} has no such output",
                given=repr(name),
                exists=self.by_name,
                remedy="say which: port=..." if name is None else nearest(name, self.by_name),
            )
        return outlet

    def processed(self) -> None:
        """A window has been processed."""
        for outlet in self._generating:
            outlet.punctuate()

    def passed(self, port: str) -> None:
        """A punctuation has come in at a port."""
        for outlet in self.by_name.values():
            if outlet.output.punctuation == Preserving(port):
                outlet.items.append(PUNCTUATION)
