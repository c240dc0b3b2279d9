"""Policies on the columns of a stream: their spelling, and whether columns have what policies need."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from transom.errors import NotSupported, WrongUnit
from transom.plan.nodes.node import Node
from transom.plan.types.schema import Schema, unit_of_type
from transom.semantics.length import unit_of
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.window import Window
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Delta, Policy
from transom.windowing.policy_window import PolicyWindow

Configured = TypeVar("Configured", bound=Configuration)


def spelled(window: Configured, schema: Schema, of: str) -> Configured:
    """A window with its columns spelled as the stream spells them."""

    def named(policy: Policy) -> Policy:
        return replace(policy, attribute=_column(schema, policy.attribute, of)) if isinstance(policy, Delta) else policy

    keys = tuple(_column(schema, key, of) for key in window.keys)
    trigger = None if window.trigger is None else named(window.trigger)
    return replace(window, evict=named(window.evict), trigger=trigger, keys=keys)


def spelled_window(window: PolicyWindow, node: Node) -> Window:
    """A window with policies on the rows of a node."""
    policies = spelled(window.policies, node.schema, "the stream")
    check_columns(policies, node.schema, "the stream")
    made = replace(window, policies=policies)
    return Partitioned(made, policies.keys) if policies.keys else made


def _column(schema: Schema, name: str, of: str) -> str:
    return Schema(schema.columns).find(name, of).name


def check_columns(window: Configuration, schema: Schema, of: str) -> None:
    """A delta is measured on a column that has an order, in its unit; partitions have keys that can be compared."""
    for policy in window.policies:
        if not isinstance(policy, Delta):
            continue
        column = schema.find(policy.attribute, of)
        if column.type != "UNKNOWN" and unit_of_type(column) is not unit_of(policy.threshold):
            raise WrongUnit(
                f"the threshold on {column.name!r} is in another unit than the column, a {column.type}",
                given=str(policy),
                remedy='on timestamps write "10 seconds", on numbers a number',
            )
    for key in window.keys:
        kind = schema.find(key, of).type.upper()
        if kind.startswith(("MAP", "ARRAY", "STRUCT", "VARIANT")):
            raise NotSupported(
                "windows are partitioned by columns of simple types",
                given=f"{key} {kind}",
                remedy="partition by one of its values",
            )
