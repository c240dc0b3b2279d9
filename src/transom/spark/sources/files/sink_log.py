"""What Spark's file sink has committed to a folder.

A query that was killed leaves files behind that no micro-batch committed; their rows come again in others. The sink's log
says which files count, so that one query's results can be the next one's source.
"""

from __future__ import annotations

import json
from urllib.parse import unquote

import pyarrow.fs as fs

from transom.spark.sources.filesystem import Folder

LOG = "_spark_metadata"


def committed(folder: Folder) -> frozenset[str] | None:
    """The names that count, relative to the folder; None if no sink writes here."""
    found = folder.system.get_file_info(fs.FileSelector(f"{folder.path}/{LOG}", allow_not_found=True))
    batches = {info.base_name for info in found if info.base_name.removesuffix(".compact").isdecimal()}
    if not batches:
        return None
    last = max((_number(name) for name in batches if name.endswith(".compact")), default=-1)
    recent = [name for name in batches if _number(name) > last or name == f"{last}.compact"]
    names: set[str] = set()
    for name in sorted(recent, key=_number):
        for line in folder.text(f"{LOG}/{name}").splitlines()[1:]:
            entry = json.loads(line)
            relative = unquote(entry["path"]).rpartition(f"{folder.path}/")[2]
            (names.add if entry.get("action", "add") == "add" else names.discard)(relative)
    return frozenset(names)


def _number(name: str) -> int:
    return int(name.removesuffix(".compact"))
