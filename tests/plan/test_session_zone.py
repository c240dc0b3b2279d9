"""Points in brackets are of the session's time zone, as everywhere in Spark SQL."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

import transom as tr
from transom.explain import explain
from transom.language import bind_script
from transom.planner.session_zone import in_zone
from transom.planner.stages import stages_of
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.classes.measured import base_of
from transom.semantics.length import measure
from transom.semantics.time import micros_of

COLUMNS = "CREATE STREAM s (v DOUBLE, ts TIMESTAMP, wall TIMESTAMP_NTZ, day DATE) ORDER BY ts; "


def stage(bracket: str, zone: str = "UTC") -> WindowStage:
    script = bind_script(f"{COLUMNS}SELECT sum(v) AS x FROM s [{bracket}];")
    (one,) = stages_of(script.queries[0])
    resolved = in_zone(one, zone)
    assert isinstance(resolved, WindowStage)
    return resolved


def point(bracket: str, clause: str, zone: str) -> datetime:
    made = stage(bracket, zone)
    assert made.cut is not None
    value: Any = getattr(base_of(made.cut.window), clause)
    return datetime.fromtimestamp(int(measure(value)) / 1_000_000, UTC)


@pytest.mark.parametrize(
    ("bracket", "clause", "zone", "instant"),
    [
        ("LANDMARK FROM TIMESTAMP '2026-01-01' SLIDE 1 HOUR", "since", "Europe/Berlin", "2025-12-31T23:00:00"),
        ("LANDMARK UNTIL TIMESTAMP '2026-07-01 12:00:00' SLIDE 1 HOUR", "until", "Europe/Berlin", "2026-07-01T10:00:00"),
        ("TUMBLE 1 HOUR ORIGIN TIMESTAMP '2026-01-01 00:00:00' WATTR ts", "origin", "America/New_York", "2026-01-01T05:00:00"),
        ("TUMBLE 1 HOUR ORIGIN DATE '2026-01-01' WATTR ts", "origin", "America/New_York", "2026-01-01T05:00:00"),
        ("BAND TIMESTAMP '2026-01-01' TO TIMESTAMP '2026-01-02' SLIDE 1 HOUR", "upper", "+02:00", "2026-01-01T22:00:00"),
        # what is written with a zone keeps it
        ("LANDMARK FROM TIMESTAMP '2026-01-01T00:00:00Z' SLIDE 1 HOUR", "since", "Europe/Berlin", "2026-01-01T00:00:00"),
        ("LANDMARK FROM TIMESTAMP '2026-01-01 00:00:00+05:30' SLIDE 1 HOUR", "since", "Europe/Berlin", "2025-12-31T18:30:00"),
        (
            "LANDMARK FROM TIMESTAMP '2026-01-01 00:00 Asia/Tokyo' SLIDE 1 HOUR",
            "since",
            "Europe/Berlin",
            "2025-12-31T15:00:00",
        ),
        # a clock that is put forward skips 02:30, and one that is put back shows it twice
        ("LANDMARK FROM TIMESTAMP '2026-03-29 02:30:00' SLIDE 1 HOUR", "since", "Europe/Berlin", "2026-03-29T01:30:00"),
        ("LANDMARK FROM TIMESTAMP '2026-10-25 02:30:00' SLIDE 1 HOUR", "since", "Europe/Berlin", "2026-10-25T00:30:00"),
        # columns without a zone have what a clock shows
        ("TUMBLE 1 HOUR ORIGIN TIMESTAMP '2026-01-01 00:00:00' WATTR wall", "origin", "Europe/Berlin", "2026-01-01T00:00:00"),
        ("TUMBLE 1 HOUR ORIGIN TIMESTAMP '2026-01-01 00:00:00Z' WATTR wall", "origin", "Europe/Berlin", "2026-01-01T01:00:00"),
        ("TUMBLE 1 DAY ORIGIN DATE '2026-01-05' WATTR day", "origin", "Europe/Berlin", "2026-01-05T00:00:00"),
    ],
)
def test_a_point_is_an_instant_of_the_session(bracket: str, clause: str, zone: str, instant: str) -> None:
    assert point(bracket, clause, zone) == datetime.fromisoformat(instant).replace(tzinfo=UTC)


def test_in_python_too() -> None:
    stream = tr.stream({"v": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts")
    (one,) = stages_of(stream.window(tumble=tr.hours(1), origin=datetime(2026, 1, 1)).agg(x="sum(v)").plan)
    made = in_zone(one, "Europe/Berlin")
    assert isinstance(made, WindowStage)
    assert made.cut is not None
    assert base_of(made.cut.window).origin == datetime(2025, 12, 31, 23, tzinfo=UTC)  # type: ignore[attr-defined]


def test_the_fingerprint_is_of_the_instant() -> None:
    written = "LANDMARK FROM TIMESTAMP '2026-01-01 00:00:00' SLIDE 1 HOUR"
    in_berlin = stage(written, "Europe/Berlin").fingerprint
    assert in_berlin != stage(written).fingerprint
    assert in_berlin == stage("LANDMARK FROM TIMESTAMP '2025-12-31 23:00:00Z' SLIDE 1 HOUR").fingerprint
    assert in_berlin == stage("LANDMARK FROM TIMESTAMP '2026-01-01 00:00:00 Europe/Berlin' SLIDE 1 HOUR").fingerprint
    plain = "TUMBLE 1 HOUR"
    assert stage(plain, "Europe/Berlin").fingerprint == stage(plain).fingerprint


def test_without_a_session_it_is_utc_and_explain_says_so() -> None:
    bound = bind_script(f"{COLUMNS}SELECT sum(v) AS x FROM s [LANDMARK FROM TIMESTAMP '2026-01-01' SLIDE 1 HOUR];").queries[0]
    lines = [line for line in explain(bound).splitlines() if line.startswith("time zone: ")]
    assert lines == ["time zone: UTC for the times of FROM (a run takes spark.sql.session.timeZone)"]
    zoned = bind_script(f"{COLUMNS}SELECT sum(v) AS x FROM s [LANDMARK FROM TIMESTAMP '2026-01-01 00:00:00Z' SLIDE 1 HOUR];")
    assert "time zone: " not in explain(zoned.queries[0])
    assert micros_of(date(2026, 1, 1)) == micros_of(datetime(2026, 1, 1)) == micros_of(datetime(2026, 1, 1, tzinfo=UTC))
