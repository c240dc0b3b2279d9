"""Every transcript over several streams on the operators, spread over shards: what runs answers as the definitions do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.engines.relation_kernels import KernelRelations
from transom.errors import NotSupported
from transom.testing.relation_transcript import load_relation_transcript, replay_relation

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "transcripts" / "relations").glob("*.yaml"))


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript_on_the_operators(path: Path, shards: int) -> None:
    transcript = replace(load_relation_transcript(path), late=None, counts=None)
    if transcript.tables:
        pytest.skip("joins with tables are Spark's")
    try:
        KernelRelations(shards).start(transcript.plan, transcript.tables)
    except NotSupported as error:
        pytest.skip(f"refused by name: {error.problem}")
    replay_relation(transcript, KernelRelations(shards))
