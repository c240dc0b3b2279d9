"""Time is 64-bit microseconds, read and written in one place."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom import days, hours, microseconds, milliseconds, minutes, seconds
from transom.errors import BadDuration, BadTimestamp, TimeOutOfRange
from transom.semantics import Duration
from transom.semantics.time import micros_of, parse_duration, parse_timestamp, timestamp_of


@given(st.datetimes(timezones=st.just(UTC)))
def test_timestamps_and_microseconds_are_inverse(value: datetime) -> None:
    assert timestamp_of(micros_of(value)) == value


@given(st.integers(0, 10**15).map(Duration))
def test_durations_read_as_they_are_written(value: Duration) -> None:
    assert parse_duration(str(value)) == value


def test_units() -> None:
    assert days(1) == hours(24) == minutes(1440) == seconds(86_400) == milliseconds(86_400_000) == microseconds(86_400_000_000)


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("300 SECONDS", 300_000_000),
        ("5 minutes 30 seconds", 330_000_000),
        ("1.5 hours", 5_400_000_000),
        ("1 week", 604_800_000_000),
    ],
)
def test_durations_are_read(text: str, micros: int) -> None:
    assert parse_duration(text).micros == micros


@pytest.mark.parametrize("text", ["", "5", "minutes", "5 parsecs", "5 minutes and more", "0.0000001 seconds", "5 5 minutes"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(BadDuration):
        parse_duration(text)


@pytest.mark.parametrize("count", ["5", None, float("nan"), float("inf"), True])
def test_what_is_no_number_is_no_duration(count: Any) -> None:
    with pytest.raises(BadDuration):
        minutes(count)


def test_a_time_without_a_zone_is_in_utc_and_a_date_is_its_midnight() -> None:
    assert micros_of(datetime(1970, 1, 1, 0, 0, 1)) == 1_000_000
    assert micros_of(datetime(1970, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))) == 0
    assert micros_of(date(1969, 12, 31)) == -86_400_000_000


@pytest.mark.parametrize(
    ("text", "micros"),
    [("9:05", 32_700_000_000), ("00:00:00.000001", 1), ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31 23:59:59", -1_000_000)],
)
def test_timestamps_are_read(text: str, micros: int) -> None:
    assert micros_of(parse_timestamp(text)) == micros


@pytest.mark.parametrize("text", ["", "noon", "25:00", "2026-02-30"])
def test_what_is_no_timestamp_is_refused(text: str) -> None:
    with pytest.raises(BadTimestamp):
        parse_timestamp(text)


def test_times_that_do_not_fit_are_refused() -> None:
    with pytest.raises(TimeOutOfRange):
        Duration(2**63)
    with pytest.raises(TimeOutOfRange):
        timestamp_of(2**62)
