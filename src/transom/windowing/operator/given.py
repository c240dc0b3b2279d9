"""What a user gives to be run: an operator, and a window for each of its input ports."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import isclass
from typing import NoReturn

from transom.errors import BadOperator, BadPolicy
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import inputs_of
from transom.windowing.policies.configuration import Configuration


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


def windows_by_port(operator: Operator, windows: object) -> dict[str, Configuration]:
    """The window of each port, in the order of the ports; a single one need not name its port."""
    ports = list(inputs_of(operator.takes))
    by_port = {ports[0]: windows} if not isinstance(windows, Mapping) and len(ports) == 1 else windows
    if not isinstance(by_port, Mapping):
        if not isinstance(windows, Configuration):
            _no_window(windows)
        _incomplete(operator, str(windows), ports)
    for window in by_port.values():
        if not isinstance(window, Configuration):
            _no_window(window)
    if set(by_port) != set(ports):
        _incomplete(operator, ", ".join(map(str, by_port)), ports)
    return {port: by_port[port] for port in ports}


def _no_window(given: object) -> NoReturn:
    raise BadPolicy(
        "this is no window of the windowing library",
        given=repr(given)[:80],
        exists=("tumbling(evict)", "sliding(evict, trigger)"),
        remedy="import sliding, tumbling and count from transom.windowing",
    )


def _incomplete(operator: Operator, given: str, ports: list[str]) -> NoReturn:
    raise BadOperator(
        f"{type(operator).__name__} needs a window for each port", given=given, exists=ports, remedy="give a dictionary by port"
    )
