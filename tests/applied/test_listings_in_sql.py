"""Listings 2, 3, 4 and 6 of seed 004 in SQL, with results worked out by hand; 1 and 5 are in `test_policies_on_spark`."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from tests.applied.extents import columns_in, spec_of, stage_of
from tests.applied.harness import kernel_rows
from transom.language import bind_script
from transom.plan.sql.render import render
from transom.rules import optimize

TRADES = "CREATE STREAM s (id BIGINT, k STRING, a DOUBLE, b DOUBLE);"


def rows_of(query: str, rows: list[tuple[Any, ...]], output: dict[str, pa.DataType], now: list[int] | None = None) -> list[Any]:
    """The rows of a query over tuples (id, k, a, b), each in a micro-batch of its own, at these times."""
    spec, sources = spec_of(stage_of(query, TRADES), output)
    tables = []
    for n, (id_, k, a, b) in enumerate(rows):
        one = pa.table(
            {"id": pa.array([id_], pa.int64()), "k": [k], "a": pa.array([a], pa.float64()), "b": pa.array([b], pa.float64())}
        )
        if now is not None:
            one = one.append_column("__now", pa.array([now[n]], pa.int64()))
        tables.append([columns_in(one, sources)])
    return kernel_rows(spec, tables, 1)


@pytest.mark.parametrize(
    ("listing", "window"),
    [
        ("[TUMBLING count(100)]", "[RANGE 100 ROWS SLIDE 100 ROWS WATTR row_num]"),  # listing 2
        ("[SLIDING count(100), count(10)]", "[RANGE 100 ROWS SLIDE 10 ROWS WATTR row_num]"),  # listing 3
        (
            "[SLIDING count(100), count(10) PARTITIONED BY (b)]",
            "[RANGE 100 ROWS SLIDE 10 ROWS WATTR row_num PATTR b]",
        ),  # listing 4
    ],
)
def test_listings_2_to_4_are_windows_of_rows(listing: str, window: str) -> None:
    (plan,) = bind_script(f"{TRADES} SELECT k, sum(id) AS total FROM s {listing} GROUP BY k").queries
    optimized, fired = optimize(plan)
    assert fired[0].rule == "policies_to_rows"
    assert window in render(optimized)


def test_a_window_that_counts_results_of_another_stays_what_it_is() -> None:
    text = "SELECT count(*) AS n FROM (SELECT count(*) AS m FROM s [TUMBLING count(2)]) AS q [TUMBLING count(3)]"
    (plan,) = bind_script(f"{TRADES} {text}").queries
    assert not [one for one in optimize(plan)[1] if one.rule == "policies_to_rows"]


def test_listing_4_on_containers() -> None:
    """Sums of the last 3 after every 2, in each partition: the rule aside, the container gives what the window of rows does."""
    query = "SELECT k, sum(id) AS total, window_start, window_end FROM s [SLIDING count(3), count(2) PARTITIONED BY (k)]"
    output = {"k": pa.string(), "__y0": pa.int64(), "window_start": pa.int64(), "window_end": pa.int64()}
    rows = [(n, "x" if n % 3 else "y", 0.0, 0.0) for n in range(1, 10)]  # x: 1 2 4 5 7 8, y: 3 6 9
    assert rows_of(query, rows, output) == [("x", 3, 0, 2), ("x", 11, 1, 4), ("y", 9, 0, 2), ("x", 20, 3, 6)]


def test_listing_6_partitions_age() -> None:
    query = "SELECT k, sum(id) AS total FROM s [SLIDING delta(a, 100), delta(a, 10) PARTITIONED BY (k) partition_age(1 HOUR)]"
    hour, second = 3_600_000_000, 1_000_000
    rows = [
        (1, "a", 0.0, 0.0),
        (2, "a", 5.0, 0.0),
        (4, "a", 11.0, 0.0),  # more than 10 past the first: 1 + 2
        (8, "a", 120.0, 0.0),  # 1 + 2 + 4 are processed, then evicted
        (1, "b", 120.0, 0.0),
        (1, "b", 140.0, 0.0),  # exactly an hour later: a is still there, and b triggers with its first
        (1, "b", 141.0, 0.0),  # a second later a is gone
        (5, "a", 200.0, 0.0),  # so this sets the mark of a new partition
        (6, "a", 211.0, 0.0),
    ]
    now = [0, 0, 0, 0, 0, hour, hour + second, hour + second, hour + second]
    assert rows_of(query, rows, {"k": pa.string(), "__y0": pa.int64()}, now) == [("a", 3), ("a", 7), ("b", 1), ("a", 5)]
