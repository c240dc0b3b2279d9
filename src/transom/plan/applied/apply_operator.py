"""From an operator, windows and streams to a node of a plan: everything that can be refused without data is refused here."""

from __future__ import annotations

from collections.abc import Mapping

from transom.errors import BadOperator, nearest
from transom.plan.applied.port_graph import check_punctuation
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.node import Node
from transom.plan.nodes.policies_of_columns import spelled
from transom.windowing import Operator
from transom.windowing.operator.given import check_operator, windows_by_port
from transom.windowing.operator.operator_run import OperatorRun
from transom.windowing.operator.ports import outputs_of
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
    by_port = windows_by_port(operator, windows)
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
