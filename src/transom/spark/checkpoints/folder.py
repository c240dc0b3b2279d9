"""A checkpoint as Spark lays it out: what it has committed, and whether it is whole."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pyarrow.fs as fs

from transom.errors import CheckpointDamaged, CheckpointMismatch, MissingSource
from transom.spark.running.checkpoint import WHOLE, readable
from transom.spark.sources.filesystem import Folder, absolute, open_folder

OFFSETS, COMMITS, STATE, METADATA = "offsets", "commits", "state", "metadata"


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint with at least one micro-batch: `begun` is the last that is in the log, `committed` the last that has ended."""

    path: str
    folder: Folder
    begun: int
    committed: int

    @property
    def conf(self) -> dict[str, str]:
        """The settings that the checkpoint fixes."""
        return dict(self.offsets(self.committed)[1]["conf"])

    def offsets(self, batch: int) -> tuple[list[str], dict[str, Any]]:
        """The lines of a micro-batch in the log of offsets, and the second of them: what Spark says of it."""
        name = f"{OFFSETS}/{batch}"
        try:
            lines = self.folder.text(name).splitlines()
            about = json.loads(lines[1])
            if not isinstance(about, dict) or "conf" not in about:
                raise ValueError("no settings")
            return lines, about
        except (OSError, ValueError, IndexError) as error:
            raise CheckpointDamaged(
                "the log of offsets cannot be read", given=f"{self.path}/{name}: {error}", remedy=WHOLE
            ) from None


def open_checkpoint(path: str) -> Checkpoint:
    """The checkpoint in a folder, if there is one."""
    place = absolute(path)
    with readable(place):
        folder = open_folder(place)
        kind = folder.system.get_file_info(folder.path).type
        if kind != fs.FileType.Directory:
            raise MissingSource("there is no checkpoint", given=place, remedy="name the folder of a query's checkpoint")
        begun, committed = (_last(folder, name) for name in (OFFSETS, COMMITS))
        if not folder.exists(OFFSETS) and not folder.exists(METADATA):
            raise CheckpointMismatch(
                "this is no checkpoint of a streaming query",
                given=place,
                exists=sorted(one.base_name for one in folder.system.get_file_info(fs.FileSelector(folder.path)))[:10],
                remedy="name the folder that the query was given as its checkpoint",
            )
    if begun is None or committed is None:
        raise CheckpointMismatch(
            "the checkpoint has no micro-batch that has ended", given=place, remedy="let the query run until one has"
        )
    if committed > begun or not folder.exists(METADATA):
        raise CheckpointDamaged(
            "the checkpoint is incomplete",
            given=f"{place}: {'no metadata' if committed <= begun else f'micro-batch {committed} has ended and never begun'}",
            remedy=WHOLE,
        )
    return Checkpoint(place, folder, begun, committed)


def checkpoints_in(path: str) -> list[tuple[str, Checkpoint]]:
    """The checkpoint in a folder; or those of a script's queries, which `transom run` keeps in subfolders, with their names."""
    place = absolute(path)
    with readable(place):
        folder = open_folder(place)
        if not folder.exists(OFFSETS) and folder.system.get_file_info(folder.path).type == fs.FileType.Directory:
            inside = folder.system.get_file_info(fs.FileSelector(folder.path))
            names = sorted(one.base_name for one in inside if one.type == fs.FileType.Directory)
            named = [name for name in names if folder.exists(f"{name}/{OFFSETS}")]
            if named:
                return [(name, open_checkpoint(f"{place.rstrip('/')}/{name}")) for name in named]
    return [("", open_checkpoint(place))]


def _last(folder: Folder, name: str) -> int | None:
    found = folder.system.get_file_info(fs.FileSelector(f"{folder.path}/{name}", allow_not_found=True))
    return max((int(one.base_name) for one in found if one.base_name.isdecimal()), default=None)
