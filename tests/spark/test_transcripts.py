"""Transcripts on Spark: as a batch, and as a stream, whose rows leave in the micro-batch that completes them.

Every eighth one is run each way; with TRANSOM_STRIDE=1 (`make test-all`) all of them.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.spark.on_spark import batch_rows, stream_rows
from transom.reference.history import End, Item
from transom.reference.outcome import Row
from transom.testing import ReferenceEngine, assert_same_rows, load_transcript
from transom.testing.engine import Execution
from transom.testing.transcript import Transcript

pytestmark = pytest.mark.spark

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*.yaml"))
STRIDE = int(os.environ.get("TRANSOM_STRIDE", "8"))
CLOSE = 1e-12


def reference(transcript: Transcript) -> Execution:
    return ReferenceEngine().start(transcript.query, transcript.stream)


def without_end(transcript: Transcript) -> list[Item]:
    return [item for item in transcript.items if not isinstance(item, End)]


@pytest.mark.parametrize("path", TRANSCRIPTS[1 % STRIDE :: STRIDE], ids=lambda path: path.stem)
def test_as_a_batch(path: Path, spark: SparkSession, tmp_path: Path) -> None:
    transcript = load_transcript(path)
    items = without_end(transcript)
    expected = reference(transcript)
    rows = expected.feed([*items, End()])
    assert_same_rows(batch_rows(spark, transcript.query, transcript.stream, items, tmp_path / "in"), rows, rel_tol=CLOSE)


@pytest.mark.parametrize("path", TRANSCRIPTS[::STRIDE], ids=lambda path: path.stem)
def test_as_a_stream(path: Path, spark: SparkSession, tmp_path: Path) -> None:
    transcript = load_transcript(path)
    items = without_end(transcript)
    cut = random.Random(path.stem).randint(1, max(1, len(items) - 1))
    batches = [items[:cut], items[cut:]]
    expected = reference(transcript)
    wanted: list[list[Row]] = [expected.feed(batch) for batch in batches]
    spark.conf.set("spark.transom.state", "blocks" if TRANSCRIPTS.index(path) % 6 == 5 else "inline")
    try:
        found = stream_rows(spark, transcript.query, transcript.stream, batches, tmp_path)
    finally:
        spark.conf.unset("spark.transom.state")
    for rows, want in zip(found, wanted, strict=True):
        assert_same_rows(rows, want, rel_tol=CLOSE)
