"""SOCKET: lines of csv or json from a connection, for trying things out.

The lines are kept in the driver until the micro-batch that took them is committed. What a connection has sent cannot be
asked for again: after a crash the lines of an unfinished micro-batch are gone, and numbering goes on behind them.
"""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.streaming.datasource import ReadLimit, SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from transom.errors import MissingSource
from transom.plan.sources.read_options import ReadOptions, read_options
from transom.spark.sources.files.contents import rows_of
from transom.spark.sources.text.texts import records_of

if TYPE_CHECKING:
    import pyarrow as pa


class SocketDataSource(DataSource):
    """The lines that a host sends."""

    @classmethod
    def name(cls) -> str:
        return "transom_socket"

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        return SocketReader(schema, read_options(self.options))


class LinesPartition(InputPartition):
    """Lines, and the number before the first."""

    def __init__(self, before: int, text: bytes) -> None:
        self.before = before
        self.text = text


class Connection:
    """A connection, and the lines that came and are not committed."""

    def __init__(self, host: str, port: int, before: int) -> None:
        try:
            self._socket = socket.create_connection((host, port), timeout=30)
        except OSError as error:
            raise MissingSource(
                "nobody answers at this address",
                given=f"{host}:{port} ({error})",
                remedy="start the sender first, such as nc -lk",
            ) from None
        self._socket.settimeout(None)
        self._before = before
        self._lines: list[bytes] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        with self._socket.makefile("rb") as stream:
            for line in stream:
                with self._lock:
                    self._lines.append(line if line.endswith(b"\n") else line + b"\n")

    @property
    def received(self) -> int:
        with self._lock:
            return self._before + len(self._lines)

    def between(self, start: int, end: int) -> bytes:
        with self._lock:
            return b"".join(self._lines[max(0, start - self._before) : max(0, end - self._before)])

    def forget(self, until: int) -> None:
        with self._lock:
            del self._lines[: max(0, until - self._before)]
            self._before = max(self._before, until)

    def close(self) -> None:
        self._socket.close()


class SocketReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """The reader; only the driver's has a connection."""

    def __init__(self, schema: StructType, options: ReadOptions) -> None:
        self._schema = schema
        self._options = options
        self._connection: Connection | None = None
        self._until: int | None = None
        self._once = False

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {"lines": 0}

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._once = True

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:  # noqa: N802
        received = self._connected(start["lines"]).received
        if self._once:
            self._until = received if self._until is None else self._until
            received = min(received, self._until)
        return {"lines": max(received, start["lines"])}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        text = self._connected(end["lines"]).between(start["lines"], end["lines"])
        return [LinesPartition(start["lines"], text)]

    def commit(self, end: dict[str, int]) -> None:
        if self._connection is not None:
            self._connection.forget(end["lines"])

    def stop(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        schema = to_arrow_schema(self._schema, timezone="UTC")
        if not isinstance(partition, LinesPartition):
            return
        name = f"{self._options.host}:{self._options.port}"
        for records in records_of(io.BytesIO(partition.text), [], self._options, partition.before):
            yield from rows_of(records, name, schema)

    def _connected(self, before: int) -> Connection:
        if self._connection is None:
            self._connection = Connection(self._options.host, self._options.port, before)
        return self._connection
