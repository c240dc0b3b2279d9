"""The nodes that cut windows, and those that need one."""

from __future__ import annotations

from dataclasses import dataclass, field

from transom.errors import BadQuery, WrongUnit
from transom.plan.disorder import Disorder, SlackPercent
from transom.plan.expression import Expression
from transom.plan.relational import Items, Unary, show_items
from transom.plan.schema import INTEGER_TYPES, Column, Schema, unit_of_type
from transom.semantics.generator import Slack
from transom.semantics.length import Length, Unit, unit_of
from transom.semantics.measured import base_of, check_measured_on, partition_columns
from transom.semantics.row_window import RowWindow
from transom.semantics.window import Window


@dataclass(frozen=True)
class Cut(Unary):
    """A window on a stream: from here on, rows belong to windows."""

    window: Window
    disorder: Disorder = field(default_factory=Disorder)

    def __post_init__(self) -> None:
        below = self.input.schema
        for name in partition_columns(self.window):
            below.find(name, "the stream")
        base = base_of(self.window)
        if base.attribute is not None:
            column = below.find(base.attribute, "the stream")
            check_measured_on(base, unit_of_type(column), is_integer=column.type in INTEGER_TYPES)
        generator = self.disorder.generator
        if isinstance(generator, SlackPercent) and not hasattr(base, "range"):
            raise WrongUnit(
                "SLACK in percent needs a window with a RANGE", given=f"SLACK {generator.percent:g}%", remedy="give a length"
            )
        if (
            isinstance(generator, Slack)
            and self.attribute_unit is not None
            and unit_of(generator.slack) not in (Unit.ROWS, self.attribute_unit)
        ):
            raise WrongUnit(
                f"the window is measured in {self.attribute_unit.value}",
                given=f"SLACK {generator.slack}",
                remedy="give SLACK in that unit, or in ROWS",
            )

    @property
    def attribute_unit(self) -> Unit | None:
        attribute = base_of(self.window).attribute
        return None if attribute is None else unit_of_type(self.input.schema.find(attribute))

    @property
    def schema(self) -> Schema:
        below = self.input.schema
        base = base_of(self.window)
        axis = "BIGINT" if isinstance(base, RowWindow) else _axis_type(below.find(str(base.attribute)).type)
        order = below.find(str(self.input.time_attribute)).type if self.input.time_attribute else axis
        event = order if isinstance(base, RowWindow) else axis
        wid = axis if base.ids_are_values else "BIGINT"
        window = (Column("window_start", axis), Column("window_end", axis), Column("wid", wid), Column("event_ts", event))
        kept = tuple(column for column in below.hidden if column.name != "event_ts")
        return Schema(below.columns, (*kept, *window))

    @property
    def time_attribute(self) -> str | None:
        return "event_ts"

    @property
    def is_windowed(self) -> bool:
        return True

    @property
    def makes_boundaries(self) -> bool:
        return True

    @property
    def keys(self) -> tuple[str, ...]:
        return partition_columns(self.window)

    def label(self) -> str:
        return f"Cut {type(base_of(self.window)).__name__}"


def _axis_type(kind: str) -> str:
    return "TIMESTAMP" if kind == "DATE" else kind


@dataclass(frozen=True)
class Aggregate(Unary):
    """Grouping and aggregates over each extent."""

    group_by: tuple[str, ...]
    items: Items
    having: Expression | None = None

    def __post_init__(self) -> None:
        below = self.input.schema
        for column in self.group_by:
            below.find(column)
        window = next((node.window for node in self.input.chain() if isinstance(node, Cut)), None)
        fixed = {
            *self.group_by,
            *(partition_columns(window) if window is not None else ()),
            "window_start",
            "window_end",
            "wid",
            "event_ts",
        }
        for name, item in self.items:
            for column in () if item.is_aggregate else item.columns:
                if column not in fixed:
                    raise BadQuery(
                        f"column {column!r} is neither grouped nor aggregated",
                        given=f"{item.text} AS {name}",
                        exists=sorted(fixed),
                        remedy=f"add {column!r} to GROUP BY, or aggregate it",
                    )

    @property
    def schema(self) -> Schema:
        below = self.input.schema
        return Schema(tuple(Column(name, item.type_in(below)) for name, item in self.items))

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.input.keys, *self.group_by)))

    def label(self) -> str:
        by = f" group by {', '.join(self.group_by)}" if self.group_by else ""
        return f"Aggregate {show_items(self.items)}{by}"


@dataclass(frozen=True)
class Frame:
    """`aggregate OVER (PARTITION BY ... ORDER BY ... <frame> SLIDE ...)`. `preceding` None is UNBOUNDED."""

    aggregate: Expression
    preceding: Length | None
    partition_by: tuple[str, ...] = ()
    order_by: str | None = None
    slide: Length | None = None
    peers: bool = False


@dataclass(frozen=True)
class Frames(Unary):
    """A select list with OVER frames: one row per tuple, or per yield tuple."""

    items: tuple[tuple[str, Expression | Frame], ...]

    @property
    def schema(self) -> Schema:
        below = self.input.schema
        columns = [(name, item.aggregate if isinstance(item, Frame) else item) for name, item in self.items]
        return Schema(tuple(Column(name, item.type_in(below)) for name, item in columns))

    @property
    def keys(self) -> tuple[str, ...]:
        frames = [item for _, item in self.items if isinstance(item, Frame)]
        return frames[0].partition_by if frames else ()

    def label(self) -> str:
        return "Frames " + ", ".join(name for name, _ in self.items)
