"""Where a query begins: a stream made of a DataFrame or of a schema, or a SQL script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.slack import Slack
from transom.errors import BadQuery, ConflictingClauses
from transom.fluent.functions.aggregated import column_name, column_names
from transom.fluent.lengths import LengthLike, duration_of
from transom.fluent.python_aggregates import REGISTERED
from transom.fluent.relation import Relation
from transom.fluent.tolerance import lateness, origin_of
from transom.fluent.verbs.planned import plan_of
from transom.language.catalog import Catalog
from transom.language.columns import checked_type, declared_columns
from transom.language.script import bind_script
from transom.plan.nodes.disorder import Disorder
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.order import unordered
from transom.plan.panes import Together
from transom.plan.types.fields import spelled
from transom.plan.types.schema import IMPLICIT, Schema
from transom.plan.types.schema import Column as SchemaColumn
from transom.semantics.time import Duration
from transom.windowing import Operator

if TYPE_CHECKING:
    from transom.fluent.select_list import Condition
    from transom.fluent.windows import Attribute, Attributes
    from transom.spark.column_text import Column


class DataFrameLike(Protocol):
    """What a stream needs to know of a DataFrame."""

    @property
    def dtypes(self) -> list[tuple[str, str]]: ...


def stream(
    source: DataFrameLike | Mapping[str, str],
    *,
    schema: str | Mapping[str, str] | None = None,
    order_by: Attribute | None = None,
    name: str = "stream",
    ordered: bool | str | Column | Sequence[str | Column] = False,
    slack: LengthLike | None = None,
    drop_ratio: float | None = None,
    normal: bool = False,
    heartbeat: bool | str | None = None,
    punctuation: tuple[Attributes, Condition] | None = None,
    substreams: Sequence[Any] = (),
    buffer: int | None = None,
    late: str | None = None,
    arrival_by: Attribute | None = None,
    per_source: Attributes | None = None,
    idle_after: Duration | timedelta | str | None = None,
    ahead: Duration | timedelta | str | None = None,
) -> Relation:
    """A stream of a DataFrame, or of columns by name and Spark type.

    With `schema` ("k STRING, v DOUBLE, ts TIMESTAMP") Spark is not asked for the columns of a DataFrame, and nothing that follows
    asks it either: the query functions of declarative pipelines allow no such look.

    `order_by` is its timestamp column, `"arrival_ts"` for one assigned on arrival. Without it there is the order of arrival
    alone, for windows of rows: windows in time are refused.

    At most one of these says how progress is known. `ordered`: the stream is sorted, or each group of these columns is. `slack`:
    how far a tuple may be behind the newest. `drop_ratio`: what keeps the share of late tuples at or below it (with `normal`, the
    controller for normal delays). `heartbeat`: "largest" or "average" lateness so far. `punctuation`: columns and the condition
    under which a row is a promise about them; `substreams` are the values that are promised for. Without any, nothing in a
    bounded DataFrame is late, and a stream has no slack.

    `buffer` is how many tuples wait at most, with slack or drop_ratio. `late` is "generous" or "consistent". `per_source` judges
    each file or partition by itself, or each value of the columns it names, and `idle_after` passes over one that is silent for
    that long. `ahead` sets tuples aside that are further ahead of their arrival, the time of which is the column `arrival_by`.

    >>> from transom import seconds
    >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", slack=seconds(10))
    >>> traffic.schema.names
    ['speed', 'ts']
    """
    if not isinstance(name, str) or not name:
        raise BadQuery("a stream has a name", given=f"name={name!r}", remedy='give text, such as name="traffic"')
    types, frame = _read(source, schema)
    order = None if order_by is None else column_name("order_by", order_by)
    if order == "":
        raise BadQuery("order_by names a column", given='order_by=""', remedy="leave it out for the order of arrival alone")
    origin = origin_of(
        ordered=ordered,
        slack=slack,
        drop_ratio=drop_ratio,
        normal=normal,
        heartbeat=heartbeat,
        punctuation=punctuation,
        substreams=substreams,
        schema=Schema(types, IMPLICIT),
    )
    if order is None and isinstance(origin, Slack | DropRatio | Heartbeat):
        raise unordered(StreamDefinition(name, types), "how far tuples may be behind others")
    disorder = Disorder(
        generator=origin,
        buffer=buffer,
        per_source=None if per_source is None else column_names("per_source", per_source),
        idle_after=duration_of("idle_after", idle_after),
        ahead=duration_of("ahead", ahead),
        arrival_by=None if arrival_by is None else column_name("arrival_by", arrival_by),
        late=lateness(late),
    )
    bounded = getattr(frame, "isStreaming", True) is False
    return Relation(Scan(StreamDefinition(name, types, order, disorder, frame=frame, bounded=bounded)))


def _read(
    source: DataFrameLike | Mapping[str, str], schema: str | Mapping[str, str] | None
) -> tuple[tuple[SchemaColumn, ...], Any]:
    """The columns of a stream, and its DataFrame if it has one."""
    if isinstance(source, Mapping):
        if schema is not None:
            raise ConflictingClauses("columns are given twice", given="columns and schema=", remedy="leave schema= out")
        return _declared(source), None
    if not hasattr(type(source), "dtypes") or type(source).__module__.startswith("pandas"):
        raise BadQuery(
            "a stream is made of a DataFrame of Spark's, or of columns and their types",
            given=repr(source)[:80],
            remedy='write stream(df, order_by="ts") or stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts")',
        )
    from transom.spark.frames.given.given_frame import analysed_types, with_schema

    if schema is None:
        return _columns(analysed_types(source)), source
    columns = _declared(schema) if isinstance(schema, Mapping) else _columns(declared_columns(schema))
    return columns, with_schema(source, columns)


def _declared(types: Mapping[str, str]) -> tuple[SchemaColumn, ...]:
    """Columns that are given by name and type."""
    wrong = next((name for name in types if not isinstance(name, str) or not name), None)
    if wrong is not None or not types:
        raise BadQuery(
            "a stream has columns, each with a name",
            given=repr(dict(types))[:80],
            remedy='write stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts")',
        )
    return _columns((name, checked_type(name, kind)) for name, kind in types.items())


def _columns(pairs: Iterable[tuple[str, str]]) -> tuple[SchemaColumn, ...]:
    columns = tuple(SchemaColumn(name, spelled(kind)) for name, kind in pairs)
    names = [column.name.lower() for column in columns]
    twice = next((column.name for column in columns if names.count(column.name.lower()) > 1), None)
    if twice is not None:
        raise BadQuery(
            f"two columns are called {twice!r}",
            given=", ".join(column.name for column in columns),
            remedy="rename one: names of columns are the same in any case, as in Spark",
        )
    return columns


def together(*queries: Relation) -> Relation:
    """Queries over the same stream that differ in their windows, as one: one pass over the data, panes shared.

    The column `query` is the number of the query that a row answers, from 0.

    >>> from transom import minutes
    >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts")
    >>> several = [traffic.window(range=minutes(n), slide=minutes(1)).agg(hi="max(speed)") for n in (5, 15, 60)]
    >>> together(*several).schema.names
    ['query', 'hi']
    """
    if not queries:
        raise BadQuery("nothing runs together", given="no queries", remedy="give at least one")
    return Relation(Together(tuple(plan_of("together", query) for query in queries)))


def sql(text: str, **streams: Relation | DataFrameLike | Operator) -> Relation:
    """The last query of a script, its `text` in SQL, over streams and DataFrames by name.

    A DataFrame that is not made a stream has the order of arrival, and no windows in time. One that has an end is a static table
    where it is joined without a bracket: `tr.sql("SELECT name, ... FROM traffic [...] JOIN roads ON ...", traffic=traffic,
    roads=df)`.

    >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts")
    >>> sql("SELECT max(speed) AS hi FROM traffic [TUMBLE 5 MINUTES]", traffic=traffic).schema.names
    ['hi']
    """
    queries = script(text, **streams)
    dropped = [query.plan for query in queries[:-1] if isinstance(query.plan, Insert)]
    if dropped:
        raise BadQuery(
            "sql(...) gives the last query of a script, and this one has an INSERT INTO before it",
            given=dropped[0].label(),
            remedy="call script(...), which gives all of them, and write(...) those of one execution together",
        )
    return queries[-1]


def script(text: str, **streams: Relation | DataFrameLike | Operator) -> list[Relation]:
    """All queries of a script, its `text` in SQL, in order: its SELECTs and INSERTs, over streams and DataFrames by name.

    Operators of `transom.windowing` that are handed over by name can be called as table functions.

    >>> results, late = script('''
    ...     CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
    ...     CREATE STREAM q AS SELECT max(speed) AS hi, window_end FROM traffic [TUMBLE 5 MINUTES];
    ...     CREATE STREAM missed AS LATE OF q;
    ...     INSERT INTO TABLE hi SELECT * FROM q;
    ...     INSERT INTO FILE 'out/late' SELECT * FROM missed;
    ... ''')
    >>> late.schema.names
    ['speed', 'ts', 'frontier']

    `write(results, late, checkpoint="...")` runs these two as one execution.
    """
    if not isinstance(text, str):
        raise BadQuery("a script is text", given=repr(text)[:80], remedy='write sql("SELECT ... FROM traffic [...]", traffic=df)')
    catalog = Catalog(aggregates=dict(REGISTERED))
    lower = [name.lower() for name in streams]
    for name, source in streams.items():
        if lower.count(name.lower()) > 1:
            raise BadQuery("names are the same in any case", given=", ".join(streams), remedy=f"give {name!r} another name")
        if isinstance(source, Operator):
            catalog.operators[name] = source
            continue
        relation = source if isinstance(source, Relation) else stream(source, name=name)
        plan = relation.plan
        renamed = isinstance(plan, Scan) and plan.stream.name == "stream"
        if isinstance(plan, Scan) and plan.stream.bounded and not isinstance(source, Relation):
            catalog.frames[name] = source
        catalog.streams[name] = Scan(_named(plan.stream, name)) if isinstance(plan, Scan) and renamed else plan
    queries = bind_script(text, catalog).queries
    if not queries:
        raise BadQuery("the script has no query", given=text[:80], remedy="end it with a SELECT")
    return [Relation(query) for query in queries]


def _named(definition: StreamDefinition, name: str) -> StreamDefinition:
    return replace(definition, name=name)
