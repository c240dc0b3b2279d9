"""What more shards cost, on paper: what a slice costs where it is made and where it is read, measured on the kernels.

`python -m tests.torture.scaling`. Each task of bucket sends one to every shard, so that is what grows with their product.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyarrow as pa

from tests.torture.load import STREAM, SUMS
from transom.kernels.bucket import Bucket
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.spec_of import operator_of
from transom.planner.stage import Stage
from transom.spark.exchange.wire import decode, encode

KEYS = 1_000


def table(rows: int, number: int) -> pa.Table:
    rng = np.random.default_rng(number)
    at = np.sort(rng.uniform(60 * number, 60 * (number + 1), rows)) * 1e6
    return pa.table(
        {
            "k": rng.integers(0, KEYS, rows),
            "v": np.arange(rows) % 100,
            "ts": pa.array(at.astype(np.int64)).cast(pa.timestamp("us", "UTC")),
        }
    )


def stage_of(query: str) -> tuple[Any, Any]:
    (stage,) = planned(bind_script(f"{STREAM}\n{query};").queries[-1]).stages
    assert isinstance(stage, Stage)
    columns = {name: text.replace("`", "") for name, text in stage.columns().items()}
    kinds = {"k": pa.int64(), "v": pa.int64(), "ts": pa.timestamp("us", "UTC")}
    return columns, operator_of(stage, {name: kinds.get(text, pa.int64()) for name, text in columns.items()})


def slices_cost(shards: int, repeat: int = 3) -> tuple[float, float, float]:
    """Microseconds that one more slice costs where it is made, and where it is read, and its bytes."""
    columns, (spec, parts) = stage_of(f"{SUMS} [RANGE 60 SECONDS SLIDE 10 SECONDS] GROUP BY k")
    source = table(1_000, 0).slice(0, 20)
    given = pa.table({name: source[text] if text in source.column_names else source["v"] for name, text in columns.items()})
    bucket = Bucket(spec, shards, parts)
    began = time.process_time()
    for number in range(repeat):
        batches = [encode(shard, number, piece) for shard, piece in bucket.slices(given, ("", 0, number))]
    made = (time.process_time() - began) / repeat / shards
    size = float(np.median([batch.nbytes for batch in batches]))
    tasks = [one for number in range(shards) for shard, one in zip([0], _first(bucket, given, number, spec), strict=True)]
    operator, blocks = ShardOperator(spec, list(parts)), Memory()
    operator.load(blocks)
    began = time.process_time()
    operator.step([decode(rows) for rows in tasks], blocks)
    read = (time.process_time() - began) / len(tasks)
    return made * 1e6, read * 1e6, size


def _first(bucket: Bucket, given: pa.Table, number: int, spec: Any) -> list[list[dict[str, Any]]]:
    """The slice for the first shard of the n-th task, as rows of the exchange."""
    for shard, piece in Bucket(spec, 1, bucket.parts).slices(given, ("", 0, number)):
        return [encode(shard, number, piece).to_pylist()]
    return []


def on_paper() -> None:
    print("| shards | made, µs for each slice | read, µs for each slice | bytes of a slice |\n|---|---|---|---|")
    for shards in (8, 64, 512, 2_000):
        made, read, size = slices_cost(shards)
        print(f"| {shards:,} | {made:.0f} | {read:.0f} | {size:.0f} |", flush=True)


if __name__ == "__main__":
    on_paper()
