"""Punctuation semantics (seed 004, section 3.4): which streams are punctuated, and whether ports get what they need.

A stream is punctuated if exactly one operator has generated the punctuation it carries. A union of punctuated streams is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from transom.errors import BadOperator, NotPunctuated
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import Mode, Port, Preserving, inputs_of, outputs_of
from transom.windowing.policies.configuration import Configuration


@dataclass(frozen=True)
class Stream:
    """What an output port of a node gives."""

    node: str
    output: str = "out"

    def __str__(self) -> str:
        return f"{self.node}.{self.output}"


@dataclass(frozen=True)
class Inlet:
    """An input port as it is used: with a window or none, fed by one stream or several."""

    port: Port
    feeds: tuple[Stream, ...]
    window: Configuration | None = None


@dataclass(frozen=True)
class Node:
    """A source, an operator, a filter, a union: anything with ports. Outputs have their punctuation modes."""

    name: str
    inputs: Mapping[str, Inlet] = field(default_factory=dict)
    outputs: Mapping[str, Mode] = field(default_factory=lambda: {"out": "free"})


@dataclass(frozen=True)
class Path:
    """Where the punctuation of a stream comes from, or how far it was looked for."""

    steps: tuple[str, ...]
    punctuated: bool

    def __str__(self) -> str:
        return " <- ".join(self.steps)

    def behind(self, step: str) -> Path:
        return Path((step, *self.steps), self.punctuated)


def node_of(
    name: str,
    operator: Operator,
    windows: Configuration | Mapping[str, Configuration],
    feeds: Stream | Mapping[str, Stream | tuple[Stream, ...]],
) -> Node:
    """An operator in a graph: its windows and feeds by input port, or one of each."""
    ports = inputs_of(operator.takes)
    only = next(iter(ports))
    by_port = {only: windows} if isinstance(windows, Configuration) else windows
    fed = {only: feeds} if isinstance(feeds, Stream) else feeds
    inlets = {}
    for port, model in ports.items():
        found = fed[port]
        inlets[port] = Inlet(model, (found,) if isinstance(found, Stream) else tuple(found), by_port[port])
    return Node(name, inlets, {port: output.punctuation for port, output in outputs_of(operator.gives).items()})


class Graph:
    """Nodes by name.

    >>> from transom.windowing import punct, tumbling
    >>> sensors = Node("sensors")
    >>> nearest = Node("nearest", {"in": Inlet(Port(), (Stream("sensors"),), tumbling(punct()))}, {"out": "generating"})
    >>> Graph([sensors, nearest]).check()
    Traceback (most recent call last):
    transom.errors.NotPunctuated: NotPunctuated: input 'in' of nearest needs window punctuation, and gets none
      given:  [TUMBLING punct()]; searched: nearest.in <- sensors.out (free)
      remedy: put an operator that generates punctuation before it, or use count, delta or time
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes: dict[str, Node] = {}
        for node in nodes:
            if node.name in self.nodes:
                raise BadOperator("two nodes have the same name", given=node.name, remedy="rename one of them")
            self.nodes[node.name] = node
        for node in self.nodes.values():
            for stream in (stream for inlet in node.inputs.values() for stream in inlet.feeds):
                if stream.node not in self.nodes or stream.output not in self.nodes[stream.node].outputs:
                    exists = [f"{one.name}.{output}" for one in self.nodes.values() for output in one.outputs]
                    raise BadOperator(f"{node.name} is fed by nothing", given=str(stream), exists=exists, remedy="name an output")

    def punctuation(self, stream: Stream, seen: frozenset[Stream] = frozenset()) -> Path:
        """Whether a stream is punctuated, and by what."""
        mode = self.nodes[stream.node].outputs[stream.output]
        step = f"{stream} ({mode})"
        if not isinstance(mode, Preserving) or stream in seen:
            return Path((step,), mode == "generating")
        return self.arriving(stream.node, mode.port, seen | {stream}).behind(step)

    def arriving(self, node: str, port: str, seen: frozenset[Stream] = frozenset()) -> Path:
        """Whether an input port gets punctuation, and from where."""
        feeds = self.nodes[node].inputs[port].feeds
        step = f"{node}.{port}"
        if len(feeds) == 1:
            return self.punctuation(feeds[0], seen).behind(step)
        return Path((step, f"{len(feeds)} streams together: {', '.join(map(str, feeds))}"), punctuated=False)

    def check(self) -> None:
        """Refuse windows that ports do not take, and ports that need punctuation and get none."""
        for node in self.nodes.values():
            for name, inlet in node.inputs.items():
                if inlet.window is not None:
                    path = self.arriving(node.name, name)
                    inlet.port.check(inlet.window, f"input {name!r} of {node.name} ({path})")
                if inlet.port.expects(inlet.window) and not (path := self.arriving(node.name, name)).punctuated:
                    raise NotPunctuated(
                        f"input {name!r} of {node.name} needs window punctuation, and gets none",
                        given=f"{inlet.window or 'no window'}; searched: {path}",
                        remedy="put an operator that generates punctuation before it, or use count, delta or time",
                    )

    def explain(self) -> list[str]:
        """A line for each port: its mode, and where punctuation comes from."""
        lines = []
        for node in self.nodes.values():
            for name, inlet in node.inputs.items():
                mode = "expecting" if inlet.port.expects(inlet.window) else "oblivious"
                path = self.arriving(node.name, name)
                lines.append(f"{node.name}.{name}: {mode}; {'punctuated' if path.punctuated else 'not punctuated'}: {path}")
            lines += [f"{node.name}.{name}: {mode}" for name, mode in node.outputs.items()]
        return lines
