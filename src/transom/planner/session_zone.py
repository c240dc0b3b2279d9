"""Points in brackets as instants: what is written without a time zone is of the session's, as everywhere in Spark SQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, tzinfo
from functools import singledispatch
from typing import Any

from transom.plan.nodes.windowed import Cut
from transom.planner.applied.container_stage import ContainerStage
from transom.planner.in_step.merged_stage import MergedStage
from transom.planner.relations.inputs import AnyInput, StreamInput
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.classes.measured import base_of
from transom.semantics.elapsed import Elapsed
from transom.semantics.time import micros_of, timestamp_of
from transom.semantics.windows.refined import Refined
from transom.semantics.windows.window import Window
from transom.semantics.zone import zone_of

POINTS = {"origin": "ORIGIN", "since": "FROM", "until": "UNTIL", "lower": "BAND", "upper": "BAND"}
"""The fields of windows that are points on the axis, and not lengths, and the clauses they are of."""

WALL_CLOCKS = ("DATE", "TIMESTAMP_NTZ")
"""Types whose values are what a clock shows, wherever it hangs."""


@singledispatch
def in_zone(stage: Any, zone: str) -> Any:
    """A stage in a session with this `spark.sql.session.timeZone`."""
    return stage


@in_zone.register
def _applied(stage: ContainerStage, zone: str) -> ContainerStage:
    feeds = (replace(feed, stages=tuple(in_zone(one, zone) for one in feed.stages)) for feed in stage.feeds)
    return replace(stage, feeds=tuple(feeds))


@in_zone.register
def _relational(stage: RelationalStage, zone: str) -> RelationalStage:
    return replace(stage, inputs=tuple(_input_in_zone(one, zone) for one in stage.inputs))


@in_zone.register
def _merged(stage: MergedStage, zone: str) -> MergedStage:
    branches = (replace(one, stages=tuple(in_zone(each, zone) for each in one.stages)) for one in stage.branches)
    return replace(stage, branches=tuple(branches))


@in_zone.register
def _window(stage: WindowStage, zone: str) -> WindowStage:
    if stage.attribute is None or not points_of(stage.cut.window):
        return stage
    window = _resolved(stage.cut.window, zone_of(zone), _has_wall_clock(stage.cut))
    return replace(stage, cut=replace(stage.cut, window=window))


def _input_in_zone(one: AnyInput, zone: str) -> AnyInput:
    below = tuple(in_zone(each, zone) for each in one.stages)
    if isinstance(one, StreamInput):
        return replace(one, stage=in_zone(one.stage, zone), stages=below)
    return replace(one, stages=below)


def local_clauses(cut: Cut) -> list[str]:
    """The clauses of a window that mean another instant in another zone: dates, and times that are written without a zone."""
    local = [name for name, value in points_of(cut.window).items() if getattr(value, "tzinfo", None) is None]
    return [] if _has_wall_clock(cut) else list(dict.fromkeys(POINTS[name] for name in local))


def _has_wall_clock(cut: Cut) -> bool:
    attribute = base_of(cut.window).attribute
    return attribute is not None and cut.input.schema.find(attribute).type.upper() in WALL_CLOCKS


def points_of(window: Window) -> dict[str, date | Elapsed]:
    """The points in time of a window, by their clauses."""
    base = base_of(window)
    given = {name: getattr(base, name, None) for name in POINTS}
    return {name: value for name, value in given.items() if isinstance(value, date | Elapsed)}


def _resolved(window: Window, zone: tzinfo, wall_clock: bool) -> Window:
    if isinstance(window, Refined):
        return replace(window, window=_resolved(window.window, zone, wall_clock))
    points = {name: _point(value, zone, wall_clock) for name, value in points_of(window).items()}
    return replace(window, **points)  # type: ignore[type-var]


def _point(value: date | Elapsed, zone: tzinfo, wall_clock: bool) -> date:
    """A point on an axis of instants, or on one of wall clocks, which are kept as if they hung in UTC.

    Where a clock is put forward, what it skips is as long after the change as it would have been; where it is put back, what it
    shows twice is the first of the two, as in Spark.
    """
    if isinstance(value, Elapsed):
        return _point(value.within(zone), zone, wall_clock)
    if wall_clock and not isinstance(value, datetime):
        return value
    time = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    if wall_clock:
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(zone).replace(tzinfo=UTC)
    return timestamp_of(micros_of(time.replace(tzinfo=zone) if time.tzinfo is None else time))
