"""The frontier operator as Spark's stateful processor: slices pass through, and one group of them folds the sequence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from transom.errors import CheckpointMismatch
from transom.kernels.slices import Slice
from transom.kernels.state.migration import QUERY
from transom.kernels.state.store import Blocks
from transom.kernels.windows.frontier_operator import FrontierOperator, handed_to
from transom.spark.by_name import by_name
from transom.spark.exchange.memory import keep_memory
from transom.spark.exchange.wire import encode, slices_of
from transom.spark.map_blocks import MapBlocks
from transom.spark.watched import is_watched
from transom.spark.workers.changed import with_changes
from transom.spark.workers.operate import Plan

STEPS = -1
"""The number of the slice with the steps: others are not negative here."""


class FrontierProcessor(StatefulProcessor):
    """Passes slices on to the next exchange, and adds the steps of the frontier for each shard."""

    def __init__(self, plan: Plan, fingerprint: str) -> None:
        self._plan, self._fingerprint = plan, fingerprint

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._blocks = handle.getMapState("blocks", "name STRING", "block BINARY")

    @by_name
    def handleInputRows(self, key: Any, rows: Iterator[pd.DataFrame], timerValues: Any) -> Iterator[pd.DataFrame]:  # noqa: N802, N803
        sequence: list[pd.DataFrame] = []
        for frame in rows:
            folds = frame["piece"] < 0
            if folds.any():
                sequence.append(frame[folds])
                frame = frame[~folds]
            if len(frame):
                yield frame
        if sequence:
            keep_memory()
            steps = folded(self._plan, self._fingerprint, slices_of(sequence), MapBlocks(self._blocks))
            yield to_shards(self._plan, steps)

    def close(self) -> None:
        pass


def folded(plan: Plan, fingerprint: str, slices: list[Slice], blocks: Blocks) -> Slice:
    """One micro-batch: what all shards get."""
    operator = FrontierOperator(replace(plan.spec, fingerprint=fingerprint), plan.parts, inspects=is_watched(plan.watch))
    try:
        operator.load(blocks)
    except CheckpointMismatch as error:
        raise with_changes(error, blocks, plan.query) from None
    if not operator.resumed:
        blocks.write(QUERY, plan.query.encode())
    steps = operator.step(slices)
    operator.save(blocks)
    return steps


def to_shards(plan: Plan, steps: Slice) -> pd.DataFrame:
    """The same to every shard, but for what one of them counts."""
    first, *others = plan.labels
    made = [encode(first, STEPS, handed_to(steps, counts=True)).to_pandas()]
    same = encode(first, STEPS, handed_to(steps, counts=False)).to_pandas()
    return pd.concat([*made, *(same.assign(shard=pd.Series(label, same.index, "int32")) for label in others)])
