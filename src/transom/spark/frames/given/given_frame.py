"""A DataFrame of Spark Connect with the schema that its user gives.

Inside a declarative pipeline Spark may not be asked for a schema. Here the types of columns are worked out on this side, step by
step, so that the whole plan is built without a request. Workers compare them with what arrives (`transom.spark.frames.mapped`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import NullType, StructField, StructType

from transom.errors import BadExpression, BadQuery, NotSupported
from transom.plan.types.schema import Column
from transom.planner.aggregate_calls import WrittenAggregate
from transom.planner.types.result_types import result_type
from transom.spark.frames.given.given_columns import Types, named_type, type_of
from transom.spark.frames.spark_types import needed_type
from transom.spark.frames.types import arrow_of

FORBIDDEN = "ATTEMPT_ANALYSIS_IN_PIPELINE_QUERY_FUNCTION"


class GivenFrame:
    """What the engine does with a DataFrame, on one whose columns are known beforehand."""

    def __init__(self, frame: Any, types: Types, *, streaming: bool) -> None:
        self.frame, self.types, self.isStreaming = frame, dict(types), streaming
        known = [StructField(name, kind or NullType()) for name, kind in types.items()]
        frame._cached_schema = StructType(known)  # what Spark would ask the server for

    @property
    def sparkSession(self) -> SparkSession:  # noqa: N802
        found: SparkSession = self.frame.sparkSession
        return found

    @property
    def columns(self) -> list[str]:
        return list(self.types)

    @property
    def schema(self) -> StructType:
        for name, kind in self.types.items():
            if kind is None:
                raise untold(name)
        return StructType([StructField(name, kind) for name, kind in self.types.items() if kind is not None])

    # -- what makes another frame ----------------------------------------------------------------------------

    def _made(self, frame: Any, types: Types) -> GivenFrame:
        return GivenFrame(frame, types, streaming=self.isStreaming)

    def select(self, *columns: Any) -> GivenFrame:
        types: dict[str, Any] = {}
        for column in columns:
            if column == "*" if isinstance(column, str) else False:
                types |= self.types
                continue
            name, kind = named_type(column, self.types)
            types[name] = kind
        return self._made(self.frame.select(*columns), types)

    def withColumns(self, columns: Mapping[str, Any]) -> GivenFrame:  # noqa: N802
        types = dict(self.types)
        for name, column in columns.items():
            own = next((known for known in types if known.lower() == name.lower()), name)
            types[own] = named_type(column, self.types)[1]
        return self._made(self.frame.withColumns(dict(columns)), types)

    def withColumn(self, name: str, column: Any) -> GivenFrame:  # noqa: N802
        return self.withColumns({name: column})

    def where(self, condition: Any) -> GivenFrame:
        return self._made(self.frame.where(condition), self.types)

    def drop(self, *names: str) -> GivenFrame:
        return self._made(self.frame.drop(*names), {name: kind for name, kind in self.types.items() if name not in names})

    def toDF(self, *names: str) -> GivenFrame:  # noqa: N802
        return self._made(self.frame.toDF(*names), dict(zip(names, self.types.values(), strict=True)))

    def alias(self, name: str) -> GivenFrame:
        return self._made(self.frame.alias(name), self.types)

    def observe(self, name: Any, *columns: Any) -> GivenFrame:
        return self._made(self.frame.observe(name, *columns), self.types)

    def unionByName(self, other: Any, allowMissingColumns: bool = False) -> GivenFrame:  # noqa: N802, N803
        both = _plain(other)
        types = {**getattr(other, "types", {}), **self.types}
        return self._made(self.frame.unionByName(both, allowMissingColumns=allowMissingColumns), types)

    def union(self, other: Any) -> GivenFrame:
        return self._made(self.frame.union(_plain(other)), self.types)

    def repartition(self, *args: Any) -> GivenFrame:
        return self._made(self.frame.repartition(*args), self.types)

    def sortWithinPartitions(self, *args: Any) -> GivenFrame:  # noqa: N802
        return self._made(self.frame.sortWithinPartitions(*args), self.types)

    def mapInArrow(self, run: Any, schema: StructType | str) -> GivenFrame:  # noqa: N802
        made = _struct(schema)
        return self._made(self.frame.mapInArrow(run, made), _types(made))

    def groupBy(self, *columns: str) -> GivenGroups:  # noqa: N802
        return GivenGroups(self, self.frame.groupBy(*columns))

    def join(self, table: Any, on: Any, how: str) -> GivenFrame:
        raise NotSupported(
            "a table is joined by what Spark knows of its columns, and inside a pipeline Spark may not be asked",
            given="a join with a table, over a DataFrame with schema=",
            remedy="join the table in a table of the pipeline before it or after it",
        )

    # -- types -----------------------------------------------------------------------------------------------

    def type_of_call(self, call: WrittenAggregate) -> pa.DataType:
        """The type of what an aggregate gives."""
        args = [type_of(text, self.types) for text in call.args]
        missing = next((text for text, kind in zip(call.args, args, strict=True) if kind is None), None)
        if missing is not None:
            raise untold(missing)
        found = result_type(call.call, [arrow_of(kind) for kind in args if kind is not None])
        if found is None:
            raise untold(call.text)
        return found

    def type_of_text(self, text: str) -> Any:
        found = type_of(text, self.types)
        if found is None:
            raise untold(text)
        return found


class GivenGroups:
    """Groups of such a frame, for the two stateful operators of Spark."""

    def __init__(self, frame: GivenFrame, groups: Any) -> None:
        self._frame, self._groups = frame, groups

    def applyInPandasWithState(self, run: Any, schema: str, state: str, *args: Any) -> GivenFrame:  # noqa: N802
        made = _struct(schema)
        return self._frame._made(self._groups.applyInPandasWithState(run, made, _struct(state), *args), _types(made))

    def transformWithStateInPandas(self, run: Any, schema: str, *args: Any) -> GivenFrame:  # noqa: N802
        made = _struct(schema)
        return self._frame._made(self._groups.transformWithStateInPandas(run, made, *args), _types(made))


def untold(what: str) -> BadExpression:
    """The type of something cannot be worked out without Spark."""
    return BadExpression(
        "the type of this is known to Spark alone, which schema= leaves out",
        given=what,
        remedy="say it: CAST(... AS DOUBLE)",
    )


def _types(schema: StructType) -> dict[str, Any]:
    return {field.name: field.dataType for field in schema.fields}


def _struct(schema: StructType | str) -> StructType:
    """A schema of ours in SQL, which has no types with commas."""
    if isinstance(schema, StructType):
        return schema
    pairs = [field.split() for field in schema.split(",")]
    return StructType([StructField(name, needed_type(name, kind)) for name, kind in pairs])


def _plain(frame: Any) -> Any:
    return frame.frame if isinstance(frame, GivenFrame) else frame


def asked(frame: Any) -> DataFrame:
    """The DataFrame that a user gets."""
    found: DataFrame = _plain(frame)
    return found


def with_schema(frame: Any, columns: Sequence[Column]) -> Any:
    """A DataFrame with the schema that its user gives. In a classic session, where a look costs nothing, it is compared."""
    types = {column.name: needed_type(column.name, column.type) for column in columns}
    if isinstance(frame, GivenFrame):
        return frame
    if not hasattr(frame, "_session") or isinstance(frame.sparkSession, SparkSession):
        return _compared(frame, types)
    names = [f"`{name}`" for name in types]
    return GivenFrame(frame.select(*names), types, streaming=_reads_stream(frame))


def _compared(frame: DataFrame, types: Types) -> DataFrame:
    found = {field.name.lower(): field.dataType for field in frame.schema.fields}
    wrong = [name for name, kind in types.items() if kind is not None and _simple(found.get(name.lower())) != _simple(kind)]
    if wrong:
        raise BadQuery(
            "the schema that is given is not that of the DataFrame",
            given=", ".join(f"{name} {_simple(types[name])}" for name in wrong),
            exists=[f"{name} {_simple(kind)}" for name, kind in found.items()],
            remedy="correct it, or leave schema= out",
        )
    return frame.select(*(f"`{name}`" for name in types))


def _simple(kind: Any) -> str:
    return "nothing" if kind is None else str(kind.simpleString()).upper()


def _reads_stream(frame: Any) -> bool:
    """Whether a plan of Spark Connect reads a stream, by what it says itself."""
    return _has_stream(frame._plan.plan(frame._session.client))


def _has_stream(message: Any) -> bool:
    for field, value in message.ListFields():
        if field.name == "is_streaming" and value:
            return True
        if field.message_type is not None:
            inner = value if field.is_repeated else [value]
            if any(hasattr(one, "ListFields") and _has_stream(one) for one in inner):
                return True
    return False


def analysed_types(frame: Any) -> list[tuple[str, str]]:
    """The columns of a DataFrame, as Spark knows them."""
    try:
        found: list[tuple[str, str]] = frame.dtypes
    except Exception as error:
        if FORBIDDEN not in str(error):
            raise
        raise BadQuery(
            "inside a pipeline Spark may not be asked for the columns of a DataFrame",
            given="tr.stream(df) without a schema",
            remedy='give it: tr.stream(df, schema="k STRING, v DOUBLE, ts TIMESTAMP", ...)',
        ) from None
    return found
