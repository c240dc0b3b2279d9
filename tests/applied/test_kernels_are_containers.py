"""In every configuration, micro-batches of any cut with the state in blocks in between give what one container gives."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

from tests.applied.harness import kernel_rows
from tests.windowing.configurations import everything, history
from transom.column_names import KIND
from transom.kernels.applied.applied_spec import PUNCTUATION, TUPLE, AppliedSpec, InputSpec
from transom.windowing import ByTicks, Operator, OperatorRun, Output, Port
from transom.windowing.policies.configuration import Configuration

ROW = pa.schema([("event", pa.string()), ("k", pa.string()), ("held", pa.string())])
CONFIGURATIONS = everything()
CLOCKED = [name for name, kind in CONFIGURATIONS.items() if kind.reads_clock]


class Teller(Operator):
    """Emits a row for every event, with the tuples in the window."""

    takes = Port()
    gives = Output("event STRING, k STRING, held STRING", punctuation="free")

    def _emit(self, event: str, window: Any, partition: Any) -> None:
        window.state["events"] = window.state.get("events", 0) + 1
        self.emit(f"{event} {window.state['events']}", partition, ",".join(str(t.id) for t in window))

    def after_insertion(self, window: Any, partition: Any, t: Any) -> None:
        self._emit("insertion", window, partition)

    def before_eviction(self, window: Any, partition: Any, t: Any) -> None:
        self._emit(f"eviction of {t.id}", window, partition)

    def on_trigger(self, window: Any, partition: Any) -> None:
        self._emit("trigger", window, partition)

    def on_initial_full(self, window: Any, partition: Any) -> None:
        self._emit("full", window, partition)

    def on_partition_eviction(self, window: Any, partition: Any) -> None:
        self._emit("partition eviction", window, partition)


Batch = tuple[int, list[Any]]
"""The time of a micro-batch, and its tuples; None stands for a window punctuation."""


def batches_of(items: list[Any], seed: int) -> list[Batch]:
    random_ = random.Random(seed)
    batches: list[Batch] = []
    now, held = 0, []
    for kind, *what in items:
        now = what[0] if kind != "punct" else now
        if kind != "tick":
            held.append(what[1] if kind == "tuple" else None)
        if random_.random() < 0.3:
            batches.append((now, held))
            held = []
    return [*batches, (now, held)]


def in_container(window: Configuration, batches: list[Batch], operator: Operator) -> list[Any]:
    run = OperatorRun(operator, window, clock=ByTicks())
    tuples = iter(made([t for _, each in batches for t in each if t is not None]))
    for now, each in batches:
        run.tick(now)
        for t in each:
            if t is None:
                run.punctuate()
            else:
                run.insert(next(tuples))
    return [tuple(row) for row in run.rows()]


def made(tuples: list[Any]) -> list[Any]:
    from transom.kernels.applied.tuple_maker import TupleMaker

    return TupleMaker(["id", "k", "a", "b"])(table_of(tuples))


def table_of(tuples: list[Any], now: int | None = None) -> pa.Table:
    kinds = [PUNCTUATION if t is None else TUPLE for t in tuples]
    table = pa.table(
        {
            **{name: pa.array([None if t is None else t[name] for t in tuples], pa.int64()) for name in ("id",)},
            "k": pa.array([None if t is None else t["k"] for t in tuples], pa.string()),
            **{name: pa.array([None if t is None else t[name] for t in tuples], pa.float64()) for name in ("a", "b")},
        }
    )
    return table if now is None else table.append_column(KIND, pa.array(kinds, pa.int8()))


def arriving(batches: list[Batch]) -> list[list[pa.Table]]:
    """Each micro-batch with its time, which a row says that is no tuple: so that time passes in silence, too."""
    found = []
    for now, each in batches:
        table = table_of([*each, None], now)
        kinds = table[KIND].to_pylist()
        kinds[-1] = 2
        table = table.set_column(table.schema.get_field_index(KIND), KIND, pa.array(kinds, pa.int8()))
        found.append([table.append_column("__now", pa.array([now] * table.num_rows, pa.int64()))])
    return found


def spec_of(window: Configuration, *, spread: bool = False) -> AppliedSpec:
    return AppliedSpec(
        (InputSpec("in", window, ("id", "k", "a", "b")),), operator=Teller(), output="out", schema=ROW, spread=spread
    )


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_micro_batches_give_what_a_container_gives(name: str) -> None:
    window = CONFIGURATIONS[name]
    for seed in range(2):
        batches = batches_of(history(seed, 80), seed)
        expected = in_container(window, batches, Teller())
        assert expected
        assert kernel_rows(spec_of(window), arriving(batches), 1) == expected
        if window.keys and window.limit is None:
            spread = kernel_rows(spec_of(window, spread=True), arriving(batches), 3)
            assert by_partition(spread) == by_partition(expected)


@pytest.mark.parametrize("name", [name for name in CONFIGURATIONS if name not in CLOCKED])
def test_without_the_clock_the_cut_does_not_matter(name: str) -> None:
    items = history(11, 80)
    runs = [kernel_rows(spec_of(CONFIGURATIONS[name]), arriving(batches_of(items, seed)), 1) for seed in range(3)]
    assert runs[0] == runs[1] == runs[2]


def by_partition(rows: list[Any]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for row in rows:
        found.setdefault(row[1], []).append(row)
    return found
