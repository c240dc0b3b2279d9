"""A join of two queries over windows, in step: rows that belong to the same instant (seed 001, figure 6)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from transom.column_names import EVENT_TS
from transom.errors import BadQuery, NotSupported
from transom.plan.nodes.in_step import InStep
from transom.plan.nodes.node import Node
from transom.plan.types.bounds import common_bounds
from transom.plan.types.schema import NUMBER_TYPES, Column, Schema
from transom.semantics.sql_type import SqlType


@dataclass(frozen=True)
class Join(InStep):
    """Two inputs, joined where keys and instants are equal. It has one frontier, the smaller of theirs.

    `names` are what the query calls the inputs, `instants` the column of each that is its instant, `on` the other columns that
    are compared, in pairs; of columns that `using` names there is one.
    """

    left: Node
    right: Node
    names: tuple[str, str]
    instants: tuple[str, str]
    on: tuple[tuple[str, str], ...] = ()
    kind: str = "INNER"
    using: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in ("INNER", "LEFT"):
            raise NotSupported(
                "streams are joined as INNER or LEFT", given=f"{self.kind} JOIN", remedy="turn it round, or use LEFT"
            )
        if self.names[0].lower() == self.names[1].lower():
            raise BadQuery(
                "both sides of a join have the same name", given=self.names[0], remedy="give each a name of its own with AS"
            )
        for one, other in ((self.instants[0], self.instants[1]), *self.on):
            left, right = self.left.schema.find(one, self.names[0]), self.right.schema.find(other, self.names[1])
            if _kind(left) != _kind(right):
                raise BadQuery(
                    "columns of different types are never equal",
                    given=f"{self.names[0]}.{left.name} {left.type}, {self.names[1]}.{right.name} {right.type}",
                    remedy="cast one of them in its query",
                )

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    @cached_property
    def owners(self) -> dict[tuple[int, str], str]:
        """The name here of each column of an input: its own, with the input's before it where that would not tell."""
        shared = {name.lower() for name in self.using}
        both = {name.lower() for name in self.left.schema.names} & {name.lower() for name in self.right.schema.names}
        found: dict[tuple[int, str], str] = {}
        for n, node in enumerate(self.inputs):
            for name in node.schema.names:
                if name.lower() in shared:
                    found[n, name.lower()] = found.get((0, name.lower()), name)
                else:
                    clear = name.lower() not in both and name.lower() != EVENT_TS
                    found[n, name.lower()] = name if clear else f"{self.names[n]}.{name}"
        return found

    def columns_of(self, side: int) -> dict[str, str]:
        """The columns that come from an input: names here, and names there."""
        names = self.inputs[side].schema.names
        once = {name.lower() for name in self.using} if side else set()
        return {self.owners[side, name.lower()]: name for name in names if name.lower() not in once}

    @cached_property
    def schema(self) -> Schema:
        columns = [
            Column(name, node.schema.find(there).type)
            for side, node in enumerate(self.inputs)
            for name, there in self.columns_of(side).items()
        ]
        left, right = (node.schema.find(name).type for node, name in zip(self.inputs, self.instants, strict=True))
        return Schema(tuple(columns), (Column(EVENT_TS, common_bounds(left, right) or left),))

    @property
    def makes_boundaries(self) -> bool:
        return all(node.makes_boundaries for node in self.inputs)

    @property
    def keys(self) -> tuple[str, ...]:
        return (EVENT_TS, *(self.owners.get((0, one.lower()), one) for one, _ in self.on))

    @property
    def condition(self) -> list[tuple[str, str]]:
        """What is compared, in pairs: the instants first."""
        return [self.instants, *self.on]

    def label(self) -> str:
        left, right = self.names
        return f"Join {self.kind} on " + " AND ".join(f"{left}.{one} = {right}.{other}" for one, other in self.condition)


def _kind(column: Column) -> str:
    """Types that are compared as they are; numbers are, with each other."""
    base = SqlType.of(column.type).name
    return "a number" if base in NUMBER_TYPES else base
