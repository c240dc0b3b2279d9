"""Window punctuation over a whole plan (seed 004, section 3.4): the plan as a graph of ports, checked before anything runs."""

from __future__ import annotations

from typing import Any

from transom.plan.nodes.applied import Applied
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Filter, Project, Scan, TableJoin
from transom.plan.nodes.windowed import Cut
from transom.plan.panes import PaneAggregate
from transom.semantics.classes.measured import base_of
from transom.windowing import Graph, Inlet, Port, Stream, node_of, preserving
from transom.windowing import Node as Step
from transom.windowing.policy_window import PolicyWindow

OBLIVIOUS = Port(punctuation="oblivious")


def check_punctuation(plan: Node) -> None:
    """Refuse ports that need window punctuation and get none, with the path that was searched."""
    graph_of(plan).check()


def graph_of(plan: Node) -> Graph:
    """The ports of a plan: its streams, what computes row by row, windows, and operators."""
    steps: list[Step] = []
    _add(plan, steps)
    return Graph(steps)


def _add(node: Node, steps: list[Step]) -> Stream:
    """Add a node and all below it; returns the stream that it gives."""
    if isinstance(node, Applied):
        return _operator(node, steps)
    if isinstance(node, Derived) and node.child is not None:
        return _add(node.child, steps)
    if isinstance(node, Scan):
        return _stream(steps, node.stream.name, {}, "free")
    below = tuple(_add(one, steps) for one in ([node.child] if node.child is not None else node.inputs))
    if isinstance(node, Cut) and isinstance(policy := base_of(node.window), PolicyWindow):
        return _stream(steps, NAMES[Cut], {"in": Inlet(Port(), below, policy.policies)}, "generating")
    makes = node.makes_boundaries and not (node.child is not None and node.child.makes_boundaries)
    mode = "generating" if makes else preserving("in")  # a window marks the end of each extent
    return _stream(steps, NAMES.get(type(node), type(node).__name__.lower()), {"in": Inlet(OBLIVIOUS, below)}, mode)


NAMES: dict[type[Node], str] = {Filter: "where", Project: "select", TableJoin: "join", Cut: "window", PaneAggregate: "aggregate"}


def _stream(steps: list[Step], name: str, inlets: dict[str, Inlet], mode: Any) -> Stream:
    step = Step(_unique(name, steps), inlets, {"out": mode})
    steps.append(step)
    return Stream(step.name)


def _operator(node: Applied, steps: list[Step]) -> Stream:
    feeds = {port: _add(feed, steps) for (port, _), feed in zip(node.windows, node.feeds, strict=True)}
    step = node_of(_unique(node.name, steps), node.operator, dict(node.windows), feeds)
    steps.append(step)
    return Stream(step.name, node.output)


def _unique(name: str, steps: list[Step]) -> str:
    taken = {step.name for step in steps}
    return next(one for one in (name, *(f"{name}_{n}" for n in range(2, len(taken) + 3))) if one not in taken)
