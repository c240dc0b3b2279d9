"""Where results go."""

from __future__ import annotations

from dataclasses import dataclass

from transom.plan.nodes.relational import Unary
from transom.plan.nodes.stream import Endpoint


@dataclass(frozen=True)
class Insert(Unary):
    """`INSERT INTO ... SELECT ...`."""

    target: Endpoint

    def label(self) -> str:
        return f"Insert {self.target.kind} {self.target.name}"
