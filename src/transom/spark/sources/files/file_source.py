"""Files in the order of their names: a source for Spark, on its Python API.

Spark's own file source takes files by modification time and packs them by size, so neither the order across micro-batches
nor the order inside of one is the order of the names. Here a micro-batch takes the files that were not taken before, in the
order of their names, and each row says its file and its line. A file is read as a whole by one task. Records of text are
only cut here; Spark parses them (`parsing`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, ReadMaxBytes, ReadMaxFiles, SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from transom.errors import MissingSource
from transom.plan.sources.read_options import ReadOptions, read_options
from transom.spark.sources.files.contents import read_file
from transom.spark.sources.files.listing import Listing, listing
from transom.spark.sources.files.offset import Offset, offset_of, taken_by

if TYPE_CHECKING:
    from pyarrow import RecordBatch

TITLES = "transomTitles"
"""The option that says, in JSON, what the columns of the stream are called: a header is matched with them."""

LARGEST_TASK = 128 << 20
OPENING = 1 << 20
"""What opening a file costs, in bytes read meanwhile."""


class FilesDataSource(DataSource):
    """The files of a path, in name order."""

    @classmethod
    def name(cls) -> str:
        return "transom_files"

    def reader(self, schema: StructType) -> DataSourceReader:
        return BatchReader(schema, self._titles(), read_options(self.options))

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        return StreamReader(schema, self._titles(), read_options(self.options))

    def _titles(self) -> list[str]:
        found: list[str] = json.loads(self.options[TITLES.lower()])
        return found


class FilesPartition(InputPartition):
    """Some files, for one task."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)


class _FileReading:
    def __init__(self, schema: StructType, titles: list[str], options: ReadOptions) -> None:
        self._schema = schema
        self._titles = titles
        self._options = options

    def read(self, partition: InputPartition) -> Iterator[RecordBatch]:
        schema = to_arrow_schema(self._schema, timezone="UTC")
        folder = self._listing().folder
        for name in partition.names if isinstance(partition, FilesPartition) else ():
            try:
                yield from read_file(folder, name, schema, self._titles, self._options)
            except FileNotFoundError:
                raise _gone(name) from None

    def _listing(self) -> Listing:
        return listing(self._options.path, self._options.glob)

    def _partitions(self, names: Sequence[str], sizes: dict[str, int]) -> list[InputPartition]:
        """Neighbours together, so that there is enough for every core and not too much for any."""
        total = sum(sizes[name] + OPENING for name in names)
        share = min(LARGEST_TASK, total // (self._options.parallelism or os.cpu_count() or 1) + 1)
        tasks: list[list[str]] = []
        filled = share
        for name in names:
            cost = sizes[name] + OPENING
            if filled + cost > share:
                tasks.append([])
                filled = 0
            tasks[-1].append(name)
            filled += cost
        return [FilesPartition(task) for task in tasks]


class BatchReader(_FileReading, DataSourceReader):
    """What is there now."""

    def partitions(self) -> list[InputPartition]:
        sizes = self._listing().sizes()
        return self._partitions(sorted(sizes), sizes) or [FilesPartition(())]


class StreamReader(_FileReading, DataSourceStreamReader, SupportsTriggerAvailableNow):
    """What is there, and what comes."""

    def __init__(self, schema: StructType, titles: list[str], options: ReadOptions) -> None:
        super().__init__(schema, titles, options)
        self._until: frozenset[str] | None = None

    def initialOffset(self) -> Offset:  # noqa: N802
        return offset_of(())

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._until = frozenset(self._listing().sizes())

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        if self._options.max_files is not None:
            return ReadMaxFiles(self._options.max_files)
        if self._options.max_bytes is not None:
            return ReadMaxBytes(self._options.max_bytes)
        return ReadAllAvailable()

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # noqa: N802
        taken = taken_by(start)
        sizes = self._listing().sizes()
        found = sizes.keys() if self._until is None else self._until & sizes.keys()
        fresh = _limited(sorted(found - taken), sizes, limit)
        return offset_of(taken | set(fresh)) if fresh else start

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        names = sorted(taken_by(end) - taken_by(start))
        sizes = self._listing().sizes()
        for name in names:
            if name not in sizes:
                raise _gone(name)
        return self._partitions(names, sizes)


def _limited(names: list[str], sizes: dict[str, int], limit: ReadLimit) -> list[str]:
    if isinstance(limit, ReadMaxFiles):
        return names[: limit.max_files]
    if isinstance(limit, ReadMaxBytes):
        total = 0
        for count, name in enumerate(names):
            total += sizes[name]
            if total > limit.max_bytes and count:
                return names[:count]
    return names


def _gone(name: str) -> MissingSource:
    return MissingSource(
        "a file of this micro-batch is gone",
        given=name,
        remedy="put it back; files may go when the micro-batch that took them is committed",
    )
