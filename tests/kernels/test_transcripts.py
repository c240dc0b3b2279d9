"""Every transcript, on the kernels: one shard and several, one slice and several, with panes and without."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.kernels import KernelEngine
from transom.testing import load_transcript, replay_every_way

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*.yaml"))
ENGINES = {
    "one": KernelEngine(),
    "spread": KernelEngine(shards=3, slices=3, seed=1),
    "extents": KernelEngine(shards=2, slices=2, rules=(), seed=2),
}


@pytest.mark.parametrize("engine", ENGINES.values(), ids=list(ENGINES))
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, engine: KernelEngine) -> None:
    replay_every_way(load_transcript(path), engine, ways=1, rel_tol=1e-12)
