"""For testing continuous queries: a scripted source, a fake clock, transcripts and their runner, row comparison."""

from transom.testing.answer import answer
from transom.testing.compare import assert_same_rows
from transom.testing.engine import Engine, Execution, ReferenceEngine
from transom.testing.fake_clock import FakeClock
from transom.testing.replay import replay, replay_every_way
from transom.testing.source import Cut, ScriptedSource, Wait
from transom.testing.transcript import Transcript, load_transcript, parse_transcript

__all__ = [
    "Cut",
    "Engine",
    "Execution",
    "FakeClock",
    "ReferenceEngine",
    "ScriptedSource",
    "Transcript",
    "Wait",
    "answer",
    "assert_same_rows",
    "load_transcript",
    "parse_transcript",
    "replay",
    "replay_every_way",
]
