"""A name that is wrong is underlined, and not all that stands around it."""

from __future__ import annotations

import pytest

from transom.errors import BadFrame, NotOrdered, TransomError, UnknownColumn, UnknownStream, WrongUnit
from transom.language import bind_script

STREAM = "CREATE STREAM s (v DOUBLE, kind STRING, ts TIMESTAMP) ORDER BY ts {clause} SOURCE FILE 'in';"
QUERY = "SELECT count(*) AS n FROM s [TUMBLE 5 MINUTES {clause}];"


@pytest.mark.parametrize("stands", ["on the stream", "in the bracket"])
@pytest.mark.parametrize(
    ("error", "clause", "name"),
    [
        (UnknownColumn, "DRATIO 1% ARRIVAL BY received", "received"),
        (UnknownColumn, "DRATIO 1% ARRIVAL BY `as received`", "as received"),
        (UnknownColumn, "SLACK 1 SECOND PER SOURCE (kind, Source, v)", "Source"),
        (NotOrdered, "DRATIO 1% ARRIVAL BY kind", "kind"),
        (NotOrdered, "DRATIO 1% NORMAL ARRIVAL BY kind", "kind"),
        (NotOrdered, "SLACK 1 SECOND ARRIVAL BY kind", "kind"),
    ],
)
def test_columns_of_disorder_clauses(stands: str, error: type[TransomError], clause: str, name: str) -> None:
    of_stream, of_window = (clause, "") if stands == "on the stream" else ("", clause)
    with pytest.raises(error) as caught:
        bind_script(STREAM.format(clause=of_stream) + "\n" + QUERY.format(clause=of_window))
    span = caught.value.span
    assert span is not None
    assert span.text[span.start : span.end] == name


READS = "CREATE STREAM s (id BIGINT, v DOUBLE, ts TIMESTAMP) ORDER BY ts;\n"


@pytest.mark.parametrize(
    ("error", "sql", "underlined"),
    [
        (
            BadFrame,
            READS + "SELECT sum(v) OVER (ORDER BY ts ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS x FROM s;",
            "BETWEEN CURRENT ROW AND 1 FOLLOWING",
        ),
        (BadFrame, READS + "SELECT sum(v) OVER (ORDER BY ts ROWS 1 FOLLOWING) AS x FROM s;", "ROWS 1 FOLLOWING"),
        (BadFrame, READS + "SELECT id, sum(v) OVER (ROWS -3 PRECEDING) AS x FROM s;", "ROWS -3 PRECEDING"),
        (
            BadFrame,
            READS + "SELECT sum(v) OVER (RANGE INTERVAL -3 SECONDS PRECEDING) AS x FROM s;",
            "RANGE INTERVAL -3 SECONDS PRECEDING",
        ),
        (BadFrame, READS + "SELECT sum(v) OVER (ROWS 3 PRECEDING SLIDE 2 SECONDS) AS x FROM s;", "SLIDE 2 SECONDS"),
        (BadFrame, READS + "SELECT sum(v) OVER (ROWS 3 PRECEDING ACTIVE EXPIRATION) AS x FROM s;", "ACTIVE EXPIRATION"),
        (WrongUnit, "CREATE STREAM s (id BIGINT, ts TIMESTAMP) ORDER BY ts LATE GENEROUS SLACK 10%;", "SLACK 10%"),
        (WrongUnit, "CREATE STREAM s (id BIGINT, ts TIMESTAMP) ORDER BY ts SLACK 10;", "SLACK 10"),
        (UnknownStream, READS + "CREATE STREAM lost AS LATE OF trafic;", "trafic"),
        (UnknownColumn, "CREATE STREAM s (id BIGINT, ts TIMESTAMP) ORDER BY time SLACK 1 SECOND;", "time"),
        (NotOrdered, "CREATE STREAM s (id STRING, ts TIMESTAMP) ORDER BY id;", "id"),
    ],
)
def test_what_is_wrong_is_underlined_alone(error: type[TransomError], sql: str, underlined: str) -> None:
    with pytest.raises(error) as caught:
        bind_script(sql)
    span = caught.value.span
    assert span is not None
    assert span.text[span.start : span.end] == underlined
