"""Windows on the clock with algebraic aggregates: added up by pane they give what containers of tuples give, whatever the cut."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tests.applied.extents import STREAM, TYPES
from tests.applied.harness import kernel_rows
from tests.applied.test_kernels_are_containers import arriving, batches_of
from tests.windowing.configurations import history
from transom.explain.explain_lines import explain
from transom.kernels.applied.applied_operator import container_operator
from transom.kernels.applied.clock_operator import ClockOperator
from transom.kernels.applied.extent_operator import ExtentOperator
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.applied.port_slices import slices_of_chunk
from transom.kernels.state.store import Memory
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.applied.policy_stage import PolicyStage
from transom.planner.spec_of import operator_of

INSTANT = pa.timestamp("us", "UTC")
TYPES_OF_STREAM = {**TYPES, "arrival_ts": INSTANT}
RESULTS = {"MIN(a)": pa.float64(), "AVG(a)": pa.float64()}
BOUNDS = {"event_ts": INSTANT, "window_start": pa.int64(), "window_end": pa.int64(), "wid": pa.int64()}
LATE = "id > 30"


def specs_of(query: str, keys: tuple[str, ...], beside: dict[str, pa.DataType], shards: int = 1) -> tuple[ExtentSpec, ExtentSpec]:
    """The spec that adds up, and that of the same query in containers."""
    (plan,) = bind_script(STREAM + query).queries
    (stage,) = planned(plan).stages
    assert isinstance(stage, PolicyStage)
    types = {name: TYPES_OF_STREAM.get(text.strip("`"), pa.bool_()) for name, text in stage.window.columns().items()}
    calls = [call.text for call in stage.window.calls]
    schema = pa.schema(
        [
            *((key, pa.string()) for key in keys),
            *((f"__y{n}", RESULTS.get(call, pa.int64())) for n, call in enumerate(calls)),
            *beside.items(),
        ]
    )
    found = []
    for width in (stage.window.width, None):
        one = replace(stage, window=replace(stage.window, width=width))
        window, parts = operator_of(one.window, types)
        found.append(one.spec(window, tuple(types), schema, types, shards=shards, parts=parts))  # type: ignore[arg-type]
    return found[0], found[1]


def columns_of(table: pa.Table, spec: ExtentSpec) -> pa.Table:
    """The rows of the stream as they go to bucket: keys, arguments by their order (`id`, then `a`), and the condition."""
    arguments = [item.args for item in spec.window.computed]
    made = {f"k:{name}": table[name] for name in spec.window.keys}
    for item in spec.window.computed:
        for name in item.args:
            made[name] = table["a" if item.call.function in ("MIN", "AVG") else "id"]
    assert arguments
    if "__pick" in spec.inputs[0].columns:
        made["__pick"] = pc.greater(table["id"], 30)
    if "__order" in spec.inputs[0].columns:
        made["__order"] = pa.nulls(table.num_rows, INSTANT)
    return pa.table({**made, **{name: table[name] for name in table.column_names if name.startswith("__")}})


def both(query: str, keys: tuple[str, ...], beside: dict[str, pa.DataType], seed: int, shards: int = 1) -> tuple[Any, Any]:
    """The rows of one random stream, added up and in containers."""
    adding, holding = specs_of(query, keys, beside, shards)
    assert isinstance(container_operator(adding), ClockOperator)
    assert isinstance(container_operator(holding), ExtentOperator)
    batches = arriving(batches_of([item for item in history(seed, 100) if item[0] != "punct"], seed))
    rows = [
        kernel_rows(spec, [[columns_of(table, spec) for table in each] for each in batches], shards) for spec in (adding, holding)
    ]
    return [list(map(repr, found)) for found in rows]  # NaN equals itself there


WINDOWS = [f"TUMBLING time({p} MICROSECONDS)" for p in (1, 2, 3, 6)] + [
    f"SLIDING time({p} MICROSECONDS), time({q} MICROSECONDS){partial}"
    for p, q in ((1, 1), (2, 1), (6, 2), (6, 4), (10, 3), (2, 5))
    for partial in ("", " PARTIAL OFF")
]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("partitioned", [False, True])
def test_what_is_added_up_is_what_containers_give(window: str, partitioned: bool) -> None:
    keys = ("k",) if partitioned else ()
    by = window.replace(" PARTIAL", " PARTITIONED BY (k) PARTIAL") if " PARTIAL" in window else f"{window} PARTITIONED BY (k)"
    selected = ", ".join([*keys, "count(*) AS n", "sum(id) AS total", "min(a) AS lo", *BOUNDS])
    for where in ("", f" WHERE {LATE}"):
        query = f"SELECT {selected} FROM s [{by if partitioned else window}]{where}"
        for seed in (5, 6, 7):
            added, held = both(query, keys, BOUNDS, seed)
            assert added == held, query


@pytest.mark.parametrize("window", WINDOWS[2::5])
def test_groups_within_windows_and_partitions_in_shards(window: str) -> None:
    """Groups of one window come in any order."""
    for query, keys, shards in (
        (f"SELECT k, count(*) AS n, max(id) AS hi, event_ts FROM s [{window}] GROUP BY k", ("k",), 1),
        (f"SELECT k, count(*) AS n, max(id) AS hi, event_ts FROM s [{window} PARTITIONED BY (k)]", ("k",), 3),
    ):
        query = query.replace("PARTIAL OFF PARTITIONED BY (k)", "PARTITIONED BY (k) PARTIAL OFF")
        added, held = both(query, keys, {"event_ts": INSTANT}, 8, shards)
        assert added
        assert sorted(added) == sorted(held)


def run(spec: ExtentSpec, table: pa.Table, now: int, blocks: Memory) -> list[dict[str, Any]]:
    """One micro-batch."""
    table = table.append_column("__now", pa.array([now] * table.num_rows, pa.int64()))
    slices = [piece for _, piece in slices_of_chunk(table, spec.inputs[0], 0, 1, 0, 0)]
    made = container_operator(spec).step(slices, blocks)
    return [] if made is None else made.to_pylist()


def test_an_average_over_an_hour_every_minute_keeps_sixty_partials() -> None:
    query = "SELECT avg(a) AS mean, event_ts FROM s [SLIDING time(1 HOUR), time(1 MINUTE)]"
    adding, _ = specs_of(query, (), {"event_ts": INSTANT})
    blocks, random_, minute = Memory(), random.Random(1), 60_000_000
    came: list[tuple[int, float]] = []
    for second in range(0, 3 * 3600, 20):
        now, values = second * 1_000_000, [random_.random() for _ in range(5)]
        table = pa.table({"x0": values, "__keep": [True] * 5, "__order": pa.nulls(5, INSTANT)})
        for row in run(adding, table, now, blocks):
            instant = int(row["event_ts"].timestamp()) * 1_000_000
            expected = [value for at, value in came if instant - 60 * minute <= at < instant]
            assert row["__y0"] == pytest.approx(sum(expected) / len(expected), rel=1e-12)
        came += [(now, value) for value in values]
    kept = pa.ipc.open_stream(blocks.blocks["panes"]).read_all()
    assert kept.num_rows == 60
    assert len(came) == 2_700


@pytest.mark.parametrize(
    ("query", "strategy"),
    [
        ("SELECT avg(a) AS m FROM s [SLIDING time(1 HOUR), time(1 MINUTE)]", "panes"),
        ("SELECT avg(a) AS m FROM s [TUMBLING time(1 MINUTE) PARTITIONED BY (k)]", "panes"),
        ("SELECT median(a) AS m FROM s [SLIDING time(1 HOUR), time(1 MINUTE)]", "container"),
        ("SELECT a FROM s [SLIDING time(1 HOUR), time(1 MINUTE)]", "container"),
        ("SELECT avg(a) AS m FROM s [SLIDING time(1 HOUR), count(1)]", "container"),
        ("SELECT k, avg(a) AS m FROM s [TUMBLING time(1 MINUTE) PARTITIONED BY (k) partition_count(3)]", "container"),
    ],
)
def test_explain_says_what_is_kept(query: str, strategy: str) -> None:
    (plan,) = bind_script(STREAM + query).queries
    told = explain(plan).splitlines()
    assert any(line.startswith(f"strategy: {strategy} (") for line in told)
    assert ("rule: panes_by_gcd" in told) == (strategy == "panes")
    if strategy == "panes":
        assert "state per key: one partial per pane of 1 minute" in told
