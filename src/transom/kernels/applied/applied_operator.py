"""A user's operator in one shard, and which operator runs a spec."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from transom.kernels.applied.applied_spec import AppliedSpec, ContainerSpec
from transom.kernels.applied.clock_operator import ClockOperator
from transom.kernels.applied.container_operator import ContainerOperator
from transom.kernels.applied.delta_operator import DeltaOperator
from transom.kernels.applied.emitted import table_of
from transom.kernels.applied.extent_operator import ExtentOperator
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.applied.tuple_maker import TupleMaker


class AppliedOperator(ContainerOperator):
    """A user's operator."""

    def __init__(self, spec: AppliedSpec) -> None:
        super().__init__(spec, spec.operator)
        self._applied = spec
        self._makers = [TupleMaker(one.columns) for one in spec.inputs]

    def tuples(self, number: int, table: pa.Table) -> list[Any]:
        return self._makers[number](table)

    def emitted(self) -> pa.Table:
        run = self.keyed.run
        found = run.take(self._applied.output)
        for name in run.outlets.by_name:
            run.take(name)  # what goes to other outputs is the business of the queries that read those
        return table_of(found, self._applied)


Runs = ContainerOperator | DeltaOperator | ClockOperator


def container_operator(spec: ContainerSpec) -> Runs:
    """The operator that runs a spec."""
    if isinstance(spec, ExtentSpec) and spec.adds_up:
        return ClockOperator(spec)
    if isinstance(spec, ExtentSpec) and spec.cuts_columns:
        return DeltaOperator(spec)
    if isinstance(spec, ExtentSpec):
        return ExtentOperator(spec)
    assert isinstance(spec, AppliedSpec)
    return AppliedOperator(spec)
