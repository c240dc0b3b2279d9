"""Expiry in silence: no tuple comes, the clock moves, and tuples whose time is up leave."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pytest

import transom as tr
from transom.kernels.bucket import Bucket
from transom.kernels.progress.silence import Silence
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.planner import plan as planned
from transom.planner.spec_of import spec_of
from transom.planner.stage import Stage

SECOND = 1_000_000
TIME = pa.timestamp("us", "UTC")
ALARM = """SELECT exit_alarm(code, id) OVER (RANGE 5 SECONDS PRECEDING ACTIVE EXPIRATION) AS stolen, event_ts AS at FROM door"""
ALONE = (
    """SELECT silence(id) OVER (PARTITION BY id RANGE 5 SECONDS PRECEDING ACTIVE EXPIRATION) AS quiet, event_ts AS at FROM door"""
)


def stage_of(query: str, disorder: str = "") -> Stage:
    plan = tr.sql(f"CREATE STREAM door (code STRING, id STRING, ts TIMESTAMP) ORDER BY ts {disorder}; {query};").plan
    (stage,) = planned(plan).stages
    assert isinstance(stage, Stage)
    return stage


@dataclass
class Door:
    """The operator of a query, with its state packed after each micro-batch. Event times are 1000 seconds behind the clock."""

    stage: Stage
    shards: int = 1
    kept: dict[int, Memory] = field(default_factory=dict)

    def batch(self, now: float, *tuples: tuple[str, str, float], tick: bool = True) -> list[tuple[Any, float]]:
        """What leaves: the values, and their seconds."""
        columns = self.stage.columns()
        names = {name: text.replace("`", "") for name, text in columns.items()}
        types = {name: TIME if text == "ts" else pa.string() for name, text in names.items()}
        values = {"code": [t[0] for t in tuples], "id": [t[1] for t in tuples], "ts": [round(t[2] * SECOND) for t in tuples]}
        ticks = [None] if tick else []
        table = pa.table({name: pa.array([*values[text], *ticks], types[name]) for name, text in names.items()})
        rows = table.num_rows
        table = table.append_column("__tick", pa.array([False] * len(tuples) + [True] * len(ticks)))
        table = table.append_column("__now", pa.array([round((1000 + now) * SECOND)] * rows))
        spec = spec_of(self.stage, types)
        found: list[tuple[Any, float]] = []
        for shard in range(self.shards):
            pieces = [piece for at, piece in Bucket(spec, self.shards).slices(table, ("", 0, 0)) if at == shard]
            operator, blocks = ShardOperator(spec), self.kept.setdefault(shard, Memory())
            operator.load(blocks)
            out = operator.step(pieces, blocks)
            operator.save(blocks)
            if out.rows is not None:
                rows_out = out.rows.to_pylist()
                found += [(row["y0"], row["event_ts"].timestamp()) for row in rows_out]
        return sorted(found)


def test_an_item_alone_is_told_when_its_time_has_passed_in_silence() -> None:
    door = Door(stage_of(ALARM))
    assert door.batch(0, ("item", "i1", 0)) == []
    assert [door.batch(second) for second in (1, 2, 5)] == [[], [], []]
    assert door.batch(6) == [("i1", 5.0)]
    assert door.batch(60) == []


def test_a_person_in_time_makes_it_fine() -> None:
    door = Door(stage_of(ALARM))
    door.batch(0, ("item", "i1", 0))
    door.batch(4)
    assert door.batch(4.5, ("ap", "p", 4.5)) == []
    assert door.batch(60) == []


def test_slack_is_waited_for() -> None:
    door = Door(stage_of(ALARM, "SLACK 3 SECONDS"))
    door.batch(0, ("item", "i1", 0))
    assert door.batch(7) == []
    assert door.batch(8.5) == [("i1", 5.0)]


def test_what_comes_after_the_clock_has_passed_it_is_late() -> None:
    door = Door(stage_of(ALARM))
    door.batch(0, ("item", "i1", 0))
    assert door.batch(6) == [("i1", 5.0)]
    assert door.batch(7, ("ap", "p", 4)) == []
    assert door.batch(8, ("item", "i2", 7)) == []
    assert door.batch(14) == [("i2", 12.0)]


def test_tuples_end_the_silence_before_them() -> None:
    """Those that come slowly do not make each other late."""
    door = Door(stage_of(ALARM))
    door.batch(0, ("item", "i1", 0))
    assert door.batch(100, ("ap", "p", 1)) == []
    assert door.batch(103) == []


def test_nothing_moves_before_the_first_tuple() -> None:
    door = Door(stage_of(ALARM))
    door.batch(0)
    door.batch(50)
    assert door.batch(51, ("item", "i1", 0)) == []
    assert door.batch(57) == [("i1", 5.0)]


@pytest.mark.parametrize("disorder", ["HEARTBEAT", "SLACK 0 ROWS", "DRATIO 5%", "SLACK 1 SECOND BFSIZE 100"])
def test_controllers_move_too(disorder: str) -> None:
    door = Door(stage_of(ALARM, disorder))
    for n in range(300):
        door.batch(0, ("ap", "p", n / 1000), tick=False)
    door.batch(0, ("item", "i1", 20))
    door.batch(1, ("ap", "p", 30))
    door.batch(2, ("item", "i2", 40))
    assert door.batch(30)[-1:] == [("i2", 45.0)]


def test_each_group_with_an_order_of_its_own_is_silent_by_itself() -> None:
    door = Door(stage_of(ALONE, "ORDERED PER id"), shards=2)
    door.batch(0, ("item", "a", 0), ("item", "b", 100))
    found = [(door.batch(second, ("item", "b", 100 + second))) for second in range(1, 8)]
    assert [row for each in found for row in each] == [("a", 5.0)]
    assert found[5] == [("a", 5.0)]


def test_punctuation_is_the_source_s_own_word() -> None:
    assert not stage_of(ALARM, "PUNCTUATION (ts) WHEN code = 'p'").looks_at_clock


def test_only_for_active_expiration_in_time() -> None:
    assert stage_of(ALARM).looks_at_clock
    assert not stage_of("SELECT count(*) OVER (RANGE 5 SECONDS PRECEDING) AS n FROM door").looks_at_clock
    numbers = (
        "CREATE STREAM s (w STRING, t INT) ORDER BY t; SELECT silence(w) OVER (RANGE 5 PRECEDING ACTIVE EXPIRATION) AS y FROM s;"
    )
    assert not planned(tr.sql(numbers).plan).stages[0].looks_at_clock


def test_a_clock_that_is_set_back() -> None:
    silence = Silence()
    assert [silence.passed([now]) for now in (10, 15, 12, 14, None, 20)] == [0, 5, 0, 0, 0, 5]
