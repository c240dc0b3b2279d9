"""Files where they are: on this machine, or at an address that Arrow knows (file, s3, gs, hdfs)."""

from __future__ import annotations

import os
import uuid
from dataclasses import dataclass
from typing import Any

import pyarrow.fs as fs


@dataclass(frozen=True)
class Folder:
    """A folder of a file system."""

    system: fs.FileSystem
    path: str

    def replace(self, name: str, text: str) -> None:
        """Put a text into a file, all at once; an empty text is no file."""
        target = f"{self.path}/{name}"
        if not text:
            if self.system.get_file_info(target).type == fs.FileType.File:
                self.system.delete_file(target)
            return
        self.system.create_dir(self.path, recursive=True)
        beside = f"{self.path}/.{name}.{uuid.uuid4().hex}.tmp"
        with self.system.open_output_stream(beside, compression=None) as out:
            out.write(text.encode())
        self.system.move(beside, target)

    def exists(self, name: str) -> bool:
        return bool(self.system.get_file_info(f"{self.path}/{name}").type != fs.FileType.NotFound)

    def text(self, name: str) -> str:
        with self.open(name) as stream:
            return bytes(stream.read()).decode()

    def open(self, name: str) -> Any:
        """A stream of bytes, unpacked if the name says that it is compressed."""
        return self.system.open_input_stream(f"{self.path}/{name}", compression="detect")

    def open_random(self, name: str) -> Any:
        return self.system.open_input_file(f"{self.path}/{name}")


def open_folder(path: str) -> Folder:
    """The folder at a path or an address."""
    if "://" in path or path.startswith("file:"):
        address = path if "://" in path else "file://" + path.removeprefix("file:")
        system, inside = fs.FileSystem.from_uri(address)
        return Folder(system, inside.rstrip("/"))
    return Folder(fs.LocalFileSystem(), os.path.abspath(path))


def absolute(path: str) -> str:
    """A path that means the same in every process."""
    return path if "://" in path or path.startswith("file:") else os.path.abspath(os.path.expanduser(path))
