"""A control source beside the data: one row each time the input is said to have ended.

The last micro-batch cannot be known from inside a query. So a query that is to be drained reads a second source, which says
nothing until it is restarted, from the same checkpoint, with a later `end`; then it says once that all input has come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from transom.column_names import INPUT_END

NAME = "transom_control"


class ControlDataSource(DataSource):
    """`OPTIONS (end n)`: the input ended for the n-th time; n only grows."""

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> str:
        return f"{INPUT_END} BOOLEAN"

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        return ControlReader(int(self.options.get("end", "0")))


class ControlReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Offsets count the ends, and never go back.

    With one source that does not support `availableNow`, Spark would take all that is there as a single micro-batch.
    """

    def __init__(self, end: int) -> None:
        self._end = end

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {"end": 0}

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        """What there is to say is known from the start."""

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        return ReadAllAvailable()

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:  # noqa: N802
        return {"end": max(self._end, start["end"])}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        return [InputPartition(end["end"])] if end["end"] > start["end"] else []

    def read(self, partition: InputPartition) -> Iterator[tuple[bool]]:
        yield (True,)

    def commit(self, end: dict[str, int]) -> None:
        """There is nothing to forget."""


def control(spark: SparkSession, end: int) -> DataFrame:
    """The control source of a query."""
    spark.dataSource.register(ControlDataSource)
    return spark.readStream.format(NAME).option("end", str(end)).load()
