"""What every part of `Relation` stands on: a plan, and how the next relation is made of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from transom.errors import BadQuery
from transom.plan.nodes.node import Node

if TYPE_CHECKING:
    from transom.fluent.relation import Relation, Windowed


def plan_of(method: str, other: object) -> Node:
    """The plan of another relation that a method is given."""
    if not isinstance(other, Planned):
        raise BadQuery(
            f"{method} takes streams and queries of Transom's",
            given=repr(other)[:80],
            remedy='make a DataFrame a stream first: tr.stream(df, order_by="ts")',
        )
    return other.plan


@dataclass(frozen=True, repr=False)
class Planned:
    """Something with a plan."""

    plan: Node

    def _made(self, plan: Node) -> Relation:
        from transom.fluent.relation import Relation

        return Relation(plan)

    def _windowed(self, plan: Node) -> Windowed:
        from transom.fluent.relation import Windowed

        return Windowed(plan)

    def _with(self, plan: Node) -> Relation:
        """Another plan, and the rest unchanged: a window stays one."""
        return replace(self, plan=plan)  # type: ignore[return-value]

    def _called(self) -> tuple[str, ...]:
        """The names of its own that its columns can be qualified with."""
        return ()
