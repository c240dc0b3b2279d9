"""Files come in the order of their names, once, and the same again after a crash."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.spark.sources.streams import batches_of, rows_of, stream_of, uncommit
from transom.errors import BadOption, BadQuery, MissingSource, NotSupported
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.types.schema import Column
from transom.spark.sources.read_stream import read

pytestmark = pytest.mark.spark


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_names_give_the_order_not_the_times_of_writing(spark: SparkSession, tmp_path: Path) -> None:
    put(tmp_path / "in", c="5\n6\n", a="1\n2\n", b="3\n4\n")
    for age, name in enumerate(("c", "a", "b")):
        os.utime(tmp_path / "in" / f"{name}.csv", (1_000_000 + age, 1_000_000 + age))
    stream = stream_of(tmp_path / "in", "n INT", "csv", maxFilesPerTrigger=2)
    assert rows_of(spark, stream) == [(1,), (2,), (3,), (4,), (5,), (6,)]
    assert batches_of(spark, stream, tmp_path / "checkpoint") == {
        0: [("a.csv", 1), ("a.csv", 2), ("b.csv", 1), ("b.csv", 2)],
        1: [("c.csv", 1), ("c.csv", 2)],
    }


def test_a_smaller_name_that_turns_up_later_comes_later_and_nothing_comes_twice(spark: SparkSession, tmp_path: Path) -> None:
    folder, checkpoint = tmp_path / "in", tmp_path / "checkpoint"
    stream = stream_of(folder, "n INT", "csv")
    put(folder, b="1\n", empty="")
    assert batches_of(spark, stream, checkpoint) == {0: [("b.csv", 1)]}
    put(folder, a="1\n", c="1\n", **{".hidden": "1\n", "_being_written": "1\n"})
    (folder / "d.csv.tmp").write_text("1\n")
    put(folder, deep__z="1\n")
    assert batches_of(spark, stream, checkpoint) == {1: [("a.csv", 1), ("c.csv", 1), ("deep/z.csv", 1)]}
    assert batches_of(spark, stream, checkpoint) == {}


def test_a_micro_batch_that_was_not_committed_is_read_again_from_the_same_files(spark: SparkSession, tmp_path: Path) -> None:
    folder, checkpoint = tmp_path / "in", tmp_path / "checkpoint"
    stream = stream_of(folder, "n INT", "csv", maxFilesPerTrigger=2)
    put(folder, a="1\n", c="1\n2\n", e="1\n")
    first = batches_of(spark, stream, checkpoint)
    uncommit(checkpoint, 1)
    put(folder, b="1\n", d="1\n")
    again = batches_of(spark, stream, checkpoint)
    assert first[1] == again[1] == [("e.csv", 1)]
    assert again[2] == [("b.csv", 1), ("d.csv", 1)]
    assert set(again) == {1, 2}


def test_a_file_that_went_before_its_replay_is_named(spark: SparkSession, tmp_path: Path) -> None:
    folder, checkpoint = tmp_path / "in", tmp_path / "checkpoint"
    put(folder, a="1\n", b="1\n")
    stream = stream_of(folder, "n INT", "csv", maxFilesPerTrigger=1)
    batches_of(spark, stream, checkpoint)
    uncommit(checkpoint, 1)
    (folder / "b.csv").unlink()
    with pytest.raises(Exception, match=r"MissingSource: a file of this micro-batch is gone\s+given:  b.csv"):
        batches_of(spark, stream, checkpoint)


def test_a_path_is_a_file_a_glob_or_a_folder(spark: SparkSession, tmp_path: Path) -> None:
    put(tmp_path, a1="1\n", a2="2\n", b="3\n", sub__c="4\n")
    assert rows_of(spark, stream_of(tmp_path / "a2.csv", "n INT")) == [(2,)]
    assert rows_of(spark, stream_of(tmp_path / "a*.csv", "n INT")) == [(1,), (2,)]
    assert rows_of(spark, stream_of(tmp_path / "s*", "n INT", "csv")) == [(4,)]
    assert rows_of(spark, stream_of(tmp_path, "n INT", "csv")) == [(1,), (2,), (3,), (4,)]
    assert rows_of(spark, stream_of(tmp_path, "n INT", "csv", pathGlobFilter="b*")) == [(3,)]
    assert rows_of(spark, stream_of(tmp_path / "none*.csv", "n INT")) == []


@pytest.mark.parametrize(
    ("error", "path", "options"),
    [
        (MissingSource, "nowhere.csv", {}),
        (BadOption, "", {"format": "xml"}),
        (BadOption, "", {"format": "csv", "malformed": "shrug"}),
        (BadOption, "", {"format": "csv", "malformed": "reject"}),
        (BadOption, "", {"format": "csv", "mode": "PERMISSIVE"}),
        (BadOption, "", {"format": "csv", "haeder": "true"}),
        (BadOption, "", {"format": "csv", "maxFilesPerTrigger": "few"}),
        (BadOption, "", {"format": "csv", "timestampFormat": "QQQ"}),
    ],
)
def test_what_cannot_be_read_is_said_before_anything_runs(
    spark: SparkSession, tmp_path: Path, error: type[Exception], path: str, options: dict[str, str]
) -> None:
    with pytest.raises(error):
        read(spark, stream_of(tmp_path / path, "t TIMESTAMP", options.pop("format", None), **options))


def test_a_source_must_be_one_that_exists(spark: SparkSession) -> None:
    column = (Column("n", "INT"),)
    with pytest.raises(BadQuery):
        read(spark, StreamDefinition("s", column))
    with pytest.raises(BadQuery):
        read(spark, StreamDefinition("s", column, source=Endpoint("FILE")))
    with pytest.raises(NotSupported):
        read(spark, StreamDefinition("s", column, source=Endpoint("PIGEON", "post")))
    with pytest.raises(NotSupported, match="one value"):
        read(spark, stream_of(".", "a ARRAY<INT>", "csv"))
