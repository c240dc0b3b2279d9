"""Relational operators as stages of a plan: what each takes of its inputs, and what it gives."""

from __future__ import annotations

import hashlib
import json
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from transom.column_names import KEY, OWN, THERE
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.operators.as_of_operator import AsOfRecord
from transom.kernels.relations.operators.group_operator import GroupRecord
from transom.kernels.relations.operators.join_operator import JoinRecord
from transom.kernels.relations.operators.multiplicity_operator import LOOKING, MultiplicityRecord
from transom.kernels.relations.operators.registry import Record
from transom.kernels.relations.pair_conditions import PairCondition
from transom.kernels.spec import Computed
from transom.plan.nodes.node import Node
from transom.plan.quoted import quoted
from transom.planner.aggregate_calls import WrittenAggregate, with_tables
from transom.planner.relations.inputs import AnyInput, StreamInput, Texts
from transom.semantics.length import Number

Types = dict[str, pa.DataType]


@dataclass(frozen=True)
class RelationalStage(ABC):
    """One relational operator, and the nodes above it."""

    node: Node
    inputs: tuple[AnyInput, ...]
    above: tuple[Node, ...] = ()
    written: str = ""
    looked_at: bool = False
    """Whether a window that slides by tuple is below, and this is the operator that knows all instants: at those rows change."""

    only_late = False
    partition_by: tuple[str, ...] = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called."""

    @property
    @abstractmethod
    def gives_changes(self) -> bool:
        """Whether it says what enters and leaves, for an operator above, or gives the rows of a stream."""

    def operator(self, inputs: tuple[Input, ...], places: int) -> Record:
        """The operator, given its inputs; `places` is how many places of the axis one unit has."""
        return self.record(tuple(replace(one, looked_at=self.looked_at) for one in inputs), places)

    @abstractmethod
    def record(self, inputs: tuple[Input, ...], places: int) -> Record:
        """The operator of these inputs."""

    @abstractmethod
    def output(self, types: list[Types]) -> Types:
        """The columns that come out, given those that go in."""

    @property
    def shards_by(self) -> bool:
        """Whether rows can be spread over shards: by the columns that make them meet."""
        together = all(one.stage.keeps_together for one in self.inputs if isinstance(one, StreamInput))
        return together and bool(self.inputs[0].carried.keys) and not self.looked_at

    @property
    def spread(self) -> str:
        """What rows are spread over shards by, in words."""
        if not self.shards_by:
            return "in one shard"
        keys = zip(*([text.replace("`", "") for _, text in one.carried.keys] for one in self.inputs), strict=True)
        return "spread by " + ", ".join(dict.fromkeys(" = ".join(dict.fromkeys(pair)) for pair in keys))

    @property
    def kept(self) -> str:
        """Its state, in words."""
        return "the rows that are in their windows, once"

    @property
    def fingerprint(self) -> str:
        """What the state depends on."""
        below = [[one.fingerprint, one.carried.texts()] for one in self.inputs]
        about = [below, self.name, self.described]
        return self.written or hashlib.sha256(json.dumps(about, default=str).encode()).hexdigest()[:16]

    @property
    @abstractmethod
    def described(self) -> str:
        """The operator itself, in one line."""

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        """The select list over what comes out, and a condition on it."""
        return [(name, quoted(name)) for name in self.node.schema.names], None


@dataclass(frozen=True)
class JoinStage(RelationalStage):
    """A join of two inputs: a stream of pairs, or the changes of their relation. `items` are its columns over what comes out.

    The timestamps of pairs are up to `back` before the instant; None where they may be of any age.
    """

    kind: str = "inner"
    changes: bool = False
    items: Texts = ()
    residual: str | None = None
    condition: PairCondition | None = None
    least: int | None = None
    most: int | None = None
    back: Number | None = 0

    @property
    def name(self) -> str:
        return f"{self.kind} join"

    @property
    def gives_changes(self) -> bool:
        return self.changes

    @property
    def described(self) -> str:
        form, on = "relation" if self.changes else "stream", "" if self.condition is None else f" {self.condition}"
        return f"{self.kind} {form} {self.least} {self.most}{on}"

    def record(self, inputs: tuple[Input, ...], places: int) -> Record:
        left, right = inputs
        keys = tuple(name for name, _ in self.inputs[0].carried.keys)
        least, most = (None if bound is None else bound * places for bound in (self.least, self.most))
        back = None if self.back is None else math.ceil(self.back * places)
        return JoinRecord((left, right), self.kind, keys, self.changes, least, most, back, self.condition)

    def output(self, types: list[Types]) -> Types:
        sides = types[:1] if self.kind in ("semi", "anti") else types
        return {name[2:]: kind for side in sides for name, kind in side.items() if name.startswith(OWN)}

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        return list(self.items), self.residual


@dataclass(frozen=True)
class GroupStage(RelationalStage):
    """Groups of a relation, and their aggregates, which see rows in an `order` where that matters: by columns, the first counting
    most, with NULLs first or last. `tables` are those that users' aggregates read."""

    calls: tuple[WrittenAggregate, ...] = ()
    items: Texts = ()
    having: str | None = None
    order: tuple[tuple[str, bool], ...] = ()
    tables: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        return "group"

    @property
    def kept(self) -> str:
        return "the rows that are there, and the values of each group"

    @property
    def gives_changes(self) -> bool:
        return True

    @property
    def described(self) -> str:
        return ", ".join(call.text for call in self.calls)

    def record(self, inputs: tuple[Input, ...], places: int) -> GroupRecord:
        (rows,) = inputs
        computed = tuple(Computed(with_tables(call.call, self.tables), call.args) for call in self.calls)
        return GroupRecord((rows,), tuple(name for name, _ in self.inputs[0].carried.keys), computed, self.order)

    def output(self, types: list[Types]) -> Types:
        return {name[2:]: kind for name, kind in types[0].items() if name.startswith(KEY)}

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        return list(self.items), self.having


@dataclass(frozen=True)
class MultiplicityStage(RelationalStage):
    """How often each row is there: DISTINCT, set operations, and what appeared, disappeared, or is there at each instant."""

    operation: str = "all"
    gives: str = "states"
    items: Texts = ()

    @property
    def kept(self) -> str:
        return "each distinct row with how often it is there"

    @property
    def name(self) -> str:
        return {"all": self.gives, "distinct": "distinct"}.get(self.operation, self.operation)

    @property
    def gives_changes(self) -> bool:
        return self.gives == "changes"

    @property
    def shards_by(self) -> bool:
        """States are looked at whenever a tuple of any shard changes something: one that reads a stream hears of its own
        tuples alone."""
        alone = self.gives not in LOOKING or not any(isinstance(one, StreamInput) for one in self.inputs)
        return alone and super().shards_by

    @property
    def described(self) -> str:
        return f"{self.operation} {self.gives}"

    def record(self, inputs: tuple[Input, ...], places: int) -> MultiplicityRecord:
        columns = tuple(tuple(name for name, _ in one.carried.columns) for one in self.inputs)
        return MultiplicityRecord(inputs, self.operation, self.gives, columns)

    def output(self, types: list[Types]) -> Types:
        made = {name[2:]: kind for name, kind in types[0].items() if name.startswith(OWN)}
        return {**made, THERE: pa.bool_()} if self.gives == "latest" else made

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        return list(self.items), None


@dataclass(frozen=True)
class AsOfStage(RelationalStage):
    """An as-of join."""

    strictly: bool = False
    within: int | None = None
    outer: bool = False
    items: Texts = ()

    @property
    def name(self) -> str:
        return "as-of join"

    @property
    def kept(self) -> str:
        return "one row per key of the right input, and rows that wait"

    @property
    def gives_changes(self) -> bool:
        return False

    @property
    def described(self) -> str:
        return f"{self.strictly} {self.within} {self.outer}"

    def record(self, inputs: tuple[Input, ...], places: int) -> AsOfRecord:
        left, right = inputs
        keys = tuple(name for name, _ in self.inputs[0].carried.keys)
        within = None if self.within is None else self.within * places
        return AsOfRecord((left, right), keys, self.strictly, within, self.outer)

    def output(self, types: list[Types]) -> Types:
        return {name[2:]: kind for side in types for name, kind in side.items() if name.startswith(OWN)}

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        return list(self.items), None
