"""ISTREAM, DSTREAM and RSTREAM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transom.errors import NotSupported
from transom.plan.nodes.windowed import Cut
from transom.plan.quoted import quoted
from transom.plan.relations.changes import Changes
from transom.planner.relations.compile.carried_texts import INSTANT, by_name, check_stamps, rows_of, with_instant
from transom.planner.relations.compile.relational_nodes import has_relational
from transom.planner.relations.inputs import AnyInput, ChangedInput
from transom.planner.relations.relational_stages import EVENT_TS, MultiplicityStage, RelationalStage
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Window

if TYPE_CHECKING:
    from transom.planner.relations.compile.compiler import Compiler

GIVES = {"ISTREAM": "appeared", "DSTREAM": "disappeared", "RSTREAM": "states"}


def changes(compiler: Compiler, node: Changes) -> RelationalStage:
    stamped = node.stamped
    names = [name for name in node.schema.names if name.lower() not in stamped]
    check_stamps(node, f"the rows of {node.kind}")
    taken = _of_one_window(compiler, node, names) or compiler.source(node.input, lambda parts: rows_of(names, parts))
    items = [(name, EVENT_TS if name.lower() in stamped else quoted(name)) for name in node.schema.names]
    return MultiplicityStage(node, (taken,), gives=GIVES[node.kind], items=tuple(with_instant(items)))


def _of_one_window(compiler: Compiler, node: Changes, names: list[str]) -> AnyInput | None:
    """What changes in a single window that is measured on an attribute: its own operator reports it, and says what is late.

    Other windows leave late tuples out, as joins do.
    """
    cuts = [one for one in node.walk() if isinstance(one, Cut)]
    if len(cuts) != 1 or has_relational(node.input):
        return None
    base = base_of(cuts[0].window)
    if isinstance(base, EveryInstant | Now | SlideByTuple | RowWindow):
        return None
    if not isinstance(base, Sliding | Session) or cuts[0].timestamp != "instant" or isinstance(node.input, Cut):
        raise NotSupported(
            f"{node.kind} over this window is defined, but not executed yet",
            given=cuts[0].label(),
            remedy="use a sliding or tumbling window, one at every instant, or one of rows",
        )
    made, pending, _ = compiler.chained(node.input)
    parts = by_name(node.input.schema.names) | INSTANT
    lasts: Window = Now(wattr=EVENT_TS) if isinstance(base, Session) else EveryInstant(range=base.slide, wattr=EVENT_TS)
    return ChangedInput(tuple(made), tuple(pending), rows_of(names, parts), lasts)
