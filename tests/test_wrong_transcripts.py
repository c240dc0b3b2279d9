"""The harness can fail: each of these transcripts expects something wrong, and is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from transom.errors import TranscriptFailed
from transom.testing import ReferenceEngine, load_transcript, replay

WRONG = sorted((Path(__file__).parent / "transcripts" / "wrong").glob("*.yaml"))


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_wrong_transcript_fails(path: Path) -> None:
    transcript = load_transcript(path)
    with pytest.raises(TranscriptFailed):
        replay(transcript, ReferenceEngine())


def test_there_are_wrong_transcripts() -> None:
    assert len(WRONG) >= 8
