"""Every transcript over several streams, in many cuts."""

from __future__ import annotations

from pathlib import Path

import pytest

from transom.errors import TranscriptFailed
from transom.testing.relation_transcript import load_relation_transcript, parse_relation_transcript, replay_relation_every_way

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts" / "relations").glob("*.yaml"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript_on_the_reference(path: Path) -> None:
    replay_relation_every_way(load_relation_transcript(path))


WRONG = """
sql: |
  CREATE STREAM a (x BIGINT, t BIGINT) ORDER BY t;
  SELECT ISTREAM x FROM a [RANGE 5];
steps:
  - tuples: {a: [[1, 1], [2, 3]]}
  - expect: [[1]]
  - end
  - expect: [[3]]
"""


def test_a_wrong_transcript_fails() -> None:
    with pytest.raises(TranscriptFailed, match="missing"):
        replay_relation_every_way(parse_relation_transcript(WRONG))
