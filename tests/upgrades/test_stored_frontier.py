"""The stored state of a frontier operator: this version resumes from it, and hands over the same steps.

`python -m tests.upgrades.test_stored_frontier` writes it for the format of now.
"""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.kernels.test_frontier_operator import made, tuples
from transom.kernels.bucket import FOLD, Bucket
from transom.kernels.slices import Slice
from transom.kernels.state.store import FORMAT, Memory
from transom.kernels.windows.frontier_operator import FrontierOperator
from transom.spark.exchange.steps_wire import steps_to_bytes

STORED = Path(__file__).parent / "frontier_12.json"
KINDS = ("DRATIO 5%", "HEARTBEAT PER SOURCE (src)", "SLACK 3 SECONDS BFSIZE 50")
HALF = 2


def run(disorder: str, blocks: Memory, numbers: range) -> list[bytes]:
    """What some micro-batches hand to the shards."""
    spec, parts = made(disorder)
    spec = replace(spec, generating=replace(spec.generating, stepped=True))
    handed = []
    for number in numbers:
        sent: list[Slice] = []
        table = tuples(np.random.default_rng(number), number)
        sent += [piece for shard, piece in Bucket(spec, 2, parts).slices(table, ("", 0, number)) if shard == FOLD]
        operator = FrontierOperator(spec, parts)
        operator.load(blocks)
        steps = operator.step(sent).steps
        operator.save(blocks)
        assert steps is not None
        handed.append(steps_to_bytes(steps))
    return handed


@pytest.mark.parametrize("disorder", KINDS)
def test_it_goes_on(disorder: str) -> None:
    resumed, whole = Memory(), Memory()
    resumed.blocks = {name: base64.b64decode(block) for name, block in json.loads(STORED.read_text())[disorder].items()}
    assert run(disorder, resumed, range(HALF, 2 * HALF)) == run(disorder, whole, range(2 * HALF))[HALF:]


def write() -> None:
    """Store the state after the first micro-batches."""
    stored = {}
    for disorder in KINDS:
        blocks = Memory()
        run(disorder, blocks, range(HALF))
        stored[disorder] = {name: base64.b64encode(block).decode() for name, block in blocks.blocks.items()}
    STORED.with_name(f"frontier_{FORMAT}.json").write_text(json.dumps(stored, indent=1))


if __name__ == "__main__":
    write()
