"""What a checkpoint records of its query, and whether another query may resume from it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.fs as fs

from transom.errors import CheckpointDamaged, CheckpointMismatch
from transom.spark.sources.filesystem import Folder, absolute, open_folder
from transom.spark.workers.changed import changed_lines

FILE = "transom.json"
FORMAT = 3
WHOLE = "restore the checkpoint from a copy, or start with a new one (what was read is then read again)"
REMEDY = (
    "restore the query; or run the changed one beside it, with a checkpoint of its own, until its windows are whole "
    "(what was read is then read again)"
)


@dataclass(frozen=True)
class Note:
    """The content of transom.json."""

    fingerprints: list[str]
    source: str
    shards: int
    sql: list[str]
    state: str = "inline"
    frontier: str = "shards"
    run: str = field(default_factory=lambda: uuid4().hex[:8])
    format: int = FORMAT


def location(checkpoint: str, name: str) -> str:
    """Where the job of a name has its checkpoint."""
    return f"{absolute(checkpoint).rstrip('/')}/{name}"


@contextmanager
def readable(place: str) -> Iterator[None]:
    """What a file system refuses has a name."""
    try:
        yield
    except PermissionError as error:
        raise CheckpointDamaged(
            "the checkpoint may not be read or written", given=f"{place}: {error.strerror or error}", remedy="ask for permission"
        ) from None
    except (OSError, pa.ArrowInvalid) as error:
        raise CheckpointDamaged("the checkpoint cannot be read", given=f"{place}: {error}", remedy=WHOLE) from None


def known(place: str) -> Note | None:
    """What a checkpoint says of itself; None if there is none yet."""
    with readable(place):
        return _known(place)


def _known(place: str) -> Note | None:
    folder = open_folder(place)
    if not folder.exists(FILE):
        if folder.exists("offsets"):
            raise CheckpointMismatch(
                "this checkpoint was written by neither transom run nor start()",
                given=place,
                remedy="name another folder",
            )
        return None
    try:
        about = json.loads(folder.text(FILE))
        if about["format"] != FORMAT:
            raise CheckpointMismatch(
                "this checkpoint was written by another version",
                given=f"format {about['format']}",
                exists=[f"format {FORMAT}"],
                remedy="go on with that version, or start over with another --checkpoint",
            )
        return Note(**about)
    except (ValueError, TypeError, KeyError) as error:
        raise CheckpointMismatch("transom.json cannot be read", given=f"{place}: {error}", remedy=REMEDY) from None


def check(note: Note, old: Note) -> None:
    """Refuse to go on with a query that is not the one of the checkpoint."""
    if _plans(note) == _plans(old) and _asked(note) != _asked(old):
        raise CheckpointMismatch(
            "the number of shards is fixed by the checkpoint",
            given=f"{_asked(note)} shards",
            exists=[f"{_asked(old)} shards"],
            remedy=f"leave the number as it was, or stop the query and run transom rescale CHECKPOINT --shards {_asked(note)}",
        )
    if _plans(note) != _plans(old):
        changed = changed_lines(old.sql, note.sql)
        raise CheckpointMismatch(f"this checkpoint belongs to another query{changed}", remedy=REMEDY)
    if note.source != old.source:
        raise CheckpointMismatch(
            "this checkpoint belongs to another source", given=note.source, exists=[old.source], remedy=REMEDY
        )
    if note.shards != old.shards:
        raise CheckpointMismatch(
            "the number of shards is fixed by the checkpoint",
            given=f"spark.sql.shuffle.partitions={note.shards}",
            exists=[old.shards],
            remedy=f"leave the setting out, or stop the query and run transom rescale CHECKPOINT --shards {note.shards}",
        )
    if note.state != old.state:
        raise CheckpointMismatch(
            "how state is kept is fixed by the checkpoint",
            given=f"spark.transom.state={note.state}",
            exists=[old.state],
            remedy=REMEDY,
        )
    if note.frontier != old.frontier:
        raise CheckpointMismatch(
            "where the sequence of a controller is folded is fixed by the checkpoint",
            given=f"spark.transom.frontier={note.frontier}",
            exists=[old.frontier],
            remedy=f"leave the setting out, or set it to {old.frontier}",
        )


ASKED = "shards="
"""How the one fingerprint begins that is the number of shards that was asked for."""


def _plans(note: Note) -> list[str]:
    return [one for one in note.fingerprints if not one.startswith(ASKED)]


def _asked(note: Note) -> int:
    """The number of shards: what was asked for, or as many as partitions."""
    asked = [one.removeprefix(ASKED) for one in note.fingerprints if one.startswith(ASKED)]
    return int(asked[0]) if asked else note.shards


def keep(place: str, note: Note) -> None:
    """Write transom.json."""
    with readable(place):
        open_folder(place).replace(FILE, json.dumps(asdict(note), indent=1))


def check_names(checkpoint: str, names: Sequence[str]) -> None:
    """Refuse a script whose queries stand in other places, or write elsewhere, than those of the checkpoint."""
    with readable(checkpoint):
        folder = open_folder(absolute(checkpoint))
        foreign = folder.exists("offsets")
    if foreign:
        raise CheckpointMismatch("this checkpoint was not written by transom run", given=checkpoint, remedy="name another folder")
    there = sorted(name for name in _subfolders(folder) if open_folder(f"{folder.path}/{name}").exists(FILE))
    strange, missing = [name for name in there if name not in names], [name for name in names if name not in there]
    if strange and missing:
        raise CheckpointMismatch(
            "the queries of the script are not those of the checkpoint",
            given=", ".join(names),
            exists=there,
            remedy="keep the queries in their places and with their targets, or start over with another --checkpoint",
        )


def _subfolders(folder: Folder) -> list[str]:
    found = folder.system.get_file_info(fs.FileSelector(folder.path, allow_not_found=True))
    return [str(one.base_name) for one in found if one.type == fs.FileType.Directory]


def last_end(place: str) -> int:
    """How often the input has been said to end: what the control source had last said, by the log of offsets."""
    folder = open_folder(f"{place}/offsets")
    found = folder.system.get_file_info(fs.FileSelector(folder.path, allow_not_found=True))
    numbers = sorted((int(one.base_name) for one in found if one.base_name.isdecimal()), reverse=True)
    for number in numbers[:1]:
        for line in folder.text(str(number)).splitlines():
            offset = _parsed(line)
            if isinstance(offset, dict) and set(offset) == {"end"}:
                return int(offset["end"])
    return 0


def next_end(place: str) -> int:
    """An end after all others."""
    return max(time.time_ns() // 1000, last_end(place) + 1)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
