"""What runs on executors with a frontier stage, without Spark: bucket, two exchanges, the frontier operator and the shards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tests.kernels.test_frontier_operator import made, tuples
from transom.kernels.state.store import Memory
from transom.planner.shards import labels
from transom.spark.exchange.wire import slices_of
from transom.spark.state.frontier_processor import FrontierProcessor
from transom.spark.workers.operate import CONTROL, COUNTS, Plan, bucketed, operated

OUTPUT = pa.schema(
    [
        ("__kind", pa.int8()),
        ("k", pa.string()),
        ("window_end", pa.timestamp("us", "UTC")),
        ("__y0", pa.int64()),
        ("__y1", pa.int64()),
        ("__about", pa.string()),
    ]
)


class Map:
    """A MapState."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str], tuple[bytes]] = {}

    def getMapState(self, *_: str) -> Map:  # noqa: N802
        return self

    def getValue(self, key: tuple[str]) -> tuple[bytes] | None:  # noqa: N802
        return self.kept.get(key)

    def updateValue(self, key: tuple[str], value: tuple[bytes]) -> None:  # noqa: N802
        self.kept[key] = value


def plan_of(disorder: str, shards: int, *, stepped: bool) -> Plan:
    spec, parts = made(disorder)
    generating = replace(spec.generating, stepped=stepped)
    fingerprint = f"{spec.fingerprint}-{shards}-2"
    return Plan(replace(spec, generating=generating, fingerprint=fingerprint), labels(shards, 2), tuple(parts), OUTPUT)


def sent(plan: Plan, table: pa.Table) -> pd.DataFrame:
    """What crosses the first exchange."""
    return pa.Table.from_batches(bucketed(plan)(table.to_batches(max_chunksize=170))).to_pandas()


def by_shard(frame: pd.DataFrame) -> Iterator[tuple[int, list[pd.DataFrame]]]:
    """Groups as Spark hands them over: in pieces, and in any order."""
    for shard, group in frame.sample(frac=1, random_state=5).groupby("shard"):
        yield int(shard), [group.iloc[:3], group.iloc[3:]]


@pytest.mark.parametrize("disorder", ["DRATIO 5%", "HEARTBEAT PER SOURCE (src)", "SLACK 3 SECONDS BFSIZE 50"])
@pytest.mark.parametrize("shards", [1, 5])
def test_rows_are_those_without_it(disorder: str, shards: int) -> None:
    alone, apart = (plan_of(disorder, shards, stepped=stepped) for stepped in (False, True))
    kept: dict[tuple[bool, int], Memory] = {}
    map_state, random, left = Map(), np.random.default_rng(11), 0
    for number in range(4):
        table = tuples(random, number)
        table = table.append_column("__end", pa.array(np.arange(len(table)) == len(table) * (number == 3) - 1))
        folding = FrontierProcessor(apart, f"{apart.spec.fingerprint.rsplit('-', 2)[0]}-1-2")
        folding.init(map_state)  # type: ignore[arg-type]
        through = pd.concat(
            [one for shard, rows in by_shard(sent(apart, table)) for one in folding.handleInputRows((shard,), iter(rows), None)]
        )
        assert set(through["shard"]) == set(apart.labels)
        found: dict[bool, list[Any]] = {False: [], True: []}
        for stepped, plan, frame in ((False, alone, sent(alone, table)), (True, apart, through)):
            for shard, rows in by_shard(frame):
                out = operated(plan, slices_of(rows), kept.setdefault((stepped, shard), Memory()))
                found[stepped] += out.to_pylist()
        assert _rows(found[True]) == _rows(found[False])
        left += len(_rows(found[True]))
        assert _about(found[True]) == _about(found[False])
    assert left > 20


def _rows(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(str({name: x for name, x in row.items() if name != "__about"}) for row in rows if row["__kind"] != CONTROL)


def _about(rows: list[dict[str, Any]]) -> list[str]:
    """Counts are added up over shards, so it does not matter which of them counts."""
    told = [json.loads(row["__about"]) for row in rows if row["__kind"] == CONTROL]
    sums = {name: sum(one[name] for one in told) for name in COUNTS}
    return [json.dumps(sums), *sorted(json.dumps([one["frontier"], one["control"]], sort_keys=True) for one in told)]
