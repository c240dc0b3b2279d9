"""Another number of shards for a query that is stopped.

A new checkpoint is made beside the old one: the same logs of offsets and commits, and the state of every operator split and
merged by key. Then the two change places, at once. Until then nothing of the old checkpoint has changed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pyarrow.fs as fs
from pyspark.sql import DataFrame, SparkSession

from transom.errors import BadOption, CheckpointDamaged, CheckpointMismatch, NotSupported
from transom.kernels.state.rescaling.rescale_shards import state_of
from transom.kernels.state.rescaling.shard_state import ShardState
from transom.kernels.windows.frontier_operator import FrontierOperator
from transom.planner.shards import labels, number_of_shards
from transom.spark.checkpoints.exchange import exchanged
from transom.spark.checkpoints.folder import METADATA, OFFSETS, STATE, Checkpoint, checkpoints_in
from transom.spark.checkpoints.seeding import divided, seed
from transom.spark.checkpoints.state_frames import StoredOperator, blocks_of, operators_of, shard_blocks, shards_of, state_failure
from transom.spark.running.checkpoint import FILE, WHOLE, readable
from transom.spark.settings import SHARDS
from transom.spark.sources.filesystem import Folder, absolute, open_folder

ASKED = re.compile(r"shards=\d+")
"""A line of transom.json: the number of shards that was asked for."""

WORK = ".rescaling"
"""What is appended to the name of a checkpoint for the folder in which the new one is made."""


@dataclass(frozen=True)
class Rescaled:
    """How many shards there were and are, and where the old checkpoint is kept; and where the sequence of a controller is folded,
    if there is one, which stays as it was."""

    before: int
    shards: int
    kept: str
    frontier: str | None = None


def rescale(spark: SparkSession, path: str, shards: int) -> Rescaled:
    """Give the query of a checkpoint, or all queries of a script, another number of shards and partitions."""
    if not isinstance(shards, int) or isinstance(shards, bool) or shards < 1:
        raise BadOption("shards is how many there are, at least one", given=f"shards={shards!r}", remedy="give a whole number")
    place = absolute(path).rstrip("/")
    found = checkpoints_in(place)
    for _, checkpoint in found:
        _check_stopped(spark, checkpoint)
    before = int(found[0][1].conf[SHARDS])
    work = open_folder(f"{place}{WORK}")
    with readable(place):
        _remove(work)
        work.system.create_dir(work.path, recursive=True)
    try:
        folds = [_made(spark, one, open_folder(f"{work.path}/new/{name}".rstrip("/")), work, shards) for name, one in found]
        _check_unchanged(found)
        with readable(place):
            kept = exchanged(found[0][1].folder if not found[0][0] else open_folder(place), open_folder(f"{work.path}/new"))
    finally:
        with readable(place):
            _remove(work)
    return Rescaled(before, shards, kept, next((where for where in folds if where is not None), None))


def _check_stopped(spark: SparkSession, checkpoint: Checkpoint) -> None:
    try:
        number = json.loads(checkpoint.folder.text(METADATA))["id"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointDamaged(
            "the checkpoint's metadata cannot be read", given=f"{checkpoint.path}: {error}", remedy=WHOLE
        ) from None
    if any(str(query.id) == number for query in spark.streams.active):
        raise CheckpointMismatch("the query is running", given=checkpoint.path, remedy="stop it, then rescale its checkpoint")
    if checkpoint.begun != checkpoint.committed:
        raise CheckpointMismatch(
            "the last micro-batch has begun and not ended: the query is running, or was killed in the middle",
            given=f"{checkpoint.path}: micro-batch {checkpoint.begun}",
            exists=[f"micro-batch {checkpoint.committed}, the last that has ended"],
            remedy="stop the query if it runs; if it was killed, let it run until a micro-batch has ended, and stop it",
        )


def _check_unchanged(found: list[tuple[str, Checkpoint]]) -> None:
    """Refuse what has gone on meanwhile."""
    for name, checkpoint in found:
        now = dict(checkpoints_in(checkpoint.path))[""]
        if (now.begun, now.committed) != (checkpoint.begun, checkpoint.committed):
            raise CheckpointMismatch(
                "the query is running: it has ended a micro-batch meanwhile",
                given=name or checkpoint.path,
                remedy="stop it first",
            )


# -- the new checkpoint --------------------------------------------------------------------------------------


def _made(spark: SparkSession, checkpoint: Checkpoint, new: Folder, work: Folder, shards: int) -> str | None:
    """The new checkpoint of one query, and where a sequence is folded there."""
    operators = operators_of(spark, checkpoint)
    for operator in operators:
        if not operator.is_ours:
            raise NotSupported(
                "a query with another stateful operator cannot be rescaled",
                given=f"operator {operator.number}: {operator.name}",
                remedy="rescale queries whose only state is Transom's; others need a new checkpoint",
            )
    with readable(checkpoint.path):
        _copy_logs(checkpoint, new, shards)
    folds = set()
    for operator in operators:
        seeded = f"{work.path}/seeded-{operator.number}"
        try:
            one = _seed(spark, checkpoint, operator, f"{work.path}/seeds-{operator.number}", seeded, shards)
        except Exception as error:
            raise state_failure(checkpoint.path, error) from None
        if one.is_controlled:
            folds.add("stage" if one.kind == FrontierOperator.__name__ else "shards")
        with readable(checkpoint.path):
            _place_state(checkpoint, operator, open_folder(seeded), new, shards)
            _remove(open_folder(seeded))
    return max(folds, default=None)  # with a frontier stage, the operator above it has a controller, too


def _seed(
    spark: SparkSession, checkpoint: Checkpoint, operator: StoredOperator, seeds: str, seeded: str, shards: int
) -> ShardState:
    """The state of an operator for the new number of shards, in a checkpoint of its own; and that of one of its old shards."""
    blocks = blocks_of(spark, checkpoint, operator).localCheckpoint()
    one = _first(blocks)
    controlled = one.is_controlled and _is_by_default(checkpoint)
    count = number_of_shards(None, shards, spread=one.is_spread, controlled=controlled)
    if one.ends_of_plan > 1 and shards_of(one.plan)[1] != operator.partitions:
        raise CheckpointDamaged(
            "the state was not written for as many partitions as there are",
            given=f"{one.plan}, {operator.partitions}",
            remedy=WHOLE,
        )
    divided(blocks, one.plan_for(count, shards), labels(count, shards)).write.parquet(seeds)
    seed(spark, seeds, seeded, operator.name, shards, checkpoint.conf)
    return one


def _first(blocks: DataFrame) -> ShardState:
    """The state of one of the shards of an operator."""
    rows = blocks.limit(1).collect()
    if not rows:
        raise CheckpointMismatch(
            "an operator has no state yet",
            given="no shard",
            remedy="run the query until a micro-batch with tuples has ended, stop it, and try again",
        )
    return state_of(shard_blocks([part.asDict() for part in rows[0]["blocks"]]))


def _is_by_default(checkpoint: Checkpoint) -> bool:
    """Whether it is known that no number of shards was asked for: then an operator with a controller does not have all."""
    return checkpoint.folder.exists(FILE) and not any(map(ASKED.fullmatch, _note(checkpoint.folder)["fingerprints"]))


def _note(folder: Folder) -> dict[str, Any]:
    note: dict[str, Any] = json.loads(folder.text(FILE))
    return note


def _copy_logs(checkpoint: Checkpoint, new: Folder, shards: int) -> None:
    """All but the state; the last micro-batch then says how many partitions there are."""
    for one in checkpoint.folder.system.get_file_info(fs.FileSelector(checkpoint.folder.path)):
        if one.base_name != STATE:
            _copy(checkpoint.folder, one.base_name, new)
    lines, about = checkpoint.offsets(checkpoint.committed)
    about["conf"][SHARDS] = str(shards)
    text = "\n".join([lines[0], json.dumps(about, separators=(",", ":")), *lines[2:]])
    _write(open_folder(f"{new.path}/{OFFSETS}"), str(checkpoint.committed), text)
    if new.exists(FILE):
        note = _note(new)
        for field in ("fingerprints", "sql"):
            note[field] = [f"shards={shards}" if ASKED.fullmatch(one) else one for one in note[field]]
        _write(new, FILE, json.dumps({**note, "shards": shards}, indent=1))


def _place_state(checkpoint: Checkpoint, operator: StoredOperator, seeded: Folder, new: Folder, shards: int) -> None:
    """The files of the state store: version 1 of what was seeded is the version after the last micro-batch."""
    old = open_folder(f"{checkpoint.folder.path}/{STATE}/{operator.number}")
    target = open_folder(f"{new.path}/{STATE}/{operator.number}")
    for one in old.system.get_file_info(fs.FileSelector(old.path)):
        if not one.base_name.isdecimal():
            _copy(old, one.base_name, target)
    for one in target.system.get_file_info(fs.FileSelector(f"{target.path}/_metadata", recursive=True, allow_not_found=True)):
        if one.type == fs.FileType.File and not one.base_name.endswith(".crc"):
            folder = open_folder(one.path.rpartition("/")[0])
            text = folder.text(one.base_name)
            _write(folder, one.base_name, re.sub(r'"numPartitions":\d+', f'"numPartitions":{shards}', text))
    version = checkpoint.committed + 1
    state = open_folder(f"{seeded.path}/{STATE}/0")
    for one in state.system.get_file_info(fs.FileSelector(state.path)):
        if one.base_name.isdecimal():
            _copy(state, one.base_name, target)
            _renumber(open_folder(f"{target.path}/{one.base_name}"), version)


def _renumber(partition: Folder, version: int) -> None:
    """A change to an empty store is a snapshot; Spark's two stores name them differently."""
    for name, becomes in (("1.zip", f"{version}.zip"), ("1.delta", f"{version}.snapshot")):
        if partition.exists(name):
            partition.system.move(f"{partition.path}/{name}", f"{partition.path}/{becomes}")
            _forget_sum(partition, name)
    if not partition.exists(f"{version}.zip") and not partition.exists(f"{version}.snapshot"):
        raise CheckpointDamaged("the state store has written no snapshot", given=partition.path, remedy="report this")


def _copy(source: Folder, name: str, target: Folder) -> None:
    """A file, or a folder with all that is in it."""
    target.system.create_dir(target.path, recursive=True)
    if source.system.get_file_info(f"{source.path}/{name}").type == fs.FileType.File:
        source.system.copy_file(f"{source.path}/{name}", f"{target.path}/{name}")
        return
    inner = open_folder(f"{source.path}/{name}")
    for one in inner.system.get_file_info(fs.FileSelector(inner.path)):
        _copy(inner, one.base_name, open_folder(f"{target.path}/{name}"))
    target.system.create_dir(f"{target.path}/{name}", recursive=True)


def _write(folder: Folder, name: str, text: str) -> None:
    folder.replace(name, text)
    _forget_sum(folder, name)


def _forget_sum(folder: Folder, name: str) -> None:
    """The check sum that Hadoop keeps beside a local file is that of its old content."""
    if folder.exists(f".{name}.crc"):
        folder.system.delete_file(f"{folder.path}/.{name}.crc")


def _remove(folder: Folder) -> None:
    if folder.system.get_file_info(folder.path).type == fs.FileType.Directory:
        folder.system.delete_dir(folder.path)
