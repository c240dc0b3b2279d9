"""ISTREAM, DSTREAM and RSTREAM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transom.column_names import EVENT_TS
from transom.column_names import THERE as SHOWN
from transom.errors import NotSupported
from transom.plan.nodes.relational import Distinct, Sort
from transom.plan.quoted import quoted
from transom.plan.relations.changes import INSTANT, LATEST, THERE, Changes
from transom.plan.relations.within_instant import Limit
from transom.planner.relations.compile.carried_texts import check_stamps, rows_of, with_instant
from transom.planner.relations.compile.relational_nodes import has_relational, is_relational
from transom.planner.relations.compile.window_sources import reported
from transom.planner.relations.inputs import AnyInput
from transom.planner.relations.relational_stages import MultiplicityStage, RelationalStage

if TYPE_CHECKING:
    from transom.planner.relations.compile.compiler import Compiler

GIVES = {"ISTREAM": "appeared", "DSTREAM": "disappeared", "RSTREAM": "states", LATEST: "latest"}


def changes(compiler: Compiler, node: Changes) -> RelationalStage:
    if node.kind == LATEST:
        return _latest(compiler, node)
    stamped = node.stamped
    names = [name for name in node.schema.names if name.lower() not in stamped]
    check_stamps(node, f"the rows of {node.kind}")
    _check_kept(node)
    taken = _of_one_window(compiler, node, names) or compiler.source(node.input, lambda parts: rows_of(names, parts))
    items = [(name, EVENT_TS if name.lower() in stamped else quoted(name)) for name in node.schema.names]
    return MultiplicityStage(node, (taken,), gives=GIVES[node.kind], items=tuple(with_instant(items)))


def _latest(compiler: Compiler, node: Changes) -> RelationalStage:
    """What a concrete view takes. Rows of a window that slides are all new at each instant, with what is stamped on them."""
    names = node.input.schema.names
    taken, stamped = _of_one_window(compiler, node, names), set[str]()
    if taken is None:
        check_stamps(node.input, "the rows of a concrete view")
        stamped = {name.lower() for name in node.stamped}
        carried = [name for name in names if name.lower() not in stamped]
        taken = compiler.source(node.input, lambda parts: rows_of(carried, parts))
    items = [(name, EVENT_TS if name.lower() in stamped else quoted(name)) for name in names]
    items += [(THERE, quoted(SHOWN)), (INSTANT, EVENT_TS)]
    return MultiplicityStage(node, (taken,), gives=GIVES[LATEST], items=tuple(with_instant(items)))


def _check_kept(node: Changes) -> None:
    """Of equal rows DISTINCT keeps one, whose own timestamp is the row's."""
    below = node.input
    while isinstance(below, Sort | Limit):
        below = below.input
    if isinstance(below, Distinct) and EVENT_TS in node.stamped.values():
        raise NotSupported(
            "the timestamp of the row that DISTINCT keeps is not carried into a stream of changes",
            given=EVENT_TS,
            remedy="select window_end, the instant; or GROUP BY the columns, and select max or min of the timestamp",
        )


def _of_one_window(compiler: Compiler, node: Changes, names: list[str]) -> AnyInput | None:
    """What changes in a single sliding window, or in sessions: their own operator reports it, and says what is late.

    Other windows leave late tuples out, as joins do.
    """
    if has_relational(node.input) or is_relational(node.input) or any(isinstance(one, Distinct) for one in node.input.walk()):
        return None
    return reported(compiler, node.input, lambda parts: rows_of(names, parts))
