"""The as-of join: each tuple with the last one of other streams, of the same keys, up to its timestamp."""

from __future__ import annotations

from collections.abc import Mapping
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
class AsOfStep:
    """How one more stream is looked up. The match of a tuple is the stream's last, in the order of timestamps and of arrival,
    whose keys are equal and whose timestamp is not above the tuple's own, or with `strict` below it; `within` bounds how old a
    match may be. `on` are the keys: an earlier input, its column, and the column of the stream that is looked up.
    """

    on: tuple[tuple[int, str, str], ...] = ()
    kind: str = "INNER"
    strict: bool = False
    within: Length | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("INNER", "LEFT"):
            raise BadQuery("an as-of join is inner or left", given=self.kind, remedy="turn it round, or use LEFT")


@dataclass(frozen=True)
class AsOfJoin(InStep):
    """A stream with others that are looked up as of its timestamps, one step after the other."""

    sides: tuple[Node, ...]
    names: tuple[str, ...]
    steps: tuple[AsOfStep, ...]
    using: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        assert self.naming.names
        for node, name in zip(self.sides, self.names, strict=True):
            if node.is_windowed or node.is_bounded or node.time_attribute is None:
                raise BadQuery(
                    "an as-of join is of streams, without windows",
                    given=name,
                    remedy="leave the bracket out; WITHIN bounds how old a match may be",
                )
        for side, step in enumerate(self.steps, start=1):
            self._check(side, step)

    def _check(self, side: int, step: AsOfStep) -> None:
        for of, one, other in step.on:
            found = self.sides[side].schema.find(other, self.names[side])
            check_equal(self.sides[of].schema.find(one, self.names[of]), found)
        times = [self._time(0), self._time(side)]
        if common_bounds(times[0].type, times[1].type) is None:
            raise BadQuery(
                "streams of an as-of join are ordered by timestamps of one type",
                given=f"{times[0].type} and {times[1].type}",
                remedy="order them by columns of the same type",
            )
        if step.within is not None:
            if unit_of(step.within) is not unit_of_type(times[0]):
                raise WrongUnit(
                    f"column {times[0].name!r} is measured in {unit_of_type(times[0]).value}",
                    given=f"WITHIN {step.within}",
                    remedy="give a length in that unit",
                )
            if measure(step.within) < 0:
                raise BadQuery("WITHIN is a length", given=f"WITHIN {step.within}", remedy="give 0 or more")

    def _time(self, side: int) -> Column:
        node = self.sides[side]
        return node.schema.find(str(node.time_attribute), self.names[side])

    @property
    def before(self) -> Node:
        """What the last step looks up for: the stream itself, or its join with the others."""
        if len(self.steps) == 1:
            return self.sides[0]
        return AsOfJoin(self.sides[:-1], self.names[:-1], self.steps[:-1], self.using)

    @cached_property
    def naming(self) -> Naming:
        """What its columns are called."""
        return Naming(self.sides, self.names, self.using)

    @property
    def owners(self) -> dict[tuple[int, str], str]:
        """The name here of each column of an input."""
        return self.naming.owners

    def columns_of(self, side: int) -> dict[str, str]:
        """The columns that `*` takes from an input: names here, and names there."""
        return self.naming.columns_of(side)

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.sides

    @property
    def late_inputs(self) -> dict[str, Node]:
        return named_inputs(zip(self.names, self.sides, strict=True))

    @cached_property
    def schema(self) -> Schema:
        every = tuple(range(len(self.sides)))
        hidden = [column for column in self.naming.hidden(every) if column.name != EVENT_TS]
        return Schema(self.naming.visible(every), (*hidden, Column(EVENT_TS, self._time(0).type)))

    @property
    def timestamps(self) -> tuple[str, ...]:
        return (EVENT_TS, self.owners[0, str(self.sides[0].time_attribute).lower()])

    @property
    def qualified(self) -> Mapping[str, tuple[str, str]]:
        columns = ((here, self.names[side], self.sides[side].schema.find(there)) for (side, there), here in self.owners.items())
        return {here.lower(): (name, column.name) for here, name, column in columns}

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.owners[side, one.lower()] for side, one, _ in self.steps[0].on)

    def label(self) -> str:
        return "AsOfJoin " + ", ".join(self._step_label(side, step) for side, step in enumerate(self.steps, start=1))

    def _step_label(self, side: int, step: AsOfStep) -> str:
        right = self.names[side]
        compared = " AND ".join(f"{self.names[of]}.{one} = {right}.{other}" for of, one, other in step.on)
        on = f" on {compared}" if compared else ""
        within = "" if step.within is None else f" within {step.within}"
        return f"{step.kind} {self.names[0]} {'>' if step.strict else '>='} {right}{on}{within}"
