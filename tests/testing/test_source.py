"""Scripted sources, clocks and cuts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from transom import seconds
from transom.errors import NotPositive, TranscriptFailed
from transom.reference import Arrival, End, Promise
from transom.testing import Cut, FakeClock, ScriptedSource, Wait, load_transcript, replay
from transom.testing.replay import order_cannot_matter, random_cut, shuffled

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"


def test_arrivals_are_stamped_with_the_clock() -> None:
    clock = FakeClock()
    script = [{"x": 1}, Wait(seconds(5)), {"x": 2}, Promise({"x": 3}), Cut(), Cut(), End()]
    batches = list(ScriptedSource(script, clock).batches())
    assert [len(batch) for batch in batches] == [3, 0, 1]
    stamps = [item.arrival_ts.second for item in batches[0] if isinstance(item, Arrival)]
    assert stamps == [0, 5]
    assert clock.now().second == 5


def test_a_clock_does_not_run_back() -> None:
    with pytest.raises(NotPositive):
        FakeClock().advance(seconds(-1))


def test_a_shuffle_crosses_no_punctuation() -> None:
    transcript = load_transcript(TRANSCRIPTS / "running_example.yaml")
    variant = shuffled(transcript, random.Random(1))
    assert variant.items != transcript.items
    fixed = [n for n, item in enumerate(transcript.items) if not isinstance(item, Arrival)]
    assert [variant.items[n] for n in fixed] == [transcript.items[n] for n in fixed]
    for start, end in zip([0, *fixed], [*fixed, len(transcript.items)], strict=True):
        assert sorted(map(str, variant.items[start:end])) == sorted(map(str, transcript.items[start:end]))


def test_order_matters_where_arrivals_are_counted() -> None:
    assert order_cannot_matter(load_transcript(TRANSCRIPTS / "running_example.yaml"))
    assert not order_cannot_matter(load_transcript(TRANSCRIPTS / "rows_grouped.yaml"))


def test_random_cuts_cover_everything() -> None:
    transcript = load_transcript(TRANSCRIPTS / "running_example.yaml")
    for seed in range(20):
        cut = random_cut(transcript, random.Random(seed))
        assert list(cut) == sorted(cut)
        assert cut[-1] == len(transcript.items)


def test_a_cut_that_leaves_items_out_is_refused() -> None:
    transcript = load_transcript(TRANSCRIPTS / "running_example.yaml")
    with pytest.raises(TranscriptFailed):
        replay(transcript, cut=[1, 2])
