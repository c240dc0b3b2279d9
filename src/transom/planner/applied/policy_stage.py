"""A window with policies, with its groups and aggregates or its tuples, as a stage."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pyarrow as pa

from transom.column_names import DELTA_ATTRIBUTE, EVENT_TS, KEY
from transom.kernels.aggregates import Algebra
from transom.kernels.applied.applied_spec import InputSpec
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.spec import WindowedSpec
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.classes.measured import base_of
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Delta, Policy
from transom.windowing.policy_window import PolicyWindow


@dataclass(frozen=True)
class PolicyWindowStage(WindowStage):
    """What a window with policies takes from the columns of its input, and what is computed of it."""

    @property
    def policies(self) -> PolicyWindow:
        window = base_of(self.cut.window)
        assert isinstance(window, PolicyWindow)
        return window

    @property
    def needs_order(self) -> bool:
        """For the timestamps of results; what an operator gives has none."""
        return self.cut.input.time_attribute is not None and EVENT_TS in self.asked_for

    def columns(self) -> dict[str, str]:
        return {**super().columns(), **{column_of(name): name for name in self.policies.columns}}


@dataclass(frozen=True)
class PolicyStage(ContainerStage):
    """A container that records extents, and aggregates over them."""

    window: PolicyWindowStage = field(kw_only=True)

    @property
    def name(self) -> str:
        return "extents"

    @property
    def windows(self) -> tuple[Configuration, ...]:
        return (self.window.policies.policies,)

    @property
    def per_shard(self) -> bool:
        return self.window.policies.per_shard

    @property
    def described(self) -> Any:
        about = [list(self.window.columns().items()), [call.text for call in self.window.calls], self.window.listed]
        return about if self.window.width is None else [*about, str(self.window.width)]

    @property
    def partition_by(self) -> tuple[str, ...]:
        return self.window.partition_by

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        return self.window.finish()

    @cached_property
    def policies(self) -> Configuration:
        """The policies on the columns that go to the operator."""
        (window,) = self.windows

        def named(policy: Policy) -> Policy:
            return replace(policy, attribute=column_of(policy.attribute)) if isinstance(policy, Delta) else policy

        trigger = None if window.trigger is None else named(window.trigger)
        return replace(window, evict=named(window.evict), trigger=trigger, keys=tuple(f"{KEY}{name}" for name in window.keys))

    def spec(
        self,
        window: WindowedSpec,
        columns: tuple[str, ...],
        schema: pa.Schema,
        types: dict[str, pa.DataType],
        *,
        shards: int,
        parts: tuple[Algebra, ...] = (),
    ) -> ExtentSpec:
        """What runs on executors: `columns` of these types go in, those of `schema` come out; `parts` add tuples up by pane."""
        return ExtentSpec(
            inputs=(InputSpec("in", self.policies, columns, self.feeds[0].ties),),
            schema=schema,
            fingerprint=f"{self.fingerprint}-{shards}",
            spread=shards > 1,
            alone=self.spreads,
            window=window,
            parts=parts,
            passes_on=self.passes_on,
            measured=not any(pa.types.is_decimal(types[column_of(name)]) for name in self.window.policies.columns),
        )


def column_of(attribute: str) -> str:
    """The column in which a delta attribute goes to the operator."""
    return f"{DELTA_ATTRIBUTE}{attribute}"
