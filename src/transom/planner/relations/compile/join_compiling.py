"""Joins of relations: one operator for each step, with the rows of the steps before as its left input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transom.column_names import ARRIVED, EVENT_TS, OWN_TS, WINDOW_END
from transom.errors import NotSupported
from transom.kernels.relations.operators.open_join_operator import OF_LEFT, OF_RIGHT
from transom.plan.expression import Expression
from transom.plan.nodes.windowed import Cut
from transom.plan.quoted import quoted
from transom.plan.relations.stamps import STAMPS, sources_of
from transom.plan.relations.window_join import WindowJoin
from transom.planner.relations.compile.carried_texts import Parts, standing_for
from transom.planner.relations.compile.join_conditions import conditions, needed_above
from transom.planner.relations.compile.pair_compiling import PairCompiler
from transom.planner.relations.compile.reach import reach_of
from transom.planner.relations.inputs import AnyInput, Carried, ChangedInput
from transom.planner.relations.open_join_stage import OpenJoinStage
from transom.planner.relations.relational_stages import JoinStage, RelationalStage
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.varying import Varying

if TYPE_CHECKING:
    from transom.planner.relations.compile.compiler import Compiler


def join(compiler: Compiler, node: WindowJoin, *, changes: bool) -> RelationalStage:
    """The join as a stream of new pairs, or as a relation that changes."""
    made: JoinStage | None = None
    shown = [0]
    owner = {here: side for (side, _), here in node.naming.owners.items()}
    if not changes and len(node.steps) > 1:
        _check_holes(node)
    for n, step in enumerate(node.steps, start=1):
        last = n == len(node.steps)
        keys, least, most, residual = conditions(node, n)
        decides = not changes and any(one.kind != "INNER" for one in node.steps[: min(n, len(node.steps) - 1)])
        pairs = PairCompiler(owner, n)
        condition = pairs.of(residual) if step.kind != "INNER" else None
        if made is None:
            left = _side(compiler, node, 0, [one for one, _ in keys], pairs.left, changes=changes)
        else:
            names = [name for side in shown for name in _names_of(compiler, node, side)]
            kept = [*(f"{OWN_TS}{side}" for side in shown), *(name for name, _ in made.items if name.startswith(ARRIVED))]
            is_open = isinstance(made, OpenJoinStage)
            columns = tuple((name, quoted(name)) for name in [*names, *kept, *([OF_LEFT, OF_RIGHT] if is_open else [])])
            own = tuple((str(i), quoted(one)) for i, (one, _) in enumerate(keys))
            left = ChangedInput((made,), (), Carried(own, columns, tuple(pairs.left.items())), is_open=is_open)
        right = _side(compiler, node, n, [other for _, other in keys], pairs.right, changes=changes)
        if step.shows_right:
            shown.append(n)
        items = (*_items(compiler, node, shown, last=last, changes=changes).items(), *_arrived(left, right, shown))
        made = (OpenJoinStage if decides else JoinStage)(
            node,
            (left, right),
            kind=step.kind.lower(),
            changes=changes or not last,
            items=(*items, *((name, quoted(name)) for name in (OF_LEFT, OF_RIGHT) if decides and not last)),
            residual=" AND ".join(f"({text})" for text in residual if condition is None) or None,
            condition=condition,
            least=least,
            most=most,
            back=reach_of(node) if last and not changes else 0,
        )
    assert made is not None
    return made


def _check_holes(node: WindowJoin) -> None:
    """Pairs of a window that loses tuples and takes them in again come again, and would be joined with others more than once."""
    for side, name in zip(node.sides, node.names, strict=True):
        if any(isinstance(cut, Cut) and isinstance(base_of(cut.window), Varying) for cut in sources_of(side)):
            raise NotSupported(
                "a window whose length varies holds tuples more than once, so pairs of three inputs and more would appear again",
                given=name,
                remedy="make a stream of two of them, and put a window on that; or ask for the relation, with ISTREAM",
            )


def _items(compiler: Compiler, node: WindowJoin, shown: list[int], *, last: bool, changes: bool) -> dict[str, str]:
    """The columns of a step: those of its inputs, their timestamps, and after the last step those of the pair."""
    owners = node.naming.owners
    items = [(owners[side, name], quoted(owners[side, name])) for side in shown for name in _own(compiler, node, side)]
    items += [(f"{OWN_TS}{side}", quoted(f"{OWN_TS}{side}")) for side in shown]
    if last:
        stamp = _timestamp(node, shown)
        items += [(owners[side, EVENT_TS], quoted(f"{OWN_TS}{side}")) for side in shown if (side, EVENT_TS) in owners]
        items += [(WINDOW_END, EVENT_TS), *([] if changes else [(EVENT_TS, stamp)])]
    return dict(items)


def _timestamp(node: WindowJoin, shown: list[int]) -> str:
    """The timestamp of a row. MAX of one that has not a row of each input is the instant at which that shows."""
    each = [quoted(f"{OWN_TS}{side}") for side in shown]
    if node.timestamp == "now" or (node.timestamp == "max" and len(shown) < len(node.sides)):
        return EVENT_TS
    if node.timestamp == "min":
        return f"least({', '.join(each)})" if len(each) > 1 else each[0]
    latest = f"greatest({', '.join(each)})"
    padded = " OR ".join(f"{one} IS NULL" for one in each)
    return latest if all(step.kind == "INNER" for step in node.steps) else f"CASE WHEN {padded} THEN {EVENT_TS} ELSE {latest} END"


def _arrived(left: AnyInput, right: AnyInput, shown: list[int]) -> list[tuple[str, str]]:
    """The numbers of tuples in the order of arrival, of those inputs that are numbered."""
    names = {name for one in (left, right) for name, _ in one.carried.columns}
    return [(name, quoted(name)) for name in (f"{ARRIVED}{side}" for side in shown) if name in names]


def _side(compiler: Compiler, node: WindowJoin, side: int, keys: list[str], given: dict[str, str], *, changes: bool) -> AnyInput:
    """An input of a join, with its columns under the names they have in it, and what a condition on pairs needs of it."""
    owners = node.naming.owners
    there = {owners[side, name]: name for name in _own(compiler, node, side)}
    named = {here: name for (of, name), here in owners.items() if of == side}

    def carried(parts: Parts) -> Carried:
        columns = [(here, parts[name]) for here, name in there.items()]
        columns.append((f"{OWN_TS}{side}", parts[EVENT_TS]))
        if compiler.ordered and ARRIVED in parts:
            columns.append((f"{ARRIVED}{side}", parts[ARRIVED]))
        own = tuple((str(i), parts[named[key]]) for i, key in enumerate(keys))
        called = {here.lower(): name for here, name in named.items()}
        items = {name: Expression(text) for name, text in given.items()}
        arguments = [
            (name, standing_for(item, {one.lower(): parts[called[one.lower()]] for one in item.columns}))
            for name, item in items.items()
        ]
        return Carried(own, tuple(columns), tuple(arguments))

    taken = compiler.source(node.sides[side], carried, lasting=True)
    stamps = _stamps(compiler, node, side)
    if changes and stamps and isinstance(taken, ChangedInput):
        raise NotSupported(
            "a relation below another has one instant for all of its inputs",
            given=owners[side, stamps[0]],
            remedy="select window_end of the result",
        )
    return taken


def _stamps(compiler: Compiler, node: WindowJoin, side: int) -> list[str]:
    """What the window of an input stamps on and the query names."""
    owners, own = node.naming.owners, {name.lower() for name in node.sides[side].schema.names}
    named = [name for name in STAMPS if (side, name) in owners and owners[side, name].lower() in compiler.named]
    return [name for name in named if name != EVENT_TS and name not in own]


def _own(compiler: Compiler, node: WindowJoin, side: int) -> list[str]:
    """The columns of an input, by their names in lower case; with what its window stamps on, where that is named."""
    names = [name.lower() for name in node.sides[side].schema.names]
    needed = needed_above(node)
    kept = [name for name in names if needed is None or node.owners[side, name].lower() in needed]
    return [*kept, *_stamps(compiler, node, side)]


def _names_of(compiler: Compiler, node: WindowJoin, side: int) -> list[str]:
    return [node.naming.owners[side, name] for name in _own(compiler, node, side)]
