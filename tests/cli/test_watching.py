"""What is told of a run where nobody watches a terminal."""

from __future__ import annotations

import pytest

from transom.cli.watching import Screen
from transom.spark.running.messages.progress_line import Tally


def test_a_line_is_not_told_twice(capsys: pytest.CaptureFixture[str]) -> None:
    screen, tally = Screen(progress=True), Tally("q")
    for second in range(1, 31):
        tally.rows_in = 100 * (second >= 15)
        screen.tick([tally], second)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "in 0 rows, 0 rows/s"
    assert told[-1] == "in 100 rows, 0 rows/s"
    assert len(told) == len(set(told)) < 10
