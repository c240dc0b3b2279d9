"""The operator of a stage as the kernels take it: its axis, where its progress comes from, and what it computes."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import singledispatch
from typing import Any

import pyarrow as pa

from transom.column_names import ORDER, ROW_NUM, VALUE, WINDOW_END
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.kernels.aggregates import Algebra, algebra_of
from transom.kernels.aggregates.catalogue import canonical, check
from transom.kernels.columns.axis import FARTHEST, Axis, too_far
from transom.kernels.generating import Generating
from transom.kernels.spec import Computed, FrameSpec, LateSpec, OverSpec, Spec, TogetherSpec, WindowedSpec
from transom.plan.nodes.disorder import PunctuationClause
from transom.plan.nodes.windowed import Frame
from transom.plan.types.bounds import digits_of_bounds
from transom.plan.types.schema import unit_of_type
from transom.planner.aggregate_calls import with_tables
from transom.planner.stage import Stage
from transom.planner.windowed.late_stage import LateStage
from transom.planner.windowed.over_stage import OverStage, by_rows
from transom.planner.windowed.window_stage import WindowStage
from transom.scalar.evaluation import Scope, evaluate
from transom.scalar.value_types import value_on_axis
from transom.semantics.classes.measured import measured_lengths
from transom.semantics.function import Function
from transom.semantics.length import Rows, Unit, measure, unit_of
from transom.semantics.sql_type import SqlType
from transom.semantics.time import Duration
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window


def axis_of(stage: Stage, type: pa.DataType) -> Axis:
    """The axis of an attribute of this type: integers fine enough for the values and for every length of the window."""
    if pa.types.is_floating(type):
        return Axis(None)
    factor = 10**type.scale if pa.types.is_decimal(type) else 1
    lengths = [*stage.lengths, *_slack(stage)]
    for length in lengths:
        factor = math.lcm(factor, Fraction(measure(length)).denominator)
    for length in lengths:
        if abs(Fraction(measure(length))) * factor > FARTHEST:
            raise too_far("a length", Fraction(measure(length)), factor)
    return Axis(factor)


def _slack(stage: Stage) -> list[Any]:
    """How far frontiers are behind, where that is a length on the axis."""
    slack = stage.disorder.slack
    return [] if slack is None or not stage.reading.hears_promises else [slack]


def _bounds_type(kind: pa.DataType, lengths: list[Any]) -> pa.DataType:
    """The type of bounds on an attribute, as a plan has it."""
    whole = pa.types.is_integer(kind)
    digits = digits_of_bounds(0 if whole else kind.scale if pa.types.is_decimal(kind) else None, lengths)
    if digits is None:
        return kind
    return pa.int64() if whole and not digits else pa.decimal128(38, digits)


def _in_mode(spec: Spec, ansi: bool) -> Spec:
    """The operator in a session with or without ANSI mode, in which sums that overflow are errors."""

    def of(computed: Computed) -> Computed:
        return replace(computed, call=replace(computed.call, ansi=ansi))

    if isinstance(spec, WindowedSpec):
        return replace(spec, computed=tuple(map(of, spec.computed)))
    if isinstance(spec, OverSpec):
        return replace(spec, frames=tuple(replace(frame, computed=of(frame.computed)) for frame in spec.frames))
    return spec


def operator_of(stage: Stage, types: dict[str, pa.DataType], *, ansi: bool = True) -> tuple[Spec, tuple[Algebra, ...]]:
    """The operator, given the types of the columns that go into it, and the algebras of partial aggregates where it has panes.

    Where the plan could not tell a type, an aggregate may turn out to have no partials: then tuples are kept.
    """
    spec = _in_mode(spec_of(stage, types), ansi)
    for item in spec.aggregates:
        if item.call.user is None:
            check(canonical(item.call.function), [types[name] for name in item.args if name in types])
    if not isinstance(spec, WindowedSpec) or not spec.lifted:
        return spec, ()
    assert isinstance(stage, WindowStage)
    found = [algebra_of(item.call, [types[name] for name in item.args]) for item in spec.computed]
    if None in found:
        return _in_mode(spec_of(replace(stage, width=None), types), ansi), ()
    return spec, tuple(algebra for algebra in found if algebra is not None)


def width_on(stage: WindowStage, axis: Axis) -> int | None:
    """The width of panes on the axis."""
    if isinstance(stage.width, Rows):
        return stage.width.count
    return None if stage.width is None or axis.factor is None else int(axis.number(measure(stage.width)))


@singledispatch
def spec_of(stage: Stage, types: dict[str, pa.DataType]) -> Spec:
    """The operator, given the types of the columns that go into it."""
    raise NotImplementedError(type(stage))


@spec_of.register
def _late(stage: LateStage, types: dict[str, pa.DataType]) -> LateSpec:
    return LateSpec(**_common(stage, types))


@spec_of.register
def _over(stage: OverStage, types: dict[str, pa.DataType]) -> OverSpec:
    common = _common(stage, types)
    kind = common["axis_type"]
    frames = tuple(
        FrameSpec(
            one,
            frame.partition_by,
            _measured(frame.preceding, kind),
            _measured(frame.slide, kind),
            by_rows=by_rows(frame),
            tumbles=_tumbles(frame),
            active=frame.active,
        )
        for frame, one in zip(stage.frames, _computed(stage), strict=True)
    )
    return OverSpec(frames=frames, in_arrival_order=stage.in_arrival_order, order_type=types.get(ORDER), **common)


@spec_of.register
def _windowed(stage: WindowStage, types: dict[str, pa.DataType]) -> WindowedSpec:
    common = _common(stage, types)
    axis, kind = common["axis"], common["axis_type"]
    width = width_on(stage, axis)
    about: dict[str, Any] = {
        "partition_by": stage.partition_by,
        "computed": _computed(stage),
        "lists_tuples": stage.aggregate is None,
        "consistent": stage.consistent,
        "has_order": stage.needs_order,
        "axis_is_order": stage.attribute == stage.order,
        "stamp": stage.cut.timestamp,
        "width": width,
        "judges_each": stage.judges_each,
        **common,
    }
    if stage.together:
        each = tuple(_on_axis(window, kind) for window in stage.together)
        return TogetherSpec(window=_standing(stage, width, axis), together=each, **about)
    return WindowedSpec(window=_on_axis(stage.window, kind), **about)


def _common(stage: Stage, types: dict[str, pa.DataType]) -> dict[str, Any]:
    """What all operators have."""
    kind = types.get(VALUE, pa.int64())
    if pa.types.is_date(kind):
        kind = pa.timestamp("us", "UTC")
    axis = axis_of(stage, types.get(VALUE, pa.int64()))
    return {
        "axis": axis,
        "axis_type": kind,
        "bounds": _bounds_type(kind, stage.lengths),
        "frontiers": _bounds_type(kind, [*stage.lengths, *_slack(stage)]),
        "generating": generating_of(stage, axis),
        "keys": stage.keys,
        "shard_by": stage.shard_by,
        "tuples": stage.listed,
        "wants_late": stage.wants_late,
        "arrival_by": stage.disorder.arrival_by,
        "fingerprint": stage.fingerprint,
    }


def _computed(stage: Stage) -> tuple[Computed, ...]:
    """The aggregates, with the columns of their arguments."""
    args = {text: f"x{n}" for n, text in enumerate(stage.arguments)}
    return tuple(
        Computed(with_tables(call.call, stage.tables), tuple(args.get(text, ROW_NUM) for text in call.args))
        for call in stage.calls
    )


def generating_of(stage: Stage, axis: Axis) -> Generating:
    """Where progress on the axis comes from, and when others go on without it."""
    silent = stage.silent_after
    return replace(_generating(stage, axis), silent_after=None if silent is None else silent.micros)


def _generating(stage: Stage, axis: Axis) -> Generating:
    disorder = stage.disorder
    if stage.scan is None:
        return Generating(derived=True)
    if stage.is_complete or not stage.reading.hears_promises:
        return Generating()
    generator = disorder.generator
    if generator is None:
        generator = Slack(0 if stage.attribute is None else _zero(axis))
    common: dict[str, Any] = {
        "per_source": stage.reading.per_source is not None,
        "lasting_sources": stage.reading.per_source != () or not stage.reading.reads_files,
        "idle_after": None if disorder.idle_after is None else disorder.idle_after.micros,
        "moves_in_silence": stage.moves_in_silence,
    }
    if isinstance(generator, PunctuationClause):
        return Generating(punctuated=generator.columns[:-1], substreams=generator.substreams)
    if isinstance(generator, Ordered):
        if generator.per:
            return Generating(per=generator.per, moves_in_silence=stage.moves_in_silence)
        return Generating(slack=0, **common)
    if stage.reading.is_controlled:
        return Generating(control=disorder.control, step=_step(stage, axis), timed=_is_timed(stage), **common)
    if stage.attribute is None:
        return Generating(slack=0, **common)
    assert isinstance(generator, Slack)
    return Generating(slack=axis.number(measure(generator.slack)), **common)


def _step(stage: Stage, axis: Axis) -> int:
    """The attribute's unit on the axis: one, or the last digit of a decimal."""
    digits = SqlType.of(stage.input_schema.find(str(stage.attribute)).type).digits or 0
    return 1 if axis.factor is None else axis.factor // 10**digits


def _is_timed(stage: Stage) -> bool:
    """Whether the attribute is time."""
    return unit_of_type(stage.input_schema.find(str(stage.attribute))) is Unit.TIME


def _standing(stage: WindowStage, width: int | None, axis: Axis) -> Window:
    """A window that stands for all: as long as the longest, sliding by one pane."""
    longest = max(stage.together, key=lambda window: measure(window.range))  # type: ignore[attr-defined]
    assert isinstance(longest, Sliding)
    number = width if axis.factor in (None, 1) else Decimal(width or 0) / axis.factor
    slide: Any = Duration(width or 0) if isinstance(longest.range, Duration) else number
    return Sliding(range=longest.range, slide=slide, wattr=longest.wattr)


def _zero(axis: Axis) -> Any:
    return 0 if axis.factor is not None else 0.0


def _tumbles(frame: Frame) -> bool:
    if frame.slide is None or frame.preceding is None:
        return False
    return measure(frame.slide) >= measure(frame.preceding) if unit_of(frame.slide) is unit_of(frame.preceding) else False


def _measured(length: Any, kind: pa.DataType) -> Any:
    """A length as the axis measures it: doubles are added to doubles."""
    return float(length) if pa.types.is_floating(kind) and isinstance(length, int | Decimal) else length


def _on_axis(window: Window, kind: pa.DataType) -> Window:
    """A window of lengths that its axis measures. A range that varies is evaluated here, over ends: Spark SQL over window_end
    alone."""
    if pa.types.is_floating(kind) and not isinstance(window, RowWindow):
        window = replace(window, **{name: _measured(length, kind) for name, length in measured_lengths(window).items()})  # type: ignore[type-var]
    if not isinstance(window, Varying):
        return window
    text = window.range.text
    name = "timestamp" if pa.types.is_timestamp(kind) else "double" if pa.types.is_floating(kind) else "bigint"
    return replace(window, range=Function(text, lambda end: evaluate(text, Scope({WINDOW_END: value_on_axis(end, name)}))))
