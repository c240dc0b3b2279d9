"""Two folders change places."""

from __future__ import annotations

import ctypes
import os

import pyarrow.fs as fs

from transom.spark.sources.filesystem import Folder

KEPT = ".before-rescale"
"""What is appended to the name of a checkpoint for the old one."""
EXCHANGE, HERE = 2, -100
"""RENAME_EXCHANGE and AT_FDCWD of Linux's renameat2."""


def exchanged(old: Folder, new: Folder) -> str:
    """Put a new folder where an old one is; where the old one is kept.

    On a local disk of Linux the two change places at once. Elsewhere the old one is moved first: whoever looks in between finds
    no checkpoint, and the old one under its new name.
    """
    kept = _free(old)
    if isinstance(old.system, fs.LocalFileSystem) and _swap(old.path, new.path):
        old.system.move(new.path, kept)
        return kept
    old.system.move(old.path, kept)
    try:
        new.system.move(new.path, old.path)
    except OSError:
        old.system.move(kept, old.path)
        raise
    return kept


def _free(folder: Folder) -> str:
    """A name that nothing has yet."""
    number = 0
    while True:
        name = f"{folder.path}{KEPT}{f'-{number}' if number else ''}"
        if folder.system.get_file_info(name).type == fs.FileType.NotFound:
            return name
        number += 1


def _swap(one: str, other: str) -> bool:
    """Whether the system could do it at once."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return rename is not None and rename(HERE, os.fsencode(one), HERE, os.fsencode(other), EXCHANGE) == 0
