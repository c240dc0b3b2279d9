"""Checkpoints that the user may not read or write, or that are no folders: refused by name, before anything runs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from transom.errors import CheckpointDamaged
from transom.spark.checkpoints.folder import open_checkpoint
from transom.spark.running.checkpoint import Note, check_names, keep, known

NOBODY = 65534
NOTE = Note([], "", 2, [])

ASKED: dict[str, Callable[[str], object]] = {
    "start": known,
    "note": lambda place: keep(place, NOTE),
    "run": lambda place: check_names(place, ["q"]),
    "state and rescale": open_checkpoint,
}


def as_nobody(done: Callable[[], object]) -> str:
    """What a process says that may do less: root may read everything."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        if os.getuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        try:
            text = f"no error: {done()}"
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as told:
        return told.read()


@pytest.mark.parametrize("asked", ASKED.values(), ids=list(ASKED))
def test_a_folder_without_permission(asked: Callable[[str], object]) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        folder = Path(place) / "checkpoint"
        (folder / "offsets").mkdir(parents=True)
        folder.chmod(0)
        Path(place).chmod(0o755)
        try:
            said = as_nobody(lambda: asked(str(folder)))
        finally:
            folder.chmod(0o700)
        assert said.startswith("CheckpointDamaged: CheckpointDamaged: the checkpoint may not be read or written"), said
        assert [path.name for path in folder.rglob("*")] == ["offsets"]


def test_a_file(tmp_path: Path) -> None:
    place = tmp_path / "checkpoint"
    place.write_text("not a folder")
    with pytest.raises(CheckpointDamaged, match="cannot be read"):
        keep(str(place), NOTE)
    assert place.read_text() == "not a folder"
