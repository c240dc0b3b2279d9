"""The tuples that a query left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from transom.column_names import FRONTIER, INPUT_NAME
from transom.errors import NotSupported, ReservedName
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan, Unary
from transom.plan.nodes.windowed import Cut, Frames
from transom.plan.types.schema import IMPLICIT, Column, Schema


@dataclass(frozen=True)
class LateOf(Unary):
    """`LATE OF q`: the tuples that missed a window of q, with the frontier that excluded them; a stream `called` so.

    A tuple has the columns that the window took it with. Of a query over several inputs, the column `input` names the one that
    left it out; columns of the others are NULL.
    """

    name: str
    called: str | None = None

    def __post_init__(self) -> None:
        for _, node in self.leaves:
            if not any(isinstance(one, Scan) for one in node.chain()):
                raise NotSupported(
                    "streams that are joined or united in step leave out what is late, each its own",
                    given=f"LATE OF {self.name}",
                    remedy="ask for the late tuples of each of them",
                )
        beside = (INPUT_NAME, FRONTIER) if self.late_inputs else (FRONTIER,)
        own = [column.name for _, columns in self.taken for column in columns]
        for name in own:
            if name.lower() in beside:
                raise ReservedName(
                    f"late tuples come with {' and '.join(f'a column `{one}`' for one in beside)}: the frontier that excluded "
                    "them, and of several inputs the name of theirs",
                    given=name,
                    exists=own,
                    remedy="give the column of the stream another name",
                )

    @cached_property
    def leaves(self) -> tuple[tuple[str, Node], ...]:
        """The streams that tuples can be late for, from left to right, each with the name of its input."""
        return tuple(self.late_inputs.items()) or ((self.name, self.input),)

    @cached_property
    def taken(self) -> tuple[tuple[str, tuple[Column, ...]], ...]:
        """Of each input, the columns with which its window takes tuples."""
        return tuple((name, taken_by(node).schema.columns) for name, node in self.leaves)

    @cached_property
    def schema(self) -> Schema:
        _, first = self.leaves[0]
        frontier = Column(FRONTIER, (first_window(first) or first).frontier_type)
        kept = {here: column for (_, column), here in self.owners.items()}
        columns = tuple(Column(here, one.type) for here, one in kept.items())
        if self.late_inputs:
            return Schema((Column(INPUT_NAME, "STRING"), *columns, frontier))
        return Schema((*columns, frontier), IMPLICIT)

    @cached_property
    def owners(self) -> dict[tuple[str, Column], str]:
        """The name here of each column of an input: one that means another type elsewhere has the input's."""
        found: dict[tuple[str, Column], str] = {}
        types: dict[str, str] = {}
        for name, columns in self.taken:
            for column in columns:
                alike = types.setdefault(column.name.lower(), column.type) == column.type
                known = alike and (column.type != "UNKNOWN" or not any(here == column.name for here in found.values()))
                found[name, column] = column.name if known else f"{name}.{column.name}"
        return found

    @property
    def time_attribute(self) -> str | None:
        return FRONTIER if self.late_inputs else taken_by(self.input).time_attribute

    @property
    def is_windowed(self) -> bool:
        return False

    def label(self) -> str:
        return f"LateOf {self.name}"


def taken_by(node: Node) -> Node:
    """What a stream gives to the first of its windows, which is where tuples are late."""
    first = first_window(node)
    return node if first is None else first.input


def first_window(node: Node) -> Cut | Frames | None:
    """The window or the frames that read a stream as it comes."""
    return next((one for one in reversed(list(node.chain())) if isinstance(one, Cut | Frames)), None)
