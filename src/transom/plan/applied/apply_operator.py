"""From an operator, windows and streams to a node of a plan: everything that can be refused without data is refused here."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import isclass

from transom.errors import BadOperator, BadPolicy, nearest
from transom.plan.applied.port_graph import check_punctuation
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.node import Node
from transom.plan.nodes.policies_of_columns import spelled
from transom.windowing import Operator
from transom.windowing.operator.operator_run import OperatorRun
from transom.windowing.operator.ports import inputs_of, outputs_of
from transom.windowing.policies.configuration import Configuration


def applied(
    operator: Operator,
    windows: Configuration | Mapping[str, Configuration],
    feeds: Mapping[str, Node],
    *,
    output: str | None = None,
    per_shard: bool = False,
) -> Applied:
    """An operator in a plan, checked as far as it can be without data: its ports, windows, columns and punctuation."""
    check_operator(operator)
    outputs = outputs_of(operator.gives)
    first = next(iter(outputs)) if output is None else output
    if first not in outputs:
        raise BadOperator(
            f"{type(operator).__name__} has no such output", given=output, exists=outputs, remedy=nearest(first, outputs)
        )
    by_port = _by_port(operator, windows)
    if set(feeds) != set(by_port):
        raise BadOperator(
            f"{type(operator).__name__} needs a stream for each port",
            given=", ".join(feeds),
            exists=by_port,
            remedy="name the stream of each port",
        )
    named = tuple((port, spelled(by_port[port], feeds[port].schema, f"the stream at port {port!r}")) for port in by_port)
    OperatorRun(operator.detached(), dict(named))  # refuses windows that ports do not take, before anything runs
    node = Applied(operator.detached(), named, tuple(feeds[port] for port in by_port), first, per_shard)
    check_punctuation(node)
    return node


def check_operator(operator: object) -> None:
    """Refuse what is not an operator."""
    if isinstance(operator, Operator):
        return
    if isclass(operator) and issubclass(operator, Operator):
        raise BadOperator("an operator is applied as an object", given=operator.__name__, remedy=f"write {operator.__name__}()")
    raise BadOperator(
        "this is no operator",
        given=repr(operator)[:80],
        remedy="derive a class from transom.windowing.Operator, and give an object of it",
    )


def _by_port(operator: Operator, windows: object) -> dict[str, Configuration]:
    ports = list(inputs_of(operator.takes))
    by_port = {ports[0]: windows} if isinstance(windows, Configuration) and len(ports) == 1 else windows
    if not isinstance(by_port, Mapping):
        if isinstance(windows, Configuration):
            raise BadOperator(
                f"{type(operator).__name__} needs a window for each port",
                given=str(windows),
                exists=ports,
                remedy="give a dictionary by port",
            )
        raise BadPolicy(
            "this is no window of the windowing library",
            given=repr(windows)[:80],
            exists=("tumbling(evict)", "sliding(evict, trigger)"),
            remedy="import sliding, tumbling and count from transom.windowing",
        )
    for window in by_port.values():
        if not isinstance(window, Configuration):
            _by_port(operator, None)
    if set(by_port) != set(ports):
        raise BadOperator(
            f"{type(operator).__name__} needs a window for each port",
            given=", ".join(map(str, by_port)),
            exists=ports,
            remedy="give a dictionary by port",
        )
    return {port: by_port[port] for port in ports}
