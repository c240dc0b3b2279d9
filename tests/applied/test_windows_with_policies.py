"""Windows with policies in SQL: the extents are those of a container, whatever the cut; aggregates are computed over them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from tests.applied.extents import columns_in, outputs, spec_of, stage_of
from tests.applied.harness import kernel_rows
from tests.applied.test_kernels_are_containers import Batch, arriving, batches_of, made
from tests.windowing.configurations import everything, history
from transom.errors import NotSupported, TransomError
from transom.language import bind_script
from transom.planner.runnable import check_runs
from transom.windowing import ByTicks
from transom.windowing.policies.configuration import Configuration

CONFIGURATIONS = {name: kind for name, kind in everything().items() if "chosen" not in name and "tumbling punct" not in name}
CALLS = ("COUNT(*)", "SUM(id)", "MAX(id)")
BOUNDS = {"window_start": pa.int64(), "window_end": pa.int64()}
QUERY = "SELECT {keys}count(*) AS n, sum(id) AS total, max(id) AS hi, window_start, window_end, wid FROM s {window}"


def text_of(window: Configuration) -> str:
    """A window as SQL; microseconds are written as fractions of a second."""
    return str(window)


def in_container(window: Configuration, batches: list[Batch]) -> list[Any]:
    """For each processed window its partition, count, sum and maximum, and where it is in its partition."""
    rows: list[Any] = []
    tuples = made([t for _, each in batches for t in each if t is not None])
    places: dict[int, int] = {}
    counted: dict[Any, int] = {}
    for t in tuples:
        key = t.k if window.keys else None
        places[t.id] = counted.get(key, 0)
        counted[key] = places[t.id] + 1

    def note(subwindow: Any, partition: Any) -> None:
        ids = [t.id for t in subwindow]
        keys = (partition,) if window.keys else ()
        rows.append((*keys, len(ids), sum(ids), max(ids), places[ids[0]], places[ids[-1]] + 1))

    container = window.container(note, clock=ByTicks())  # type: ignore[attr-defined]
    arriving_ = iter(tuples)
    for now, each in batches:
        container.tick(now)
        for t in each:
            if t is not None:
                container.insert(next(arriving_))
    return rows


def test_every_configuration_is_what_a_container_processes() -> None:
    for name, window in CONFIGURATIONS.items():
        keys = "k, " if window.keys else ""
        stage = stage_of(QUERY.format(keys=keys, window=text_of(window)))
        output = {**outputs(stage, window.keys, *CALLS), **BOUNDS}
        spec, sources = spec_of(stage, output)
        for seed in (3, 4):
            items = [item for item in history(seed, 60) if item[0] != "punct"]
            batches = batches_of(items, seed)
            tables = [[columns_in(table, sources) for table in each] for each in arriving(batches)]
            assert kernel_rows(spec, tables, 1) == in_container(window, batches), name


def test_groups_within_a_window_are_in_the_order_of_their_extents() -> None:
    stage = stage_of("SELECT k, count(*) AS n, sum(id) AS total FROM s [TUMBLING delta(a, 3)] GROUP BY k")
    spec, sources = spec_of(stage, outputs(stage, ("k",), *CALLS[:2]))
    rows = [(1, "x", 0.0), (2, "y", 1.0), (3, "x", 3.0), (4, "y", 4.0), (5, "x", 9.0)]
    table = pa.table({"id": [r[0] for r in rows], "k": [r[1] for r in rows], "a": [r[2] for r in rows], "b": [0.0] * 5})
    for cuts in ([5], [1, 1, 1, 1, 1], [2, 3]):
        tables, start = [], 0
        for length in cuts:
            tables.append([columns_in(table.slice(start, length), sources)])
            start += length
        # 0 .. 3 are one window, 4 the next: 9 is past it
        assert sorted(kernel_rows(spec, tables, 1)) == [("x", 2, 4), ("y", 1, 2), ("y", 1, 4)]


@pytest.mark.parametrize(
    ("window", "error"),
    [
        ("[TUMBLING count(0)]", "NotPositive"),
        ("[TUMBLING count(-1)]", "NotPositive"),
        ("[SLIDING count(3)]", "MissingClause"),
        ("[SLIDING count(3), punct()]", "BadPolicy"),
        ("[SLIDING punct(), count(3)]", "BadPolicy"),
        ("[TUMBLING punct()]", "NotPunctuated"),
        ("[TUMBLING delta(k, 3)]", "NotOrdered"),
        ("[TUMBLING delta(a, 3 SECONDS)]", "WrongUnit"),
        ("[TUMBLING delta(nope, 3)]", "UnknownColumn"),
        ("[TUMBLING time(0 SECONDS)]", "NotPositive"),
        ("[TUMBLING time(3)]", "NotALength"),
        ("[SLIDING count(1), cuont(2)]", "UnknownClause"),
        ("[TUMBLING count(3) partition_count(3)]", "MissingClause"),
        ("[TUMBLING count(3) PARTITIONED BY (k) partition_count(0)]", "NotPositive"),
        ("[TUMBLING count(3) PARTITIONED BY (k) partition_count(3, mru)]", "BadPolicy"),
        ("[TUMBLING count(3) PARTITIONED BY (nope)]", "UnknownColumn"),
        ("[TUMBLING count(3) PARTIAL OFF]", "BadPolicy"),
        ("[TUMBLING count(3) PER SHARD]", "MissingClause"),
        ("[TUMBLING count(3) SLACK 5]", "UnknownClause"),
    ],
)
def test_policies_that_make_no_sense_have_names(window: str, error: str) -> None:
    with pytest.raises(TransomError) as raised:
        bind_script(f"CREATE STREAM s (id BIGINT, k STRING, a DOUBLE); SELECT count(*) AS n FROM s {window}")
    assert type(raised.value).__name__ == error


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_window_is_rendered_as_it_is_read(name: str) -> None:
    from transom.plan.sql.render import render

    window = CONFIGURATIONS[name]
    stream = "CREATE STREAM s (id BIGINT, k STRING, a DOUBLE, b DOUBLE);"
    (plan,) = bind_script(f"{stream} SELECT count(*) AS n FROM s {text_of(window)}").queries
    (again,) = bind_script(f"{stream} {render(plan)}").queries
    assert again == plan


@pytest.mark.parametrize("window", ["[TUMBLING delta(a, 3)]", "[TUMBLING delta(a, 3) PARTITIONED BY (k)]"])
def test_a_tumbling_delta_on_columns_is_what_a_container_processes(window: str) -> None:
    key = "k, " if "PARTITIONED" in window else ""
    stage = stage_of(f"SELECT {key}count(*) AS n, sum(id) AS total, max(id) AS hi FROM s {window}")
    spec, sources = spec_of(stage, outputs(stage, ("k",) if key else (), *CALLS))
    assert spec.cuts_columns
    configuration = stage.windows[0]
    for seed in range(8):
        items = [item for item in history(seed, 90) if item[0] != "punct"]
        for cut in (seed, seed + 100):
            batches = batches_of(items, cut)
            tables = [[columns_in(table, sources) for table in each] for each in arriving(batches)]
            expected = [row[:-2] for row in in_container(configuration, batches)]
            assert expected
            assert kernel_rows(spec, tables, 1) == expected


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ISTREAM k FROM s {window}",
        "SELECT s.k FROM s {window} JOIN t [RANGE 1 HOUR] ON s.k = t.k",
        "SELECT k FROM s {window} UNION SELECT k FROM t [RANGE 1 HOUR]",
        "SELECT DISTINCT k FROM s {window}",
        "SELECT k FROM s {window} ORDER BY k",
        "SELECT k, row_num FROM s {window}",
        "SELECT count(*) AS n FROM s {window} TIMESTAMP MIN",
        "SELECT count(*) AS n FROM (SELECT k FROM s {window}) AS q [TUMBLE 5 MINUTES]",
    ],
)
def test_what_these_windows_do_not_do_is_refused_by_name(query: str) -> None:
    streams = (
        "CREATE STREAM s (k STRING, a DOUBLE, ts TIMESTAMP) ORDER BY ts; CREATE STREAM t (k STRING, ts TIMESTAMP) ORDER BY ts;"
    )
    (plan,) = bind_script(streams + query.format(window="[SLIDING delta(a, 5), count(1)]")).queries
    with pytest.raises(NotSupported):
        check_runs(plan)


def test_a_tumbling_delta_over_results_of_windows_takes_them_by_instant() -> None:
    """Two shards give their results in any order: they are sorted, and then cut."""
    stage = stage_of("SELECT count(*) AS n, sum(id) AS total FROM s [TUMBLING delta(a, 3)]")
    spec, sources = spec_of(stage, outputs(stage, (), *CALLS[:2]))
    spec = replace(spec, inputs=(replace(spec.inputs[0], ties="content"),))
    assert spec.cuts_columns
    rows = pa.table({"id": [1, 2, 3, 4], "k": ["x"] * 4, "a": [5.0, 0.0, 9.0, 2.0], "b": [0.0] * 4})
    given = (
        columns_in(rows, sources)
        .append_column("__instant", pa.array([2, 1, 3, 1]))
        .append_column("__kind", pa.array([0] * 4, pa.int8()))
    )
    assert kernel_rows(spec, [[given]], 1) == [(2, 6), (1, 1)]


def test_random_cuts() -> None:
    """Without the clock, results do not depend on micro-batches."""
    stage = stage_of("SELECT k, count(*) AS n FROM s [SLIDING delta(a, 5), delta(b, 2) PARTITIONED BY (k)]")
    spec, sources = spec_of(stage, {"k": pa.string(), "__y0": pa.int64()})
    items = [item for item in history(5, 80) if item[0] != "punct"]
    found = []
    for seed in range(3):
        tables = [[columns_in(table, sources) for table in each] for each in arriving(batches_of(items, seed))]
        found.append(kernel_rows(spec, tables, 1))
    assert found[0]
    assert found[0] == found[1] == found[2]
