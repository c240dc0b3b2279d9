"""Which operator runs a window: the place to add a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.extents.ids import ids_of
from transom.kernels.spec import JoinSpec, LateSpec, OverSpec, Spec, TogetherSpec, UnionSpec, WindowedSpec
from transom.kernels.windows.context_free import ContextFreeWindow
from transom.kernels.windows.in_step.join_in_step import InStepJoin
from transom.kernels.windows.in_step.union_in_step import InStepUnion
from transom.kernels.windows.late_tuples import LateTuples
from transom.kernels.windows.over.over_operator import OverFrames
from transom.kernels.windows.row_window import rows_operator
from transom.kernels.windows.sessions import SessionWindow
from transom.kernels.windows.stateful import StatefulOperator
from transom.kernels.windows.together import WindowsTogether
from transom.kernels.windows.tuple_driven import TupleDrivenWindow
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.window import Window


def _context_free(spec: WindowedSpec, parts: list[Algebra]) -> StatefulOperator:
    return ContextFreeWindow(spec, ids_of(spec.window, spec.axis), parts)


def _together(spec: TogetherSpec, parts: list[Algebra]) -> StatefulOperator:
    return WindowsTogether(spec, ids_of(spec.window, spec.axis), parts)


def _of_window(spec: WindowedSpec, parts: list[Algebra]) -> StatefulOperator:
    return WINDOWS.get(type(spec.window), _context_free)(spec, parts)


WINDOWS: dict[type[Window], Callable[[WindowedSpec, list[Algebra]], StatefulOperator]] = {
    RowWindow: rows_operator,
    Session: SessionWindow,
    SlideByTuple: TupleDrivenWindow,
    EveryInstant: TupleDrivenWindow,
    Now: TupleDrivenWindow,
}
"""The operator of each type of window; of any other, a record knows its windows by itself (`ContextFreeWindow`)."""

OPERATORS: dict[type[Spec], Callable[[Any, list[Algebra]], StatefulOperator]] = {
    WindowedSpec: _of_window,
    TogetherSpec: _together,
    OverSpec: lambda spec, _: OverFrames(spec),
    JoinSpec: lambda spec, _: InStepJoin(spec),
    UnionSpec: lambda spec, _: InStepUnion(spec),
    LateSpec: lambda spec, _: LateTuples(spec),
}
"""The operator of each kind of spec."""


def operator_for(spec: Spec, parts: list[Algebra]) -> StatefulOperator:
    """The operator that a spec describes, with the algebras of its partial aggregates."""
    return OPERATORS[type(spec)](spec, parts)
