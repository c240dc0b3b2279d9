"""What a checkpoint is told about its query, and whether another query may go on from it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from difflib import SequenceMatcher
from typing import Any
from uuid import uuid4

import pyarrow.fs as fs

from transom.errors import CheckpointMismatch
from transom.semantics.time import MICROS_PER_UNIT
from transom.spark.sources.filesystem import Folder, absolute, open_folder

FILE = "transom.json"
FORMAT = 2
REMEDY = "restore the query, or start over with another checkpoint (what was read is then read again)"

UNITS = "|".join(MICROS_PER_UNIT)
TUNED = re.compile(
    rf"\b(SLACK|DRATIO|BFSIZE|IDLE AFTER)( INTERVAL)?(?: '?\d[\d.]*'?(?: ?(?:%|PERCENT\b|(?:{UNITS})S?\b'?))?)+", re.IGNORECASE
)
"""A clause and its amount: of time, of numbers, of a share; of rows, all but the word."""


@dataclass(frozen=True)
class Note:
    """The content of transom.json."""

    fingerprints: list[str]
    source: str
    shards: int
    sql: list[str]
    state: str = "inline"
    run: str = field(default_factory=lambda: uuid4().hex[:8])
    format: int = FORMAT


def location(checkpoint: str, name: str) -> str:
    """Where the job of a name has its checkpoint."""
    return f"{absolute(checkpoint).rstrip('/')}/{name}"


def known(place: str) -> Note | None:
    """What a checkpoint says of itself; None if there is none yet."""
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
    if note.fingerprints != old.fingerprints:
        changed = _changed(old.sql, note.sql)
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
            remedy="leave the setting out, or start over with another --checkpoint",
        )
    if note.state != old.state:
        raise CheckpointMismatch(
            "how state is kept is fixed by the checkpoint",
            given=f"spark.transom.state={note.state}",
            exists=[old.state],
            remedy=REMEDY,
        )


def _changed(old: Sequence[str], new: Sequence[str]) -> str:
    """The lines that differ in what may not change, as they were and as they are; if none do, those that differ at all."""
    before, after = _lines(old), _lines(new)
    fixed = _differing([_untuned(line) for line in before], [_untuned(line) for line in after])
    pairs = [(before[one], after[other]) for one, other in fixed or _differing(before, after)]
    return "".join(f"\n  was:    {' '.join(was)}\n  is now: {' '.join(is_now)}" for was, is_now in pairs)


def _differing(before: list[str], after: list[str]) -> list[tuple[slice, slice]]:
    """Where the lines of one and of the other are not the same."""
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(slice(a, b), slice(c, d)) for step, a, b, c, d in steps if step != "equal"]


def _untuned(line: str) -> str:
    """Without the amounts that may change, as those of `Disorder.untuned`."""
    return TUNED.sub(lambda found: found[1].upper(), line)


def _lines(statements: Sequence[str]) -> list[str]:
    lines = (" ".join(line.partition("--")[0].split()) for statement in statements for line in statement.splitlines())
    return [line for line in lines if line]


def keep(place: str, note: Note) -> None:
    """Write transom.json."""
    open_folder(place).replace(FILE, json.dumps(asdict(note), indent=1))


def check_names(checkpoint: str, names: Sequence[str]) -> None:
    """Refuse a script whose queries stand in other places, or write elsewhere, than those of the checkpoint."""
    folder = open_folder(absolute(checkpoint))
    if folder.exists("offsets"):
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
