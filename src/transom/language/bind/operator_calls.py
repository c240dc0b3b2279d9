"""From an operator called as a table function to a plan."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sqlglot import exp

from transom.errors import BadOperator
from transom.language.catalog import Catalog
from transom.language.parse.operator_call import OperatorCall, PortArgument
from transom.language.parse.spans import with_span
from transom.plan.applied.apply_operator import applied
from transom.plan.nodes.node import Node
from transom.windowing import Operator
from transom.windowing.operator.ports import inputs_of, outputs_of


def operator_applied(call: OperatorCall, catalog: Catalog, relation: Callable[[exp.Expr], Node]) -> Node:
    """The rows that a call gives; `relation` binds what it is called on."""
    operator = with_span(call.span, partial(catalog.operator, call.name))
    by_port = with_span(call.span, lambda: _by_port(operator, call))
    feeds = {port: relation(argument.stream) for port, argument in by_port.items()}
    windows = {port: argument.window.policies for port, argument in by_port.items()}
    per_shard = any(argument.window.per_shard for argument in by_port.values())
    output = call.output or with_span(call.span, lambda: _only_output(operator))
    return with_span(call.span, lambda: applied(operator, windows, feeds, output=output, per_shard=per_shard))


def _by_port(operator: Operator, call: OperatorCall) -> dict[str, PortArgument]:
    """Arguments by name, or by the order of ports."""
    ports = list(inputs_of(operator.takes))
    if len(call.arguments) != len(ports):
        raise BadOperator(
            f"{call.name} needs a stream for each port",
            given=f"{len(call.arguments)}",
            exists=ports,
            remedy="write " + ", ".join(f"{port} => TABLE ... [...]" for port in ports),
        )
    named = [argument.port or port for argument, port in zip(call.arguments, ports, strict=True)]
    if sorted(map(str.lower, named)) != sorted(map(str.lower, ports)):
        raise BadOperator(f"{call.name} has other ports", given=", ".join(named), exists=ports, remedy="name each of them once")
    found = {name.lower(): argument for name, argument in zip(named, call.arguments, strict=True)}
    return {port: found[port.lower()] for port in ports}


def _only_output(operator: Operator) -> str:
    outputs = list(outputs_of(operator.gives))
    if len(outputs) > 1:
        raise BadOperator(
            f"{type(operator).__name__} has several outputs",
            given="none is named",
            exists=outputs,
            remedy=f"name one: OUTPUT => {outputs[0]}",
        )
    return outputs[0]
