"""What the shards of an operator tell, put together."""

from __future__ import annotations

import json
from typing import Any

from transom.quality.shard_reports import together


def told(**fields: Any) -> str:
    return json.dumps({"used": 1, "late": 0, "frontier": None, **fields})


def test_counts_are_added_up_and_progress_is_the_same_in_all() -> None:
    control = {"seen": 9, "delay": 3}
    found = together([told(used=5, late=2, frontier="12:00", control=control), told(used=4, frontier="12:00", control=control)])
    assert (found["used"], found["late"], found["frontier"], found["control"]) == (9, 2, "12:00", control)


def test_a_shard_that_has_come_nowhere_yet_does_not_count() -> None:
    assert together([told(), told(frontier="12:00")])["frontier"] == "12:00"
    assert together([told(), told()])["frontier"] is None


def test_late_tuples_are_added_up_by_age() -> None:
    found = together([told(late_up_to={"1000000.0": 3}), told(), told(late_up_to={"1000000.0": 1, "5000000.0": 2})])
    assert found["late_up_to"] == {1e6: 4, 5e6: 2}
    assert together([told(late_by_age={"20": 3})])["late_up_to"] == {1e6: 3}  # a record of 0.1


def test_of_a_batch_only_the_last_piece_tells_of_the_controller() -> None:
    assert together([told(used=0), told(control={"seen": 4})])["control"] == {"seen": 4}


def test_where_no_shard_has_told_there_is_nothing() -> None:
    assert together([]) == {}
