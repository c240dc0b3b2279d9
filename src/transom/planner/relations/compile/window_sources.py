"""The inputs of relational operators: streams with a window, which an operator reads itself, and operators below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from transom.column_names import ARRIVED, EVENT_TS, STAMP, WID, WINDOW_END, WINDOW_START
from transom.errors import NotSupported
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Filter, Project, Scan, Sort, TableJoin, Unary
from transom.plan.nodes.windowed import Aggregate, Cut, Frames
from transom.plan.quoted import quoted
from transom.plan.reading import disorder_of, order_of
from transom.planner.relations.compile.carried_texts import (
    INSTANT,
    PARTITION,
    KnownParts,
    Parts,
    by_name,
    everything,
    known,
    rows_of,
    standing_for,
)
from transom.planner.relations.compile.relational_nodes import has_relational, is_relational, needs_relations
from transom.planner.relations.inputs import (
    ARRIVED_STAMP,
    AnyInput,
    Carried,
    ChangedInput,
    StreamInput,
    StreamStage,
    substituted,
)
from transom.planner.relations.relational_stages import MultiplicityStage, RelationalStage
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.length import measure
from transom.semantics.tuples import Position
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Window

if TYPE_CHECKING:
    from transom.planner.relations.compile.compiler import Compiler

BETWEEN = (Project, Filter, Extend, TableJoin, Sort, Derived)
"""What stands between operators and is computed row by row."""

Carries = Callable[[Parts], Carried]


def source(compiler: Compiler, node: Node, carried: Carries, *, lasting: bool = False) -> AnyInput:
    """An input of an operator. Of `lasting` rows one that is the same at two instants is one row, and not two that follow one
    another."""
    above: list[Node] = []
    below = node
    while isinstance(below, BETWEEN):
        above.append(below)
        below = below.input
    above = [one for one in reversed(above) if not isinstance(one, Sort)]
    if isinstance(below, Cut | Aggregate) and not has_relational(below) and not is_relational(below):
        found = None if isinstance(below, Cut) and compiler.several else reported(compiler, node, carried, lasting=lasting)
        if found is not None:
            return found
    if isinstance(below, Cut):
        return _stream(compiler, below, above, carried)
    stage = compiler.relation(below)
    check_names(stage, above)
    hidden = [] if any(isinstance(one, Project) for one in above) else [name for name, _ in stage.finish()[0]]
    own = {EVENT_TS, WINDOW_END} - {name.lower() for name in node.schema.names}
    parts = by_name([*hidden, *node.schema.names]) | dict.fromkeys(own, EVENT_TS) | {EVENT_TS: EVENT_TS}
    return ChangedInput((stage,), tuple(above), carried(KnownParts(parts)))


def reported(compiler: Compiler, node: Node, carried: Carries, *, lasting: bool = False) -> ChangedInput | None:
    """The relation of a sliding window, or of sessions, as its own operator reports it at each instant."""
    cut = next((one for one in node.chain() if isinstance(one, Cut)), None)
    base = None if cut is None else base_of(cut.window)
    if cut is None or cut.timestamp != "instant" or not isinstance(base, Sliding | Session):
        return None
    listed = _listed(node)
    made, between = compiler.chained(_on_time(listed) if compiler.several else listed)
    window: Window = Now(wattr=EVENT_TS) if isinstance(base, Session) else EveryInstant(range=base.slide, wattr=EVENT_TS)
    stages, pending = tuple(made), tuple(one for one in between if not isinstance(one, Sort))
    parts = by_name(node.schema.names) | INSTANT
    if not lasting:
        return ChangedInput(stages, pending, carried(KnownParts(parts)), window)
    reports = ChangedInput(stages, pending, rows_of(node.schema.names, parts), window)
    items = tuple((name, quoted(name)) for name in node.schema.names)
    stages = (MultiplicityStage(node, (reports,), gives="changes", items=items),)
    return ChangedInput(stages, (), carried(KnownParts(parts)))


def _listed(node: Node) -> Node:
    """A query that lists the tuples of its window, where it has no select list."""
    above = list(node.chain())
    above = above[: next(n for n, one in enumerate(above) if isinstance(one, Cut))]
    return node if any(isinstance(one, Aggregate | Project) for one in above) else everything(node)


def _on_time(node: Node) -> Node:
    """A query whose window leaves late tuples out: of several inputs, results are fixed tuple by tuple."""
    if isinstance(node, Cut):
        return replace(node, disorder=replace(node.disorder, late="consistent"))
    assert isinstance(node, Unary)
    return replace(node, input=_on_time(node.input))


def _stream(compiler: Compiler, cut: Cut, above: list[Node], carried: Carries) -> AnyInput:
    """A stream with a window: one that is read, or one that operators below make."""
    base = base_of(cut.window)
    _check_window(base)
    *below, bottom = cut.input.chain()
    scan, stages = None, ()
    if isinstance(bottom, Scan) and not any(isinstance(one, Cut | Frames) or needs_relations(one) for one in below):
        scan, pending = bottom, tuple(reversed(below))
    else:
        made, between = compiler.chained(cut.input)
        stages, pending = tuple(made), tuple(between)
    tables = [node for node in above if isinstance(node, TableJoin)]
    if tables and isinstance(base, RowWindow):
        raise NotSupported(
            "a table is joined with a window of rows before the rows are counted, or after the join",
            given=tables[0].label(),
            remedy="join the table in a stream of its own, and window that; or select from the join",
        )
    known_order = scan is None or scan.stream.order_by is not None
    stage = StreamStage(scan, (*pending, *tables), Project(cut, ()), disorder_of(scan, cut), order_of(scan), known_order, cut=cut)
    names = [*cut.schema.names, *(column.name for column in cut.input.schema.hidden)]
    added = [name for table in tables for name in table.schema.names]
    parts = by_name([*names, *added]) | _stamps(base, str(stage.attribute)) | {EVENT_TS: quoted(str(stage.attribute))}
    parts[ARRIVED] = ARRIVED_STAMP
    own = {f"{PARTITION}{n}": quoted(name) for n, name in enumerate(partition_columns(cut.window))}
    picked = [cut.window.where.text] if isinstance(cut.window, Filtered) else []
    for node in above:
        if isinstance(node, Filter):
            picked.append(substituted(node.condition, known(node.condition, parts)))
        elif isinstance(node, Project):
            kept = {name: text for name, text in parts.items() if name == EVENT_TS or text.startswith(STAMP)}
            parts = kept | {name.lower(): standing_for(item, parts) for name, item in node.items}
        elif isinstance(node, Extend):
            parts = parts | {name.lower(): standing_for(item, parts) for name, item in node.items}
    wanted = " AND ".join(f"({text})" for text in picked) or None
    return StreamInput(replace(stage, carried=carried(KnownParts({**parts, **own})), picked=wanted), stages)


def _stamps(base: Window, attribute: str) -> dict[str, str]:
    """What a window stamps on a tuple, where it is the same as long as the tuple is there: the tuple is in one extent."""
    if isinstance(base, Now):
        return {WINDOW_START: quoted(attribute), WINDOW_END: quoted(attribute)}
    if isinstance(base, Sliding) and measure(base.range) <= measure(base.slide):
        return {name: f"{STAMP}{name}" for name in (WINDOW_START, WINDOW_END, WID)}
    return {}


def _check_window(base: Window) -> None:
    if isinstance(base, RowWindow) and isinstance(base.wattr, Position):
        raise NotSupported(
            "rows that are numbered in the data have no states that a join, a set operation or a stream of changes could look at",
            given=f"WATTR {base.wattr}",
            remedy="leave WATTR out: rows are counted as they come; or count them in the order of a column, WATTR rank(...)",
        )


def check_names(stage: RelationalStage, above: list[Node]) -> None:
    """What stands above an operator names what it gives."""
    names = {name.lower() for name, _ in stage.finish()[0]} | {EVENT_TS}
    for node in above:
        if isinstance(node, Filter | Project | Sort):
            unknown = [column for item in _spelled(node) for column in item.columns if column.lower() not in names]
            if unknown:
                raise NotSupported(
                    "this column of an input is not carried through joins and set operations",
                    given=unknown[0],
                    remedy="select window_end or event_ts of the result",
                )
        if isinstance(node, Project | Extend):
            own = {name.lower() for name, _ in node.items}
            names = own | {EVENT_TS} if isinstance(node, Project) else names | own
        elif isinstance(node, TableJoin):
            return


def _spelled(node: Filter | Project | Sort) -> list[Any]:
    if isinstance(node, Filter):
        return [node.condition]
    return list(node.by) if isinstance(node, Sort) else [item for _, item in node.items]
