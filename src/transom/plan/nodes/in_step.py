"""What nodes of several inputs have in common that stay in step with all of them."""

from __future__ import annotations

from transom.column_names import EVENT_TS
from transom.plan.nodes.node import Node


class InStep(Node):
    """A node with one frontier, the smallest of its inputs'; its rows have the instant that all of them have passed."""

    @property
    def time_attribute(self) -> str | None:
        return EVENT_TS

    @property
    def gives_instants(self) -> bool:
        return True

    @property
    def carries_progress(self) -> bool:
        return all(node.carries_progress for node in self.inputs)

    @property
    def is_blocking(self) -> bool:
        return True
