"""The relations of a FROM one by one: those that an as-of join made one input of are several again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.naming import Naming
from transom.plan.relations.window_join import WindowJoin


@dataclass(frozen=True)
class FlatNaming:
    """Relations by the names that a query has for them, and what their columns are called in the join of all."""

    names: tuple[str, ...]
    inputs: tuple[Node, ...]
    using: tuple[str, ...]
    owners: Mapping[tuple[int, str], str]
    columns: tuple[Mapping[str, str], ...]
    side: tuple[int, ...]
    """The input of the join that each relation is in."""

    def columns_of(self, side: int) -> Mapping[str, str]:
        """The columns that `*` takes from a relation: names here, and names there."""
        return self.columns[side]


def as_of_below(node: Node) -> AsOfJoin | None:
    """The as-of join that an input of a join is, as such or in its window."""
    while isinstance(node, Filter | Cut):
        node = node.input
    return node if isinstance(node, AsOfJoin) else None


def flat_naming(join: WindowJoin | AsOfJoin) -> FlatNaming:
    """The relations of a join, from left to right."""
    return flattened(join.naming, join.shown if isinstance(join, WindowJoin) else tuple(range(len(join.sides))))


def flattened(naming: Naming, shown: tuple[int, ...]) -> FlatNaming:
    """The relations among the inputs of a join, of which some show their columns."""
    names: list[str] = []
    inputs: list[Node] = []
    owners: dict[tuple[int, str], str] = {}
    columns: list[Mapping[str, str]] = []
    sides: list[int] = []
    for side, node in enumerate(naming.inputs):
        within = as_of_below(node)
        relations: Iterable[tuple[str, Node]] = [(naming.names[side], node)]
        if within is not None:
            relations = zip(within.names, within.sides, strict=True)
        for member, (name, relation) in enumerate(relations):
            own = _own(naming, side) if within is None else _within(naming, side, within, member)
            owners |= {(len(names), there): here for there, here in own.items()}
            taken = naming.columns_of(side) if within is None else _taken(naming, side, within, member)
            columns.append(taken if side in shown else {})
            names.append(name)
            inputs.append(relation)
            sides.append(side)
    return FlatNaming(tuple(names), tuple(inputs), naming.using, owners, tuple(columns), tuple(sides))


def _own(naming: Naming, side: int) -> dict[str, str]:
    return {there: here for (of, there), here in naming.owners.items() if of == side}


def _within(naming: Naming, side: int, join: AsOfJoin, member: int) -> dict[str, str]:
    """The columns of a relation within an input, by their names there, with those in the whole."""
    own = _own(naming, side)
    return {there: own[here.lower()] for (of, there), here in join.owners.items() if of == member and here.lower() in own}


def _taken(naming: Naming, side: int, join: AsOfJoin, member: int) -> dict[str, str]:
    own = _own(naming, side)
    return {own[here.lower()]: there for here, there in join.columns_of(member).items()}
