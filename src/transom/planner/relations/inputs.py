"""The inputs of a relational operator: a stream with a window, read by the operator itself, or an operator below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from transom.column_names import ASIDE, EVENT_TS, KEY, LISTED, OWN, STAMP
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.quoted import quoted
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple

ARRIVED_STAMP = f"{STAMP}arrived"
"""What stands for that number: bucket and the operator count."""

Texts = tuple[tuple[str, str], ...]
"""Columns with the Spark SQL that they are computed by."""


def substituted(item: Expression, parts: Mapping[str, str]) -> str:
    """An expression in which columns, by their names in lower case, are replaced by what they stand for."""

    def spelled(node: exp.Expr) -> exp.Expr:
        text = parts.get(node.name.lower()) if isinstance(node, exp.Column) else None
        return node if text is None else exp.Var(this=f"({text})")

    return item.tree.copy().transform(spelled).sql(dialect="spark", comments=False)


@dataclass(frozen=True)
class Carried:
    """What an input carries: the columns that make rows equal or meet (`keys`), those that come out again, and the arguments of
    aggregates."""

    keys: Texts = ()
    columns: Texts = ()
    arguments: Texts = ()

    def texts(self) -> dict[str, str]:
        """The columns by the names that the operator knows them by."""
        made = {f"{KEY}{name}": text for name, text in self.keys}
        made |= {f"{OWN}{name}": text for name, text in self.columns}
        return made | dict(self.arguments)


@dataclass(frozen=True)
class StreamStage(WindowStage):
    """How a stream goes into a relational operator: by its axis and its progress as into any window, with what the operator
    carries."""

    carried: Carried = field(default_factory=Carried)
    picked: str | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.carried.keys)

    @property
    def listed(self) -> tuple[str, ...]:
        return ()

    @property
    def arguments(self) -> list[str]:
        return []

    @property
    def calls(self) -> list[Any]:
        return []

    @property
    def needs_order(self) -> bool:
        return False

    @property
    def condition(self) -> str | None:
        return self.picked

    @property
    def shard_by(self) -> tuple[str, ...]:
        return self.keys

    @property
    def attribute(self) -> str | None:
        """Rows change the relation at timestamps, whatever they are counted in."""
        return super().attribute or self.order

    def columns(self) -> dict[str, str]:
        made = {name: text for name, text in super().columns().items() if not name.startswith(KEY)}
        stamped = {name: f"CAST(NULL AS {self.cut.schema.find(stamp).type})" for name, stamp in self.stamps}
        stamped |= dict.fromkeys(self.numbered, "CAST(0 AS BIGINT)")
        known = {f"{ASIDE}{name}": quoted(name) for name in self.partition_by}
        return {**made, **self.carried.texts(), **stamped, **known, **self.late_texts}

    @property
    def late_texts(self) -> dict[str, str]:
        """The columns of tuples that may be late, where these are asked for."""
        asked = self.late_number is not None
        return {f"{LISTED}{column.name}": quoted(column.name) for column in self.cut.input.schema.columns} if asked else {}

    @property
    def stamps(self) -> tuple[tuple[str, str], ...]:
        """The columns that bucket computes, and which stamp of the window each is."""
        texts = self.carried.texts().items()
        return tuple((name, text.removeprefix(STAMP)) for name, text in texts if text.startswith(STAMP) and text != ARRIVED_STAMP)

    @property
    def numbered(self) -> tuple[str, ...]:
        """The columns that number tuples as they arrive."""
        return tuple(name for name, text in self.carried.texts().items() if text == ARRIVED_STAMP)

    @property
    def called(self) -> tuple[tuple[str, str], ...]:
        """The keys that its window makes partitions by, and the columns that these are there."""
        known = {quoted(name): f"{ASIDE}{name}" for name in self.partition_by}
        return tuple((f"{KEY}{name}", known[text]) for name, text in self.carried.keys if text in known)

    @property
    def keeps_together(self) -> bool:
        """Whether a partition is in one shard: rows are counted, and sessions found, where all of its tuples are."""
        window = self.window
        if not isinstance(window, RowWindow | Session) and not (isinstance(window, SlideByTuple) and window.slide.count > 1):
            return True
        return {text for _, text in self.carried.keys} <= {quoted(name) for name in self.partition_by}


@dataclass(frozen=True)
class StreamInput:
    """A stream with a window, and what the operator carries of it. Where it is not read, operators below make it."""

    stage: StreamStage
    stages: tuple[Any, ...] = ()

    @property
    def carried(self) -> Carried:
        return self.stage.carried

    @property
    def fingerprint(self) -> str:
        return "+".join([*(stage.fingerprint for stage in self.stages), self.stage.fingerprint])


@dataclass(frozen=True)
class ChangedInput:
    """An operator below, what Spark computes of its rows, and what this operator carries of them. `reports` says that it gives
    the whole relation at each instant, which holds for so long."""

    stages: tuple[Any, ...]
    below: tuple[Node, ...]
    carried: Carried
    reports: Any = None
    is_open: bool = False
    """Whether the operator below decides later which of its rows are rows."""

    @property
    def stamped(self) -> tuple[str, ...]:
        """The columns that say when a row entered."""
        return tuple(name for name, text in self.carried.texts().items() if text == EVENT_TS)

    @property
    def fingerprint(self) -> str:
        return "+".join([*(stage.fingerprint for stage in self.stages), repr(self.below)])


AnyInput = StreamInput | ChangedInput
