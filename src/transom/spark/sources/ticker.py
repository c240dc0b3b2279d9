"""A ticker beside the data: a row each second, because without one there is no micro-batch in which time could pass."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from transom.column_names import TICK

NAME = "transom_ticker"


class TickerDataSource(DataSource):
    """Offsets are seconds."""

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> str:
        return f"{TICK} BOOLEAN"

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        return TickerReader()


class TickerReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """With `availableNow` it says nothing: what is there is read, and no time passes."""

    def __init__(self) -> None:
        self._stands = False

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {"second": 0}

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._stands = True

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        return ReadAllAvailable()

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:  # noqa: N802
        return start if self._stands else {"second": max(int(time.time()), start["second"])}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        return [InputPartition(end["second"])] if end["second"] > start["second"] else []

    def read(self, partition: InputPartition) -> Iterator[tuple[bool]]:
        yield (True,)

    def commit(self, end: dict[str, int]) -> None:
        """There is nothing to forget."""


def ticker(spark: SparkSession) -> DataFrame:
    """The ticker of a query."""
    spark.dataSource.register(TickerDataSource)
    return spark.readStream.format(NAME).load()
