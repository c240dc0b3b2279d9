"""A query over a window with policies on the kernels: its spec as the planner makes it, and its rows."""

from __future__ import annotations

import pyarrow as pa

from transom.kernels.applied.extent_spec import ExtentSpec
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.applied.policy_stage import PolicyStage
from transom.planner.spec_of import operator_of

TYPES = {"id": pa.int64(), "k": pa.string(), "a": pa.float64(), "b": pa.float64()}
STREAM = "CREATE STREAM s (id BIGINT, k STRING, a DOUBLE, b DOUBLE);"


def stage_of(query: str, stream: str = STREAM) -> PolicyStage:
    """The stage that a query runs as; rules that make a window of rows of it are left out."""
    (plan,) = bind_script(stream + query).queries
    (stage,) = planned(plan, ()).stages
    assert isinstance(stage, PolicyStage)
    return stage


def spec_of(stage: PolicyStage, output: dict[str, pa.DataType], *, shards: int = 1) -> tuple[ExtentSpec, dict[str, str]]:
    """The spec, and the columns that go in, each with the column of the stream that it is."""
    sources = {name: text.strip("`") for name, text in stage.window.columns().items()}
    types = {name: TYPES[source] for name, source in sources.items()}
    window, _ = operator_of(stage.window, types)
    columns = tuple(types)
    schema = pa.schema(list(output.items()))
    return stage.spec(window, columns, schema, types, shards=shards), sources  # type: ignore[arg-type]


def columns_in(table: pa.Table, sources: dict[str, str]) -> pa.Table:
    """The rows of a stream as they go to bucket."""
    beside = [name for name in table.column_names if name.startswith("__")]
    return pa.table({**{name: table[source] for name, source in sources.items()}, **{name: table[name] for name in beside}})


def outputs(stage: PolicyStage, keys: tuple[str, ...] = (), *calls: str) -> dict[str, pa.DataType]:
    """The columns that come out: keys, and aggregates by their text, all of them integers."""
    texts = [call.text for call in stage.window.calls]
    return {**{key: pa.string() for key in keys}, **{f"__y{texts.index(call)}": pa.int64() for call in calls}}
