"""Stored checkpoints of every kind of operator: this version resumes from them, and answers as if nothing had happened."""

from __future__ import annotations

import io
import json

import pyarrow as pa
import pytest

from tests.upgrades.stored import HERE, Half, read
from transom.errors import CheckpointDamaged, CheckpointMismatch
from transom.kernels.state import migration
from transom.kernels.state.migration import MIGRATIONS, OLDEST, Migrated, migrated
from transom.kernels.state.store import FORMAT, Memory, opened, pack, unpack
from transom.planner.windowed.window_stage import WindowStage, aggregates_of
from transom.testing.compare import assert_same_rows

FORMATS = sorted(int(path.name.split("_")[1].split(".")[0]) for path in HERE.glob("format_*.tar.xz"))
STORED = [(number, name) for number in FORMATS for name in read(HERE / f"format_{number}.tar.xz")]


@pytest.fixture(scope="module")
def stored() -> dict[int, dict[str, list[dict[str, bytes]]]]:
    return {number: read(HERE / f"format_{number}.tar.xz") for number in FORMATS}


@pytest.mark.parametrize(("number", "name"), STORED, ids=[f"{number}-{name}" for number, name in STORED])
def test_a_stored_checkpoint_goes_on(number: int, name: str, stored: dict[int, dict[str, list[dict[str, bytes]]]]) -> None:
    whole, resumed = Half(name), Half(name)
    whole.execution.feed(whole.first)
    if not name.startswith("relations/"):
        resumed.execution._pieces(resumed.first)  # the clock, and which tuple is in which slice
    resumed.blocks = stored[number][name]
    for side, other in zip(getattr(whole.running, "sides", ()), getattr(resumed.running, "sides", ()), strict=True):
        other.__dict__.update({n: v for n, v in vars(side).items() if n == "row_num"})
    if number == 11 and _in_another_order(resumed):  # format 11 kept aggregates in the order of the select list
        with pytest.raises(CheckpointMismatch, match="another query"):
            resumed.execution.feed(resumed.second)
        return
    assert_same_rows(resumed.execution.feed(resumed.second), whole.execution.feed(whole.second), rel_tol=1e-12)


def _in_another_order(half: Half) -> bool:
    """Whether the query names its aggregates in another order than that in which state now keeps them."""
    if not isinstance(half.running.stage, WindowStage):
        return False
    spelled = [one.text for item in half.running.stage.spelled for one in aggregates_of(item)]
    return list(dict.fromkeys(spelled)) != [call.text for call in half.running.stage.calls]


def test_every_format_since_the_oldest_has_a_migration_and_a_stored_checkpoint() -> None:
    assert sorted(MIGRATIONS) == list(range(OLDEST, FORMAT))
    assert FORMATS[0] == OLDEST


def test_migrations_run_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = Memory()
    blocks.write("head", _as_format(pack(pa.table({"a": [1]}), "plan", {"seen": []}), 10))
    monkeypatch.setattr(migration, "OLDEST", 10)
    steps = {n: _marking(n) for n in range(10, FORMAT)}
    monkeypatch.setattr(migration, "MIGRATIONS", steps)
    table, note = unpack(Migrated(blocks).read("head") or b"", "plan")
    assert note == {"seen": list(range(10, FORMAT))}
    assert table.to_pydict() == {"a": [1]}


def _marking(number: int) -> migration.Migration:
    return lambda name, table, note: (table, {"seen": [*note["seen"], number]})


def _as_format(block: bytes, number: int) -> bytes:
    table, about = opened(block)
    table = table.replace_schema_metadata({b"transom": json.dumps({**about, "format": number}).encode()})
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def test_a_newer_format_is_refused() -> None:
    block = _as_format(pack(pa.table({"a": [1]}), "plan"), FORMAT + 1)
    with pytest.raises(CheckpointMismatch, match="by a newer version"):
        migrated("head", block)


def test_a_format_that_is_too_old_is_refused() -> None:
    block = _as_format(pack(pa.table({"a": [1]}), "plan"), OLDEST - 1)
    with pytest.raises(CheckpointMismatch, match="too old"):
        migrated("head", block)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_block_that_is_cut_off_is_no_block(share: float) -> None:
    block = pack(pa.table({"a": list(range(1000))}), "plan")
    with pytest.raises(CheckpointDamaged):
        unpack(block[: int(len(block) * share)], "plan")
