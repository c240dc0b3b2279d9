"""What the columns of several inputs are called in the query that joins them."""

from __future__ import annotations

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
        given = [name.lower() for name in self.names]
        twice = next((name for name in given if given.count(name) > 1), None)
        if twice is not None:
            raise BadQuery("both sides of a join have the same name", given=twice, remedy="give each a name of its own with AS")
        for name in self.using:
            for node, called in zip(self.inputs, self.names, strict=True):
                node.schema.find(name, called)

    @property
    def shared(self) -> set[str]:
        """The columns of USING, in lower case."""
        return {name.lower() for name in self.using}

    @cached_property
    def owners(self) -> dict[tuple[int, str], str]:
        """The name here of each column of an input."""
        found: dict[tuple[int, str], str] = {}
        for side, node in enumerate(self.inputs):
            others = {name.lower() for n, one in enumerate(self.inputs) if n != side for name in one.schema.names}
            for column in node.schema.columns:
                clear = column.name.lower() not in others
                found[side, column.name.lower()] = column.name if clear else f"{self.names[side]}.{column.name}"
            for column in node.schema.hidden:
                found.setdefault((side, column.name.lower()), f"{self.names[side]}.{column.name}")
        return found

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
