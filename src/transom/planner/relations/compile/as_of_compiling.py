"""The as-of join: both inputs as by NOW."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from transom.errors import NotSupported
from transom.plan.nodes.node import Node
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
    owners = node.naming.owners
    inputs = []
    for side, below in enumerate(node.inputs):

        def carried(parts: Parts, side: int = side, below: Node = below) -> Carried:
            keys = tuple((str(i), parts[pair[side].lower()]) for i, pair in enumerate(node.on))
            return Carried(keys, tuple((owners[side, name.lower()], parts[name.lower()]) for name in below.schema.names))

        inputs.append(compiler.source(Cut(below, Now(wattr=str(below.time_attribute))), carried))
    items = [(owners[side, name.lower()],) * 2 for side, below in enumerate(node.inputs) for name in below.schema.names]
    selected = [(name, quoted(name)) for name, _ in items]
    if node.using:
        selected += [(name, quoted(owners[0, name.lower()])) for name in node.using]
    within = None if node.within is None else measure(node.within)
    if within is not None and Fraction(within).denominator != 1:
        raise NotSupported("WITHIN is a whole number of units", given=str(node.within), remedy="round it")
    return AsOfStage(
        node,
        (inputs[0], inputs[1]),
        strictly=node.strict,
        within=None if within is None else int(within),
        outer=node.kind == "LEFT",
        items=tuple(dict(with_instant(selected)).items()),
    )
