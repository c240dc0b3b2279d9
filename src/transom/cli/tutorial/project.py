"""Copies the files of the first project, and writes the readings that it works on."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from transom.cli.demo.feed import ReadingFeed
from transom.errors import BadOption

READINGS = 150
"""Readings of ten minutes, in fifteen files: enough for windows to close and for some readings to be late."""
TEMPLATE = ".txt"
"""Python files of the project end in it here, so that nobody imports them, and lose it when they are copied."""


def make_project(folder: Path) -> list[Path]:
    """The files that were made, in the order to read them. A folder that holds something is refused.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in make_project(Path(folder) / "first")]
    ['README.md', 'speeds.sql', 'features.py', 'test_speeds.py', 'readings']
    """
    if folder.is_dir() and any(folder.iterdir()):
        raise BadOption("the folder is not empty", given=str(folder), remedy="name a folder that is new or empty")
    readings = folder / "readings"
    try:
        readings.mkdir(parents=True)
        made = [_copied(name, folder) for name in ("README.md", "speeds.sql", "features.py.txt", "test_speeds.py.txt")]
        ReadingFeed(readings, READINGS, 0.0, lambda arrivals, newest: None).write()
    except OSError as error:
        raise BadOption("the project cannot be written", given=f"{folder}: {error}", remedy="name another folder") from None
    return [*made, readings]


def _copied(name: str, folder: Path) -> Path:
    target = folder / name.removesuffix(TEMPLATE)
    target.write_bytes(files("transom.cli.tutorial").joinpath("files", name).read_bytes())
    return target
