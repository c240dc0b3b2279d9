"""Every transcript, on every engine, in many cuts and orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from transom.testing import ReferenceEngine, load_transcript, replay_every_way

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.yaml"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript_on_the_reference(path: Path) -> None:
    replay_every_way(load_transcript(path), ReferenceEngine())
