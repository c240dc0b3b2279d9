"""An aggregate ready to run: its programs, compiled where they are needed, and the way it is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa

from transom.semantics.length import Length, Rows
from transom.uda.compile.drive import Drive
from transom.uda.compile.program import compiled
from transom.uda.definition import Columns, UserAggregate
from transom.uda.plain_values import as_column
from transom.uda.run.cascades import Combine, PaneFeed, Tumble
from transom.uda.run.invocation import Invocation, chosen
from transom.uda.run.python_aggregate import PythonAggregate, PythonProgram
from transom.uda.run.returned import returned
from transom.uda.run.runners import Active, DerivedRunner, Runner, Straight, at_last


@dataclass
class Ready:
    """An aggregate, with the rows of the ordinary tables that it reads."""

    aggregate: UserAggregate | PythonAggregate
    tables: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        """Programs are compiled again where it arrives."""
        return {"aggregate": self.aggregate, "tables": self.tables}

    @property
    def name(self) -> str:
        return self.aggregate.name

    @property
    def returns(self) -> Columns:
        aggregate = self.aggregate
        return aggregate.returns if isinstance(aggregate, PythonAggregate) else aggregate.either.returns

    def column(self, values: Sequence[Any]) -> pa.Array:
        """Rows that it returned, as a column. Those of bodies in SQL have their types already."""
        made = returned if isinstance(self.aggregate, PythonAggregate) else as_column
        return made(values, self.returns, self.name)

    @property
    def is_algebra(self) -> bool:
        """Whether it is a Python aggregate on arrays, which runs as the built-in ones do."""
        return isinstance(self.aggregate, PythonAggregate) and self.aggregate.is_algebraic

    @property
    def has_partials(self) -> bool:
        """Whether states of stretches can be combined: on arrays, or by COMBINE."""
        return self.is_algebra or self.aggregate.can_combine

    @cached_property
    def programs(self) -> tuple[Any, Any]:
        """The base and the window version."""
        if isinstance(self.aggregate, PythonAggregate):
            window = PythonProgram(self.aggregate, is_window=True) if self.aggregate.expires else None
            return PythonProgram(self.aggregate, is_window=False), window
        return compiled(self.aggregate, self.tables)

    @property
    def base(self) -> Any:
        """The version for whole extents: the base; if there is none, the window version, from which nothing expires."""
        return self.programs[0] or self.programs[1]

    def extent(self, columns: Sequence[Sequence[Any]]) -> list[Any]:
        """All rows that a run over a whole extent returns; of a lone window version, those of the last tuple."""
        if self.programs[0] is None:
            return at_last(self.base, [list(column) for column in columns])
        return list(self.base.whole(columns))

    def invocation(self, preceding: Length | None, slide: Length | None, *, active: bool) -> Invocation:
        return chosen(self.aggregate, preceding, slide, active=active)

    def runner(self, preceding: Length | None, slide: Length | None, reach: Any, *, active: bool = False) -> Runner | None:
        """The way to run it over an OVER frame; `reach` is the length of the frame on its axis. None for slots in time."""
        how = self.invocation(preceding, slide, active=active)
        base, window = self.programs
        yields, by_rows = slide is not None, isinstance(preceding, Rows)
        if how.kind == "unbounded":
            return Straight(base, Drive(yields=yields, terminates=base_is_blocking(self.aggregate)))
        if how.kind == "active":
            return Active(window, Drive("range", active=True), reach)
        if how.kind == "tumble":
            return (
                Tumble(self.base, slide.count, preceding.count + 1)
                if isinstance(slide, Rows) and isinstance(preceding, Rows)
                else None
            )
        if how.kind in ("combine", "feed"):
            assert isinstance(preceding, Rows)
            assert isinstance(slide, Rows)
            panes, per_slide = (preceding.count + 1) // how.pane, slide.count // how.pane
            if how.kind == "combine":
                return Combine(base, how.pane, panes, per_slide)
            return PaneFeed(base, window, how.pane, panes, per_slide)
        if how.kind == "derived":
            return DerivedRunner(base, reach, by_rows=by_rows)
        return Straight(window, Drive("" if preceding is None else "rows" if by_rows else "range", yields=yields), reach)


def base_is_blocking(aggregate: UserAggregate | PythonAggregate) -> bool:
    return aggregate.base is not None and aggregate.base.is_blocking
