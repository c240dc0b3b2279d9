"""ISTREAM, DSTREAM and RSTREAM: from a relation that changes at instants to the stream of its rows (CQL)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from transom.column_names import EVENT_TS
from transom.errors import BadQuery
from transom.plan.nodes.relational import Unary
from transom.plan.relations.stamps import axis_column, stamps_of
from transom.plan.types.schema import Column, Schema

KINDS = ("ISTREAM", "DSTREAM", "RSTREAM")
LATEST = "LATEST"
"""What a concrete view takes: all of the relation at the last instant of each micro-batch. SQL has no keyword for it."""
THERE, INSTANT = "view:there", "view:instant"
"""Columns beside those of the relation, of LATEST: false in a row that says that nothing is there; and the instant."""


@dataclass(frozen=True)
class Changes(Unary):
    """What appears in a relation at an instant, what disappears from it, or all of it.

    Rows are compared as bags, by the selected columns without those in `stamped`, which say when a row was seen.
    """

    kind: str

    def __post_init__(self) -> None:
        if self.kind not in (*KINDS, LATEST):
            raise BadQuery("this is no stream of changes", given=self.kind, exists=KINDS, remedy="use one of those")
        if not self.input.is_windowed:
            raise BadQuery(
                f"{self.kind} needs a relation, and a stream without a window is none: each of its tuples appears once",
                given=self.input.label(),
                remedy=f"leave {self.kind} out, or put a window behind the stream, such as [RANGE 5 MINUTES]",
            )

    @cached_property
    def schema(self) -> Schema:
        hidden = (axis_column(self.input),)
        if self.kind == LATEST:
            beside = (Column(THERE, "BOOLEAN"), Column(INSTANT, hidden[0].type))
            return Schema((*self.input.schema.columns, *beside), hidden)
        return Schema(self.input.schema.columns, hidden)

    @property
    def stamped(self) -> dict[str, str]:
        """The columns that are stamped on, and what each says: window_start, window_end, wid or event_ts."""
        return stamps_of(self.input)

    @property
    def time_attribute(self) -> str | None:
        return EVENT_TS

    @property
    def is_windowed(self) -> bool:
        return False

    @property
    def gives_instants(self) -> bool:
        return True

    @property
    def is_blocking(self) -> bool:
        return True

    def label(self) -> str:
        return f"Changes {self.kind}"
