"""What every node of a plan answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from transom.plan.types.schema import Schema


class Node(ABC):
    """A node: what it gives, in what order, and whether it has to wait for more than it has seen."""

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """The columns of its rows."""

    @property
    @abstractmethod
    def time_attribute(self) -> str | None:
        """The column its rows are ordered by as a stream."""

    @property
    def child(self) -> Node | None:
        """The node it reads from."""
        return None

    @property
    def inputs(self) -> tuple[Node, ...]:
        """The nodes it reads from, where they are several."""
        return ()

    @property
    def timestamps(self) -> tuple[str, ...]:
        """The columns that hold the timestamp its rows are ordered by."""
        return () if self.time_attribute is None else (self.time_attribute,)

    @property
    def qualified(self) -> Mapping[str, tuple[str, str]]:
        """Columns that a query names by a relation within this one: by their names here, in lower case, both."""
        return {}

    @property
    def is_windowed(self) -> bool:
        """Whether its rows belong to windows, each a finite relation."""
        return self.child is not None and self.child.is_windowed

    @property
    def gives_instants(self) -> bool:
        """Whether its rows have an instant of evaluation, `event_ts`, that it gives them."""
        return False

    @property
    def is_bounded(self) -> bool:
        """Whether it is a table, of which there is an end."""
        return self.child is not None and self.child.is_bounded

    @property
    def is_blocking(self) -> bool:
        """Whether a row of its own has to wait for more of its input than the tuple it comes from."""
        return False

    @property
    def carries_progress(self) -> bool:
        """Whether progress punctuation passes through it."""
        return self.child is not None and self.child.carries_progress

    @property
    def makes_boundaries(self) -> bool:
        """Whether the ends of extents are marked in what it gives."""
        return self.child is not None and self.child.makes_boundaries

    @property
    def late_inputs(self) -> Mapping[str, Node]:
        """The inputs of a join or a set operation, by name, each with late tuples of its own; none where there is one input."""
        return {} if self.child is None else self.child.late_inputs

    @property
    def frontier_type(self) -> str:
        """The type of the frontier by which tuples are late for it."""
        below = self.child or next(iter(self.inputs), None)
        return "UNKNOWN" if below is None else below.frontier_type

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns its state is kept by."""
        return () if self.child is None else self.child.keys

    @abstractmethod
    def label(self) -> str:
        """The node in one line, for EXPLAIN."""

    def chain(self) -> Iterator[Node]:
        """The node and all below it, from the top, down to the stream or to a node of several inputs."""
        yield self
        if self.child is not None:
            yield from self.child.chain()

    def walk(self) -> Iterator[Node]:
        """The node and all below it, the inputs of a node of several one after the other."""
        for node in self.chain():
            yield node
            for below in node.inputs:
                yield from below.walk()
