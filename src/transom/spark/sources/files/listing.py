"""Which files a path means: one file, a glob, or a folder with everything below it."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow.fs as fs

from transom.errors import MissingSource
from transom.spark.sources.files.sink_log import committed
from transom.spark.sources.filesystem import Folder, open_folder

_MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Listing:
    """A folder, and what is wanted of it: patterns, one per level; none: everything. Names are relative to the folder."""

    folder: Folder
    wanted: tuple[str, ...] = ()
    glob: str | None = None

    def sizes(self) -> dict[str, int]:
        """The files that are there now, and their sizes. Those still being written (`.x`, `_x`, `x.tmp`) are not,
        nor those that a sink of Spark's has not committed."""
        skip = len(self.folder.path.rstrip("/")) + 1
        files = ((info.path[skip:], info.size or 0) for info in self._files(self.folder.path, self.wanted))
        counted = committed(self.folder)
        return {name: size for name, size in files if self._takes(name) and (counted is None or name in counted)}

    def _files(self, path: str, wanted: tuple[str, ...]) -> Iterator[fs.FileInfo]:
        selector = fs.FileSelector(path, recursive=not wanted, allow_not_found=True)
        for info in self.folder.system.get_file_info(selector):
            if wanted and not fnmatch.fnmatchcase(info.base_name, wanted[0]):
                continue
            if info.type == fs.FileType.File and len(wanted) < 2:
                yield info
            elif info.type == fs.FileType.Directory and wanted:
                yield from self._files(info.path, wanted[1:])

    def _takes(self, name: str) -> bool:
        parts = name.split("/")
        if any(part.startswith((".", "_")) for part in parts) or name.endswith(".tmp"):
            return False
        return self.glob is None or fnmatch.fnmatchcase(parts[-1], self.glob)


def listing(path: str, glob: str | None = None) -> Listing:
    """The listing of a path."""
    magic = _MAGIC.search(path)
    if magic is not None:
        base, _, _ = path[: magic.start()].rpartition("/")
        return Listing(open_folder(base or "/"), tuple(path[len(base) + 1 :].split("/")), glob)
    folder = open_folder(path)
    kind = folder.system.get_file_info(folder.path).type
    if kind == fs.FileType.NotFound:
        raise MissingSource("there is no such file or folder", given=path, remedy="make the folder, or mend the path")
    if kind == fs.FileType.Directory:
        return Listing(folder, (), glob)
    parent, _, name = folder.path.rpartition("/")
    return Listing(Folder(folder.system, parent or "/"), (name,), glob)
