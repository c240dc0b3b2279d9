"""What a concrete view is given (seed 003, section 1): the state at each instant, of which it holds the last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from transom.column_names import EVENT_TS
from transom.plan.relations.changes import INSTANT, THERE, Changes
from transom.reference.outcome import Result
from transom.reference.relations.held import Held
from transom.semantics.states import Instant


def every_state(
    node: Changes, final: Iterable[tuple[Instant, int]], state: Callable[[Instant], list[Held]], value: Callable[[Any], Any]
) -> Iterator[Result]:
    """All rows of the relation at each instant, and where it is empty a row that says so."""
    for instant, left_at in final:
        at = value(instant.at)
        rows = [row.values for row in state(instant)]
        for values in rows or [dict.fromkeys(node.input.schema.names)]:
            yield Result({EVENT_TS: at, **values, THERE: bool(rows), INSTANT: at}, left_at)
