"""The order of the rows of a relation, for aggregates that see them one after the other: by the timestamp of a row, then by the
timestamps and the arrival of the tuples that it is made of, from left to right.

Rows of a group, a set operation or DISTINCT are made of no tuple in particular: they are in the order of their columns.
"""

from __future__ import annotations

from dataclasses import replace

from transom.column_names import ARRIVED, OWN_TS
from transom.plan.quoted import quoted
from transom.plan.relations.window_join import WindowJoin
from transom.planner.relations.compile.carried_texts import Parts
from transom.planner.relations.inputs import ARRIVED_STAMP, AnyInput, StreamInput, Texts
from transom.planner.relations.relational_stages import JoinStage, RelationalStage

Order = tuple[tuple[str, bool], ...]
"""Columns, of which the first counts most, and whether NULLs come first."""


ORDER_OF_ARRIVAL = "x@o0"


def in_order(below: AnyInput, names: list[str], parts: Parts) -> tuple[AnyInput, Order]:
    """An input with the columns that its rows are ordered by; `names` are those of its rows, and `parts` what they stand for."""
    texts, order = _texts(below, names, parts)
    if isinstance(below, StreamInput):
        carried = replace(below.carried, arguments=(*below.carried.arguments, *texts))
        return replace(below, stage=replace(below.stage, carried=carried)), order
    return replace(below, carried=replace(below.carried, arguments=(*below.carried.arguments, *texts))), order


def _texts(below: AnyInput, names: list[str], parts: Parts) -> tuple[Texts, Order]:
    if isinstance(below, StreamInput):
        return ((ORDER_OF_ARRIVAL, ARRIVED_STAMP),), (("place", False), (ORDER_OF_ARRIVAL, False))
    top = below.stages[-1]
    sides = arrived_sides(top) if isinstance(top, JoinStage) and below.reports is None else []
    found: list[tuple[str, bool]] = []
    if sides and isinstance(top, JoinStage):
        stamps = ", ".join(quoted(f"{OWN_TS}{side}") for side in sides)
        assert isinstance(top.node, WindowJoin)
        function = {"min": "least", "max": "greatest"}.get(top.node.timestamp)
        if function is not None and len(sides) > 1:
            found.append((f"{function}({stamps})", False))
        for side in sides:
            found += [(quoted(f"{OWN_TS}{side}"), False), (quoted(f"{ARRIVED}{side}"), False)]
    if not isinstance(top, JoinStage) or len(sides) < sum(name.startswith(OWN_TS) for name, _ in top.items):
        found += [(parts[name.lower()], True) for name in names]
    texts = tuple((f"x@o{n}", text) for n, (text, _) in enumerate(found))
    return texts, tuple((name, first) for (name, _), (_, first) in zip(texts, found, strict=True))


def arrived_sides(stage: RelationalStage) -> list[int]:
    """The inputs of a join whose tuples are numbered as they arrive."""
    assert isinstance(stage, JoinStage)
    return sorted(int(name.removeprefix(ARRIVED)) for name, _ in stage.items if name.startswith(ARRIVED))
