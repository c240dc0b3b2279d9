"""Micro-batches as files of a folder: each is one file that carries its number, so one that is written again replaces itself."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from uuid import uuid4

import pyarrow.fs as fs
from pyspark.sql import DataFrame

from transom.errors import NotSupported
from transom.spark.sources.filesystem import Folder, absolute, open_folder


def part_name(run: str, batch: int) -> str:
    """The name of the file that holds a micro-batch of a run."""
    return f"part-{run}-{batch:06}"


def replace_part(rows: DataFrame, where: str, form: str, options: Mapping[str, str], name: str) -> None:
    """The rows as one file of a folder, all at once: whoever looks sees the whole file or none."""
    address = absolute(where)
    folder = open_folder(address)
    if logged(folder):
        raise NotSupported(
            "this folder belongs to a stream by itself, whose log would hide these rows",
            given=where,
            remedy="name another folder",
        )
    beside = f"_writing-{name}-{uuid4().hex[:8]}"
    rows.coalesce(1).write.format(form).options(**options).save(f"{address}/{beside}")
    found = folder.system.get_file_info(fs.FileSelector(f"{folder.path}/{beside}"))
    for part in (one for one in found if one.base_name.startswith("part-")):
        ending = part.base_name.partition(".")[2]
        folder.system.move(part.path, f"{folder.path}/{name}.{ending}")
    with contextlib.suppress(OSError):
        folder.system.delete_dir(f"{folder.path}/{beside}")


def logged(folder: Folder) -> bool:
    """Whether Spark's file sink has committed anything to a folder."""
    found = folder.system.get_file_info(fs.FileSelector(f"{folder.path}/_spark_metadata", allow_not_found=True))
    return any(one.base_name.removesuffix(".compact").isdecimal() for one in found)
