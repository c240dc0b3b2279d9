"""What goes wrong with disorder clauses while a query runs, on the reference and on the kernels."""

from __future__ import annotations

from decimal import Decimal

import pytest

import transom as tr
from tests.engines.kernels import KernelEngine
from transom.errors import BadTuple
from transom.reference import Arrival
from transom.testing import Engine, ReferenceEngine, answer, parse_transcript

NO_ARRIVAL = """
sql: |
  CREATE STREAM s (a BIGINT, t BIGINT) ORDER BY a {clause} ARRIVAL BY t;
  SELECT count(*) AS n FROM s [TUMBLE 10];
steps:
  - expect: []
"""


@pytest.mark.parametrize("engine", [ReferenceEngine(), KernelEngine()], ids=["reference", "kernels"])
@pytest.mark.parametrize("clause", ["DRATIO 1% NORMAL", "DRATIO 1%", "SLACK 5"])
def test_a_tuple_without_arrival_time_is_refused(clause: str, engine: Engine) -> None:
    transcript = parse_transcript(NO_ARRIVAL.format(clause=clause))
    running = engine.start(transcript.query, transcript.stream)
    running.feed([Arrival({"a": 1, "t": 2})])
    with pytest.raises(BadTuple, match="'t' is NULL"):
        running.feed([Arrival({"a": 1, "t": None})])


@pytest.mark.parametrize("clause", ["PUNCTUATION (a) WHEN done"])
def test_with_correct_punctuation_nothing_is_late(clause: str) -> None:
    """Whatever the disorder: each promise is kept by what comes after it."""
    transcript = parse_transcript(PROMISED.format(clause=clause))
    for engine in (ReferenceEngine(), KernelEngine(), KernelEngine(shards=2, slices=3)):
        running = engine.start(transcript.query, transcript.stream)
        for item in transcript.items:
            running.feed([item])
        assert running.counts().late == 0
        assert not running.late()


PROMISED = """
sql: |
  CREATE STREAM s (a BIGINT, done BOOLEAN) ORDER BY a {clause};
  SELECT count(*) AS n FROM s [TUMBLE 10];
steps:
  - tuples: [[90, null], [3, null], [41, null], [7, null]]
  - punctuation: [7]
  - tuples: [[8, null], [7, null], [60, null]]
  - punctuation: [41]
  - tuples: [[41, null], [55, null]]
  - end
  - expect: [[4], [2], [1], [1], [1]]
"""


@pytest.mark.parametrize(("kind", "late"), [("DECIMAL(10, 0)", 1), ("DECIMAL(10)", 1), ("DECIMAL(10, 2)", 2)])
def test_a_decimal_is_measured_in_its_last_digit(kind: str, late: int) -> None:
    """After 10, 9 and 20 the average of the largest lateness is two thirds, rounded up, and the frontier at 19, or at 19.33."""
    sql = f"CREATE STREAM s (x {kind}) ORDER BY x HEARTBEAT AVERAGE; SELECT count(*) AS n FROM s [TUMBLE 100];"
    assert answer(tr.sql(sql), [(Decimal(x),) for x in (10, 9, 20, 19)]).counts.late == late
