"""The operators on relations that answer a query: what each keeps, what rows are spread by, and when its inputs change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from transom.plan.sql.window_sql import render_window
from transom.planner.relations.inputs import ChangedInput, StreamInput
from transom.planner.relations.relational_stages import RelationalStage
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.window import Window


def operator_lines(stage: RelationalStage) -> list[str]:
    """One line for each operator, its inputs under it."""
    return ["operators:", *(f"  {line}" for line in _lines(stage))]


def _lines(stage: RelationalStage) -> Iterator[str]:
    gives = "what enters and leaves" if stage.gives_changes else "a stream of rows"
    yield f"{stage.name}: gives {gives}; {stage.spread}; keeps {stage.kept}"
    for one in stage.inputs:
        if isinstance(one, StreamInput):
            window = one.stage.cut.window
            read = one.stage.scan.stream.name if one.stage.scan is not None else "the stream below"
            late = "; its late tuples go along" if one.stage.late_number is not None else ""
            yield f"  {read} [{render_window(window)}], an instant at {instants_of(base_of(window))}{late}"
        if isinstance(one, ChangedInput) and one.reports is not None:
            yield "  the whole relation at each of its instants"
        for below in one.stages:
            yield from (f"  {line}" for line in _below(below))


def _below(stage: Any) -> Iterator[str]:
    if isinstance(stage, RelationalStage):
        yield from _lines(stage)
    else:
        yield f"the operator of [{render_window(stage.cut.window)}]" if hasattr(stage, "cut") else "an operator of one stream"


def instants_of(window: Window) -> str:
    """When the relation of a window changes."""
    if isinstance(window, Now):
        return "each timestamp, and right after it"
    if isinstance(window, EveryInstant | SlideByTuple):
        return "each arrival and each expiry"
    if isinstance(window, RowWindow):
        return "each timestamp at which a window ends"
    return "each evaluation of its windows"
