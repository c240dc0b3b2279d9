"""The as-of join: one operator for each step, with both inputs as by NOW."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from transom.errors import NotSupported
from transom.plan.nodes.windowed import Cut
from transom.plan.quoted import quoted
from transom.plan.relations.as_of_join import AsOfJoin
from transom.planner.relations.compile.carried_texts import Parts, with_instant
from transom.planner.relations.inputs import Carried
from transom.planner.relations.relational_stages import AsOfStage, RelationalStage
from transom.semantics.length import measure
from transom.semantics.windows.now import Now

if TYPE_CHECKING:
    from transom.planner.relations.compile.compiler import Compiler


def as_of(compiler: Compiler, node: AsOfJoin) -> RelationalStage:
    """The last step of it: what it looks up for is the stream, or what the steps before make."""
    step, last = node.steps[-1], len(node.sides) - 1
    before = node.before
    there = before.owners if isinstance(before, AsOfJoin) else {(0, name.lower()): name for name in before.schema.names}
    columns = [(side, name.lower()) for side, one in enumerate(node.sides) for name in one.schema.names]
    columns = [one for one in columns if one[0] == last or one in there]

    def on_the_left(parts: Parts) -> Carried:
        keys = tuple((str(i), parts[there[side, one.lower()].lower()]) for i, (side, one, _) in enumerate(step.on))
        own = tuple((node.owners[one], parts[there[one].lower()]) for one in columns if one[0] < last)
        return Carried(keys, own)

    def on_the_right(parts: Parts) -> Carried:
        keys = tuple((str(i), parts[other.lower()]) for i, (_, _, other) in enumerate(step.on))
        return Carried(keys, tuple((node.owners[one], parts[one[1]]) for one in columns if one[0] == last))

    inputs = [
        compiler.source(Cut(below, Now(wattr=str(below.time_attribute))), carried)
        for below, carried in ((before, on_the_left), (node.sides[-1], on_the_right))
    ]
    items = [(name, quoted(name)) for name in (node.owners[one] for one in columns)]
    if node.using:
        items += [(name, quoted(node.owners[0, name.lower()])) for name in node.using]
    within = None if step.within is None else measure(step.within)
    if within is not None and Fraction(within).denominator != 1:
        raise NotSupported("WITHIN is a whole number of units", given=str(step.within), remedy="round it")
    return AsOfStage(
        node,
        (inputs[0], inputs[1]),
        strictly=step.strict,
        within=None if within is None else int(within),
        outer=step.kind == "LEFT",
        items=tuple(dict(with_instant(items)).items()),
    )
