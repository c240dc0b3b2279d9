"""The join of relations: of the states of windows of any types, at each instant (seed 002, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from transom.column_names import EVENT_TS, WINDOW_END
from transom.errors import BadQuery, UnboundedState
from transom.plan.expression import Expression
from transom.plan.nodes.in_step import InStep
from transom.plan.nodes.node import Node
from transom.plan.relations.compared import check_compared, check_equal
from transom.plan.relations.equalities import equalities_of
from transom.plan.relations.naming import Naming
from transom.plan.relations.stamps import axis_column, named_inputs
from transom.plan.types.bounds import common_bounds
from transom.plan.types.schema import Column, Schema

KINDS = ("INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI")
TIMESTAMPS = ("min", "max", "now")


@dataclass(frozen=True)
class JoinStep:
    """How one more input is joined to those before it. The condition has the names of the join's own columns."""

    kind: str
    condition: Expression

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadQuery("this is no kind of join", given=self.kind, exists=KINDS, remedy="use one of those")

    @property
    def shows_right(self) -> bool:
        """Whether the columns of the input can be selected."""
        return self.kind not in ("SEMI", "ANTI")


@dataclass(frozen=True)
class WindowJoin(InStep):
    """Relations joined from left to right, each by a step. It has one frontier, the smallest of theirs.

    `timestamp` is what event_ts is of the rows that make a row: "min" or "max" of theirs, or "now", the instant. `used` are the
    columns that what stands above it names, in lower case, where that is known: others need not be carried.
    """

    sides: tuple[Node, ...]
    names: tuple[str, ...]
    steps: tuple[JoinStep, ...]
    timestamp: str = "min"
    using: tuple[str, ...] = ()
    used: frozenset[str] | None = field(default=None, repr=False)  # fingerprints hold the text of nodes

    def __post_init__(self) -> None:
        if len(self.sides) < 2 or len(self.steps) != len(self.sides) - 1 or len(self.names) != len(self.sides):
            raise BadQuery(
                "a join has two inputs or more, and a step for each after the first",
                given=f"{len(self.sides)} inputs, {len(self.steps)} steps",
                remedy="give one condition for each JOIN",
            )
        if self.timestamp not in TIMESTAMPS:
            raise BadQuery("event_ts is one of these", given=self.timestamp, exists=TIMESTAMPS, remedy="use one of those")
        assert self.naming.names
        for node, name in zip(self.sides, self.names, strict=True):
            if not node.is_windowed:
                raise UnboundedState(
                    f"{name} has no window: each of its rows would wait for its match for ever",
                    given=node.label(),
                    remedy=f"put a window behind {name}, for example [RANGE 5 MINUTES], or bound the distance of the "
                    "timestamps: b.ts BETWEEN a.ts - INTERVAL 1 HOUR AND a.ts",
                )
        first, *others = [axis_column(node).type for node in self.sides]
        for kind in others:
            if common_bounds(first, kind) is None:
                raise BadQuery(
                    "windows that are joined have instants of one type",
                    given=f"{first} and {kind}",
                    remedy="window both on a timestamp, or both on a number",
                )

        self._check_conditions()

    def _check_conditions(self) -> None:
        known = {here: self.sides[n].schema.find(there).type for (n, there), here in self.owners.items()}
        schema = Schema(tuple(Column(name, kind) for name, kind in known.items()))
        for step in self.steps:
            check_compared(step.condition, schema)
        for one, other in (pair for pairs in self.equalities for pair in pairs):
            check_equal(schema.find(one), schema.find(other))

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
        return self.naming.columns_of(side) if side in self.shown else {}

    @property
    def decides_later(self) -> bool:
        """Whether outer, semi or anti joins stand before the last step: as a stream, their rows wait until it shows whether they
        have a match."""
        return any(step.kind != "INNER" for step in self.steps[:-1])

    @property
    def shown(self) -> tuple[int, ...]:
        """The inputs whose columns can be selected: those of SEMI and ANTI can not."""
        return (0, *(n for n, step in enumerate(self.steps, start=1) if step.shows_right))

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.sides

    @property
    def late_inputs(self) -> dict[str, Node]:
        named = zip(self.names, self.sides, strict=True)
        return named_inputs((None if side.qualified else name, side) for name, side in named)

    @cached_property
    def schema(self) -> Schema:
        axis = axis_column(self).type
        hidden = self.naming.hidden(self.shown)
        return Schema(self.naming.visible(self.shown), (*hidden, Column(WINDOW_END, axis), Column(EVENT_TS, axis)))

    @property
    def is_windowed(self) -> bool:
        return True

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns of the first input that the others are equal to: what state is sharded by."""
        pairs = [equalities_of(step.condition, self.naming, n) for n, step in enumerate(self.steps, start=1)]
        first = {one for one, _ in pairs[0]} if pairs else set()
        kept = [one for one in first if all(any(one == left for left, _ in each) for each in pairs)]
        return tuple(sorted(kept))

    @property
    def equalities(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """Of each step, the pairs of columns that it compares for equality."""
        return tuple(equalities_of(step.condition, self.naming, n) for n, step in enumerate(self.steps, start=1))

    def label(self) -> str:
        joined = "".join(
            f" {step.kind} {name} on {step.condition.text}" for name, step in zip(self.names[1:], self.steps, strict=True)
        )
        return f"WindowJoin {self.names[0]}{joined} timestamp {self.timestamp}"
