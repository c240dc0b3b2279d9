"""Constant expressions in ORIGIN, OFFSET, FROM, UNTIL and BAND."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from tests.language.constants import INSTANTS, NUMBERS
from transom.errors import BadExpression, MixedUnits, SyntaxMistake, TransomError
from transom.language import bind_script
from transom.planner import plan
from transom.planner.stages import stages_of
from transom.semantics.classes.measured import base_of
from transom.semantics.elapsed import Elapsed
from transom.semantics.length import measure
from transom.semantics.time import Duration, hours

COLUMNS = "CREATE STREAM s (v DOUBLE, ts TIMESTAMP) ORDER BY ts; "


def window(bracket: str) -> Any:
    (one,) = stages_of(bind_script(f"{COLUMNS}SELECT sum(v) AS x FROM s [{bracket}];").queries[0])
    return base_of(one.cut.window)  # type: ignore[union-attr]


@pytest.mark.parametrize(("text", "value"), NUMBERS.items())
def test_numbers(text: str, value: object) -> None:
    origin = window(f"RANGE 4 SLIDE 2 WATTR v ORIGIN {text}").origin
    assert origin == value
    assert type(origin) is type(value)


@pytest.mark.parametrize(("text", "instant"), INSTANTS.items())
def test_instants_in_berlin(text: str, instant: str) -> None:
    query = bind_script(f"{COLUMNS}SELECT sum(v) AS x FROM s [TUMBLE 1 HOUR ORIGIN {text}];").queries[0]
    (stage,) = plan(query, zone="Europe/Berlin").stages
    origin = base_of(stage.cut.window).origin  # type: ignore[union-attr]
    assert datetime.fromtimestamp(int(measure(origin)) / 1_000_000, UTC) == datetime.fromisoformat(f"{instant}+00:00")


def test_any_clause_and_any_place() -> None:
    assert window("WATTR ts OFFSET INTERVAL 1 HOUR / 4 TUMBLE 1 HOUR").offset == Duration(900_000_000)
    assert window("TUMBLE 1 HOUR OFFSET 5 MINUTES 30 SECONDS").offset == Duration(330_000_000)
    assert window("OFFSET -(2 + 1) TUMBLE 10 WATTR v").offset == -3
    band = window("BAND 1 + 1 TO 2 * (3 + 2) SLIDE 2 WATTR v")
    assert (band.lower, band.upper) == (2, 10)
    since = window("LANDMARK FROM DATE '2026-01-01' + 6 SLIDE 1 HOUR").since
    assert since == date(2026, 1, 7)
    until = window("LANDMARK UNTIL make_timestamp(2026, 1, 1, 6, 0, 0.5) SLIDE 1 HOUR").until
    assert until == datetime(2026, 1, 1, 6, 0, 0, 500_000)


def test_it_is_written_as_it_is_read() -> None:
    origin = window("TUMBLE 1 HOUR ORIGIN TIMESTAMP '2026-03-28 12:00:00' + INTERVAL '1 day' - INTERVAL 2 HOURS").origin
    assert origin == Elapsed(datetime(2026, 3, 28, 12), (hours(24), hours(-2)))
    assert window(f"TUMBLE 1 HOUR ORIGIN {origin}").origin == origin


@pytest.mark.parametrize(
    ("bracket", "error", "underlined"),
    [
        ("RANGE 4 SLIDE 2 WATTR v ORIGIN v + 1", BadExpression, "v + 1"),
        ("TUMBLE 1 HOUR ORIGIN current_timestamp()", BadExpression, "current_timestamp()"),
        ("TUMBLE 1 HOUR ORIGIN now()", BadExpression, "now()"),
        ("RANGE 4 SLIDE 2 ORIGIN rand() WATTR v", BadExpression, "rand()"),
        ("RANGE 4 SLIDE 2 WATTR v ORIGIN NULL", SyntaxMistake, "NULL"),
        ("RANGE 4 SLIDE 2 WATTR v ORIGIN NULL + 1", BadExpression, "NULL + 1"),
        ("RANGE 4 SLIDE 2 WATTR v ORIGIN 1 / 0", BadExpression, "1 / 0"),
        ("RANGE 4 SLIDE 2 WATTR v ORIGIN 1.0 / 3", BadExpression, "1.0 / 3"),
        ("RANGE 4 SLIDE 2 WATTR v ORIGIN 'a' || 'b'", BadExpression, "'a' || 'b'"),
        ("RANGE 4 SLIDE 2 WATTR v ORIGIN (SELECT 1)", BadExpression, "(SELECT 1)"),
        ("RANGE 4 SLIDE 2 WATTR v ORIGIN 1 +", BadExpression, "1 +"),
        ("TUMBLE 1 HOUR ORIGIN INTERVAL 1 MONTH", BadExpression, "INTERVAL 1 MONTH"),
        ("TUMBLE 1 HOUR ORIGIN DATE '2026-01-01' + 1.5", BadExpression, "DATE '2026-01-01' + 1.5"),
        ("TUMBLE 1 HOUR ORIGIN TIMESTAMP '2026-01-02' - TIMESTAMP '2026-01-01'", BadExpression, None),
        ("TUMBLE 1 HOUR ORIGIN make_date(2026, 13, 1)", BadExpression, "make_date(2026, 13, 1)"),
        ("TUMBLE 1 HOUR ORIGIN", SyntaxMistake, None),
        ("BAND 1 TO SLIDE 2 WATTR v", SyntaxMistake, None),
        ("TUMBLE 1 HOUR ORIGIN 1 + 1", MixedUnits, None),
    ],
)
def test_what_is_no_constant_is_underlined(bracket: str, error: type[TransomError], underlined: str | None) -> None:
    with pytest.raises(error) as raised:
        window(bracket)
    span = raised.value.span
    assert span is not None
    if underlined is not None:
        assert span.text[span.start : span.end] == underlined


def test_a_decimal_that_ends_is_exact() -> None:
    assert window("RANGE 4 SLIDE 2 WATTR v ORIGIN 1.0 / 4").origin == Decimal("0.25")
