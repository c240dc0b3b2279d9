"""UNION, INTERSECT and EXCEPT of relations, at each instant of either side (seed 002, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from transom.column_names import EVENT_TS, WINDOW_END
from transom.errors import BadQuery, UnboundedState
from transom.plan.nodes.in_step import InStep
from transom.plan.nodes.node import Node
from transom.plan.nodes.union import common_type
from transom.plan.relations.stamps import axis_column, named_inputs
from transom.plan.types.bounds import common_bounds
from transom.plan.types.schema import Column, Schema

OPERATIONS = ("UNION", "INTERSECT", "EXCEPT")


@dataclass(frozen=True)
class SetOperation(InStep):
    """Two relations as bags: with `every` (ALL) k1 + k2, min(k1, k2) or max(0, k1 - k2) of equal rows; without it, as sets.

    Columns go by their place, and have the names that the first relation gives them.
    """

    operation: str
    left: Node
    right: Node
    every: bool = False

    def __post_init__(self) -> None:
        if self.operation not in OPERATIONS:
            raise BadQuery("this is no set operation", given=self.operation, exists=OPERATIONS, remedy="use one of those")
        if not any(node.is_windowed for node in self.inputs):
            raise UnboundedState(
                f"{self.operation} of streams without windows would have to keep all that ever came",
                given=f"{self.left.label()} and {self.right.label()}",
                remedy="put a window behind each stream, for example [TUMBLE 5 MINUTES]",
            )
        for node in self.inputs:
            if not node.is_windowed:
                raise BadQuery(
                    f"{self.operation} is of two windows, or of two streams",
                    given=f"{self.left.label()} and {self.right.label()}",
                    remedy="put a window behind the other stream, too",
                )
        one, two = self.left.schema.columns, self.right.schema.columns
        alike = len(one) == len(two) and all(common_type(a.type, b.type) is not None for a, b in zip(one, two, strict=True))
        if not alike:
            raise BadQuery(
                f"the sides of {self.operation} have as many columns, of the same types",
                given=" and ".join(f"({', '.join(f'{column.name} {column.type}' for column in each)})" for each in (one, two)),
                remedy="select or cast what is common",
            )
        axes = [axis_column(node).type for node in self.inputs]
        if common_bounds(*axes) is None:
            raise BadQuery(
                f"the sides of {self.operation} have instants of one type",
                given=" and ".join(axes),
                remedy="window both on a timestamp, or both on a number",
            )

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    @property
    def late_inputs(self) -> dict[str, Node]:
        return named_inputs((None, node) for node in self.inputs)

    @cached_property
    def schema(self) -> Schema:
        pairs = zip(self.left.schema.columns, self.right.schema.columns, strict=True)
        columns = tuple(Column(one.name, common_type(one.type, other.type) or one.type) for one, other in pairs)
        axis = axis_column(self).type
        taken = {column.name.lower() for column in columns}
        stamps = (Column(WINDOW_END, axis), Column(EVENT_TS, axis))
        return Schema(columns, tuple(column for column in stamps if column.name not in taken))

    @property
    def is_windowed(self) -> bool:
        return True

    def label(self) -> str:
        return f"SetOperation {self.operation}{' ALL' if self.every else ''}"
