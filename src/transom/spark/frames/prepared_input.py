"""An input of a relational operator as a DataFrame: the columns that bucket takes, and those that are copies of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DecimalType,
    DoubleType,
    IntegralType,
    LongType,
    MapType,
    NumericType,
    StructType,
)

from transom.column_names import KEY
from transom.errors import BadQuery
from transom.kernels.spec import Spec
from transom.plan.quoted import quoted
from transom.planner.relations.inputs import ChangedInput, StreamInput
from transom.spark.frames.types import arrow_of


@dataclass(frozen=True)
class Prepared:
    """The columns that bucket takes of an input, and how its progress is known, given their types. `copied` are further columns,
    each with the one that it is a copy of."""

    frame: DataFrame
    spec: Callable[[dict[str, pa.DataType]], Spec]
    one: StreamInput | ChangedInput
    copied: Mapping[str, str] = field(default_factory=dict)

    def cast(self, name: str, wide: DataType) -> Prepared:
        """With a column in another type. What it is a copy of, and its copies, stay as they are."""
        apart = {copy: original for copy, original in self.copied.items() if name in (copy, original)}
        rest = {copy: original for copy, original in self.copied.items() if copy not in apart}
        frame = replace(self, copied=apart).whole.withColumn(name, F.col(quoted(name)).cast(wide))
        return replace(self, frame=frame, copied=rest)

    @property
    def whole(self) -> DataFrame:
        """With the copies as columns."""
        frame = self.frame
        for copy, original in self.copied.items():
            frame = frame.withColumn(copy, F.col(quoted(original)))
        return frame

    @property
    def types(self) -> dict[str, pa.DataType]:
        """Of all columns."""
        made = {field.name: arrow_of(field.dataType) for field in self.frame.schema.fields}
        return made | {copy: made[original] for copy, original in self.copied.items()}


def with_alike_keys(made: list[Prepared]) -> list[Prepared]:
    """Rows meet where keys of both inputs are equal, and columns that a condition compares (`x0` of both) agree with it: exact
    numbers of different types are compared in one that holds both."""
    if len(made) == 1:
        return made
    types = [one.types for one in made]
    shared = set.intersection(*map(set, types))
    compared = [name for name in types[0] if name.startswith(KEY) or (name in shared and re.fullmatch(r"x\d+", name))]
    for name in compared:
        kinds = [one.frame.schema[one.copied.get(name, name)].dataType for one in made]
        wide = _common(kinds) if name.startswith(KEY) else _comparable(kinds)
        if wide is None:
            raise BadQuery(
                "what is compared has types that can be",
                given=" and ".join(kind.simpleString() for kind in kinds),
                remedy="cast one of them",
            )
        made = [one if kind == wide else one.cast(name, wide) for one, kind in zip(made, kinds, strict=True)]
    return made


def _common(kinds: list[DataType]) -> DataType | None:
    if len(set(kinds)) == 1:
        return kinds[0]
    if all(isinstance(kind, IntegralType | DecimalType) for kind in kinds):
        scales = [kind.scale for kind in kinds if isinstance(kind, DecimalType)]
        return DecimalType(38, max(scales)) if scales else LongType()
    return None


def _comparable(kinds: list[DataType]) -> DataType | None:
    """The type in which values are compared by more than equality: as in Spark, a double where one of them is."""
    if any(isinstance(kind, ArrayType | MapType | StructType) for kind in kinds):
        return None
    numbers = all(isinstance(kind, NumericType) for kind in kinds)
    return _common(kinds) or (DoubleType() if numbers else None)
