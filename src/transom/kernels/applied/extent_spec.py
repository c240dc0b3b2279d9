"""What a window with policies needs to know on an executor: it records extents, and aggregates over them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal

import pyarrow as pa

from transom.column_names import WID, WINDOW_END, WINDOW_START
from transom.kernels.aggregates import Algebra
from transom.kernels.applied.applied_spec import ContainerSpec
from transom.kernels.spec import WindowedSpec
from transom.semantics.length import measure
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Delta, Policy


@dataclass(frozen=True)
class ExtentSpec(ContainerSpec):
    """A window; `window` says which groups and aggregates, or which columns of its tuples, come out. `measured` says that the
    attributes of deltas are numbers or instants, and not decimals. `parts` are the algebras of its aggregates, where they are
    added up by pane."""

    window: WindowedSpec = field(kw_only=True)
    measured: bool = field(default=False, kw_only=True)
    parts: tuple[Algebra, ...] = field(default=(), kw_only=True)
    schema: pa.Schema = field(kw_only=True)

    @property
    def name(self) -> str:
        return "the window"

    @property
    def windows(self) -> dict[str, Configuration]:
        """The policies, on the fields of the tuples that are kept: a number, keys, places, and the values of all columns."""
        (one,) = self.inputs
        evict = _on_field(one.window.evict, "d0")
        trigger = None if one.window.trigger is None else _on_field(one.window.trigger, "d1")
        return {one.port: replace(one.window, evict=evict, trigger=trigger, keys=self.key_fields)}

    @property
    def key_fields(self) -> tuple[str, ...]:
        return tuple(f"k{n}" for n in range(len(self.inputs[0].window.keys)))

    @property
    def deltas(self) -> tuple[tuple[str, str], ...]:
        """The fields that delta policies look at, and their columns."""
        policies = self.inputs[0].window.policies
        return tuple((f"d{n}", policy.attribute) for n, policy in enumerate(policies) if isinstance(policy, Delta))

    @property
    def cuts_columns(self) -> bool:
        """Whether it is `[TUMBLING delta(a, d)]` with nothing that needs a container: no limit, no positions, no decimals."""
        window = self.inputs[0].window
        plain = isinstance(window.evict, Delta) and not isinstance(measure(window.evict.threshold), Decimal)
        return window.tumbles and plain and self.measured and window.limit is None and not self.numbers_rows

    @property
    def adds_up(self) -> bool:
        """Whether it is on the clock, and all aggregates have partial results."""
        return self.window.lifted

    @property
    def numbers_rows(self) -> bool:
        """Whether positions in the partition are reported."""
        return bool({WINDOW_START, WINDOW_END, WID} & {*self.schema.names})


def _on_field(policy: Policy, field: str) -> Policy:
    return replace(policy, attribute=field) if isinstance(policy, Delta) else policy
