"""The as-of join: each tuple with the last one of the other stream, of the same keys, up to its timestamp."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from transom.column_names import EVENT_TS
from transom.errors import BadQuery, WrongUnit
from transom.plan.nodes.in_step import InStep
from transom.plan.nodes.node import Node
from transom.plan.relations.compared import check_equal
from transom.plan.relations.naming import Naming
from transom.plan.relations.stamps import named_inputs
from transom.plan.types.bounds import common_bounds
from transom.plan.types.schema import Column, Schema, unit_of_type
from transom.semantics.length import Length, measure, unit_of


@dataclass(frozen=True)
class AsOfJoin(InStep):
    """Two streams. The match of a tuple is the last of the other stream's, in the order of timestamps and of arrival, whose keys
    are equal and whose timestamp is not above its own, or with `strict` below it; `within` bounds how old a match may be.
    """

    left: Node
    right: Node
    names: tuple[str, str]
    on: tuple[tuple[str, str], ...] = ()
    kind: str = "INNER"
    strict: bool = False
    within: Length | None = None
    using: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in ("INNER", "LEFT"):
            raise BadQuery("an as-of join is inner or left", given=self.kind, remedy="turn it round, or use LEFT")
        assert self.naming.names
        for node, name in zip(self.inputs, self.names, strict=True):
            if node.is_windowed or node.is_bounded or node.time_attribute is None:
                raise BadQuery(
                    "an as-of join is of two streams, without windows",
                    given=name,
                    remedy="leave the bracket out; WITHIN bounds how old a match may be",
                )
        for one, other in self.on:
            check_equal(self.left.schema.find(one, self.names[0]), self.right.schema.find(other, self.names[1]))
        times = [self._time(0), self._time(1)]
        if common_bounds(times[0].type, times[1].type) is None:
            raise BadQuery(
                "streams of an as-of join are ordered by timestamps of one type",
                given=f"{times[0].type} and {times[1].type}",
                remedy="order them by columns of the same type",
            )
        if self.within is not None:
            if unit_of(self.within) is not unit_of_type(times[0]):
                raise WrongUnit(
                    f"column {times[0].name!r} is measured in {unit_of_type(times[0]).value}",
                    given=f"WITHIN {self.within}",
                    remedy="give a length in that unit",
                )
            if measure(self.within) < 0:
                raise BadQuery("WITHIN is a length", given=f"WITHIN {self.within}", remedy="give 0 or more")

    def _time(self, side: int) -> Column:
        node = self.inputs[side]
        return node.schema.find(str(node.time_attribute), self.names[side])

    @cached_property
    def naming(self) -> Naming:
        """What its columns are called."""
        return Naming(self.inputs, self.names, self.using)

    @property
    def owners(self) -> dict[tuple[int, str], str]:
        """The name here of each column of an input."""
        return self.naming.owners

    def columns_of(self, side: int) -> dict[str, str]:
        """The columns that `*` takes from an input: names here, and names there."""
        return self.naming.columns_of(side)

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    @property
    def late_inputs(self) -> dict[str, Node]:
        return named_inputs(zip(self.names, self.inputs, strict=True))

    @cached_property
    def schema(self) -> Schema:
        hidden = [column for column in self.naming.hidden((0, 1)) if column.name != EVENT_TS]
        return Schema(self.naming.visible((0, 1)), (*hidden, Column(EVENT_TS, self._time(0).type)))

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.owners[0, one.lower()] for one, _ in self.on)

    def label(self) -> str:
        left, right = self.names
        compared = " AND ".join(f"{left}.{one} = {right}.{other}" for one, other in self.on)
        on = f" on {compared}" if compared else ""
        within = "" if self.within is None else f" within {self.within}"
        return f"AsOfJoin {self.kind} {left} {'>' if self.strict else '>='} {right}{on}{within}"
