"""What the columns of several inputs are called in the query that joins them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from transom.errors import BadQuery
from transom.plan.nodes.node import Node
from transom.plan.types.schema import Column


@dataclass(frozen=True)
class Naming:
    """The inputs of a join with the names that the query has for them. A column that `using` names is one for all.

    A name that only one input has stands alone; others have the input's before them, as `a.k`, and so have the columns that an
    input's window stamps on.
    """

    inputs: tuple[Node, ...]
    names: tuple[str, ...]
    using: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        given = [name.lower() for side in range(len(self.inputs)) for name in self._relations(side)]
        twice = next((name for name in given if given.count(name) > 1), None)
        if twice is not None:
            raise BadQuery("both sides of a join have the same name", given=twice, remedy="give each a name of its own with AS")
        for name in self.using:
            for node, called in zip(self.inputs, self.names, strict=True):
                node.schema.find(name, called)

    def _relations(self, side: int) -> set[str]:
        """What a query calls an input, or the relations within it."""
        return {relation for relation, _ in self.inputs[side].qualified.values()} or {self.names[side]}

    @property
    def shared(self) -> set[str]:
        """The columns of USING, in lower case."""
        return {name.lower() for name in self.using}

    @cached_property
    def owners(self) -> dict[tuple[int, str], str]:
        """The name here of each column of an input."""
        found: dict[tuple[int, str], str] = {}
        every = range(len(self.inputs))
        given = Counter(self.written(side, name)[1].lower() for side in every for name in self.inputs[side].schema.names)
        for side, node in enumerate(self.inputs):
            for column in node.schema.columns:
                relation, name = self.written(side, column.name)
                found[side, column.name.lower()] = name if given[name.lower()] == 1 else f"{relation}.{name}"
            for column in node.schema.hidden:
                found.setdefault((side, column.name.lower()), ".".join(self.written(side, column.name)))
        return found

    def written(self, side: int, name: str) -> tuple[str, str]:
        """How a query names a column of an input: by the input, or by the relation within it that the column is of."""
        return self.inputs[side].qualified.get(name.lower(), (self.names[side], name))

    def columns_of(self, side: int) -> dict[str, str]:
        """The columns that `*` takes from an input: names here, and names there."""
        node = self.inputs[side]
        one = {name.lower(): name for name in self.using} if side == 0 else {}
        kept = [name for name in node.schema.names if side == 0 or name.lower() not in self.shared]
        return {one.get(name.lower(), self.owners[side, name.lower()]): name for name in kept}

    def visible(self, sides: tuple[int, ...]) -> tuple[Column, ...]:
        """The columns of inputs."""
        return tuple(
            Column(here, self.inputs[side].schema.find(there).type)
            for side in sides
            for here, there in self.columns_of(side).items()
        )

    def hidden(self, sides: tuple[int, ...]) -> tuple[Column, ...]:
        """What can be named besides: the stamps of each input, and its own column of those that USING makes one of."""
        return tuple(
            Column(here, self.inputs[side].schema.find(there).type)
            for (side, there), here in self.owners.items()
            if side in sides and (there in self.shared or here not in self.columns_of(side))
        )
