"""State carried with the data: all blocks of a shard as one value.

`applyInPandasWithState` hands a group's state over beside its rows. That costs nothing extra for a query that starts or for
a state of a few megabytes; a large one is moved as a whole in every micro-batch, where a map of blocks moves what changed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from transom.kernels.state.store import Memory
from transom.spark.by_name import by_name
from transom.spark.exchange.binaries import joined, parted
from transom.spark.exchange.result_packing import packed
from transom.spark.exchange.wire import slices_of
from transom.spark.workers.operate import Plan, operated

STATE = "blocks BINARY"


def stateful(plan: Plan) -> Callable[[Any, Iterator[pd.DataFrame], Any], Iterator[pd.DataFrame]]:
    """The function that Spark calls with the slices of a shard and its state."""

    @by_name
    def run(key: Any, rows: Iterator[pd.DataFrame], state: Any) -> Iterator[pd.DataFrame]:
        warnings.filterwarnings("ignore", category=FutureWarning, message="The behavior of DataFrame concatenation")
        slices = slices_of(rows)
        memory = Memory()
        if state.exists:
            memory.blocks = parted(bytes(state.get[0]))
        made = operated(plan, slices, memory)
        state.update((joined(memory.blocks),))
        yield packed(plan, made)

    return run
