"""Every transcript over several streams, in many cuts."""

from __future__ import annotations

from pathlib import Path

import pytest

from transom.testing.relation_transcript import load_relation_transcript, replay_relation_every_way

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts" / "relations").glob("*.yaml"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript_on_the_reference(path: Path) -> None:
    replay_relation_every_way(load_relation_transcript(path))
