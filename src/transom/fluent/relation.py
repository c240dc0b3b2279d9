"""Streams, windows on them, and queries: each step gives a new one, and holds a plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from transom.errors import BadFrame, BadQuery, BlockingAggregate, ConflictingClauses, NotALength, NotSupported
from transom.explain import explain
from transom.fluent.aggregates import known
from transom.fluent.functions import Aggregated, names
from transom.fluent.tolerance import lateness, origin_of
from transom.fluent.writing import write
from transom.language.bind.resolve import Resolver
from transom.plan.check import check_bounded
from transom.plan.expression import Expression, parse
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Filter, LateOf, Project, Scan, Sort, TableJoin
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import Endpoint
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.order import check_frame_order, check_order
from transom.plan.render import render
from transom.plan.types.schema import Column, Schema
from transom.plan.types.user_calls import fitted
from transom.semantics.length import Length
from transom.semantics.tuples import Rank
from transom.semantics.windows.bracket import Bracket

if TYPE_CHECKING:
    from transom.spark.frames.query import DataFrame, Observation, SparkSession
    from transom.spark.running.running_query import RunningQuery

Item = str | Aggregated | Frame

LENGTHS = ("range", "slide", "tumble", "offset", "lag", "max", "every", "gap")


@dataclass(frozen=True)
class Relation:
    """A stream, or the result of a query, with a plan that says what it is."""

    plan: Node

    def __post_init__(self) -> None:
        written = next((node for node in self.plan.walk() if isinstance(node, Insert)), None)
        if written is not None and written is not self.plan:
            raise BadQuery(
                "nothing follows INSERT INTO, which sends rows away",
                given=written.label(),
                remedy="call insert_into(...) last",
            )
        check_bounded(self.plan)

    @property
    def schema(self) -> Schema:
        """The columns, with their Spark types."""
        return self.plan.schema

    def sql(self) -> str:
        """The query as SQL."""
        return render(self.plan)

    def explain(self) -> None:
        """Print what the query is and how it would be answered."""
        print(explain(self.plan))

    def where(self, condition: str) -> Relation:
        """Keep the rows for which a condition is true."""
        return replace(self, plan=Filter(self.plan, checked(condition, self.plan.schema)))

    def select(self, *columns: str, **items: Item) -> Relation:
        """A select list: columns by name, expressions and frames under a name.

        `"*"` stands for all columns.
        """
        chosen = select_list(self.plan.schema, columns, items)
        if any(isinstance(item, Frame) for _, item in chosen):
            if self.plan.is_windowed:
                raise BadFrame("OVER frames stand on a stream, without a window", given="both", remedy="query a derived stream")
            for frame in (item for _, item in chosen if isinstance(item, Frame)):
                check_frame_order(frame, self.plan, handed_over=True)
            return Relation(Frames(self.plan, chosen))
        plain = expressions(chosen)
        if any(item.is_aggregate for _, item in plain):
            return self._aggregated(plain)
        return Relation(Project(self.plan, plain))

    def _aggregated(self, items: tuple[tuple[str, Expression], ...]) -> Relation:
        users = [user for _, item in items for _, user in item.user_calls]
        if not self.plan.is_windowed and users and not any(user.is_blocking for user in users):
            raise NotSupported(
                "an aggregate on a stream without a window is over all tuples so far",
                given=", ".join(item.text for _, item in items),
                remedy='write it out: .over(unbounded="rows")',
            )
        if not self.plan.is_windowed:
            raise BlockingAggregate(
                "an aggregate over a whole stream never ends",
                given=", ".join(item.text for _, item in items),
                remedy="call window(...) first, for example window(tumble=minutes(5))",
            )
        return Relation(Aggregate(self.plan, (), items))

    def window(self, **clauses: Any) -> Windowed:
        """Cut the stream into windows. The clauses are those of a SQL bracket, in small letters.

        >>> from transom import minutes, stream
        >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(range=minutes(5), slide=minutes(1)).agg(n="count(*)").sql()
        'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE WATTR ts]'
        """
        if self.plan.is_windowed:
            raise ConflictingClauses(
                "this stream is windowed already", given="window(...) twice", remedy="name the query first: as_stream(...)"
            )
        given = {name: _clause(name, value) for name, value in clauses.items()}
        window = Bracket.of(order=self.plan.time_attribute, **given).window()
        check_order(window, self.plan, given.get("wattr") or given.get("rattr"), handed_over=True)
        return Windowed(Cut(self.plan, window))

    def join(self, table: str, schema: Mapping[str, str], on: str, how: str = "inner") -> Relation:
        """Join a static table."""
        columns = tuple(Column(name, kind) for name, kind in schema.items())
        both = Schema((*self.plan.schema.columns, *columns), self.plan.schema.hidden)
        streams = [node.stream.name for node in self.plan.chain() if isinstance(node, Scan)]
        condition = Resolver(both, {name: name for name in (*streams, table)}, on).expression(parse(on))
        return replace(self, plan=TableJoin(self.plan, table, columns, condition, how.upper()))

    def union(self, *others: Relation) -> Relation:
        """This stream and others as one, in the order of their timestamps; with `distinct()`, equal rows of an instant once.

        Columns go by their place, as in PySpark. The timestamp is `event_ts`, whatever each stream calls its own.

        >>> from transom import stream
        >>> opened = stream({"item": "BIGINT", "price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="opened")
        >>> closed = stream({"item": "BIGINT", "final": "DOUBLE", "at": "TIMESTAMP"}, order_by="at", name="closed")
        >>> opened.select("item", "price").union(closed.select("item", "final")).sql()
        'SELECT item, price FROM opened UNION ALL SELECT item, final FROM closed'
        """
        return Relation(Union((self.plan, *(other.plan for other in others))))

    def to_df(
        self,
        spark: SparkSession | None = None,
        *,
        shards: int | None = None,
        bounded: bool = False,
        observation: Observation | None = None,
    ) -> DataFrame:
        """The answer as a Spark DataFrame: streaming if the input streams, batch if it does not.

        The session is that of the input, or the active one. `shards` is how many ways the work is spread, by default as
        many as `spark.sql.shuffle.partitions`, and not more than 8 where a controller (DRATIO, HEARTBEAT, BFSIZE) has to look
        at all tuples in each; `bounded` reads what a source has now, as a batch. An `observation` of a
        batch can be asked for its quality when it has run: `Quality.of(observation)`.
        """
        if isinstance(self.plan, Insert):
            raise BadQuery(
                "INSERT INTO says where rows go, and a DataFrame by itself writes nothing",
                given=self.plan.label(),
                remedy='call start(checkpoint="..."), which writes them; or leave INSERT INTO out, and write the DataFrame',
            )
        from transom.spark.running.execution import frame_of
        from transom.spark.running.jobs import output_of
        from transom.spark.session import session_of

        output = output_of(0, "", self.plan)
        return frame_of(output, session_of(self.plan, spark), shards=shards, bounded=bounded, observation=observation)

    def distinct(self) -> Relation:
        """Of equal rows of a window, or of an instant of a union, one."""
        return Relation(replace(self.plan, every=False) if isinstance(self.plan, Union) else Distinct(self.plan))

    def order_by(self, *columns: str) -> Relation:
        """The rows of each window in an order."""
        return Relation(Sort(self.plan, tuple(Expression.of(column) for column in columns)))

    def as_stream(self, name: str, *, defined: bool = False) -> Relation:
        """The result as a stream of its own, to be windowed again; `defined` as CREATE STREAM does, to go by its name in SQL."""
        return Relation(Derived(self.plan, name, defined=defined))

    def late(self, *, called: str | None = None) -> Relation:
        """The tuples that missed a window, with the frontier that excluded them; a stream `called` so in SQL."""
        name = self.plan.stream.name if isinstance(self.plan, Scan) else getattr(self.plan, "name", "query")
        return Relation(LateOf(self.plan, name, called))

    def insert_into(self, kind: str, name: str, *, format: str | None = None, **options: str) -> Relation:
        """Say where the rows go: FILE, TABLE, KAFKA or CONSOLE. `start(...)` or `write(...)` then writes them.

        >>> from transom import minutes, stream
        >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> query = traffic.window(tumble=minutes(5)).agg(hi="max(speed)")
        >>> query.insert_into("FILE", "out/q1", format="jsonl").sql().partition(" SELECT ")[0]
        "INSERT INTO FILE 'out/q1' FORMAT jsonl"
        """
        return Relation(Insert(self.plan, Endpoint(kind.upper(), name, format, tuple(options.items()))))

    def start(
        self,
        *,
        checkpoint: str | PathLike[str] | None = None,
        foreach_batch: Callable[..., Any] | None = None,
        processing_time: str | None = None,
        available_now: bool = False,
        query_name: str | None = None,
        shards: int | None = None,
        spark: SparkSession | None = None,
    ) -> RunningQuery:
        """Run the query, and write its rows to the target of `insert_into`, or hand them to `foreach_batch(rows, batch)`.

        `transom.write` has what the arguments mean, and writes late rows beside the results.

        >>> from transom import minutes, stream
        >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble=minutes(5)).agg(hi="max(speed)").start(checkpoint="out/_checkpoint")
        Traceback (most recent call last):
            ...
        transom.errors.BadQuery: BadQuery: each query says where its rows go, or all go to one function
          given:  SELECT MAX(speed) AS hi FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]
          remedy: call insert_into("TABLE", "name") on each query, or give foreach_batch=function and no insert_into
        """
        return write(
            self,
            checkpoint=checkpoint,
            foreach_batch=foreach_batch,
            processing_time=processing_time,
            available_now=available_now,
            query_name=query_name,
            shards=shards,
            spark=spark,
        )


@dataclass(frozen=True)
class Windowed(Relation):
    """A stream with a window on it."""

    def tolerate(
        self,
        *,
        slack: Length | None = None,
        slack_percent: float | None = None,
        drop_ratio: float | None = None,
        normal: bool = False,
        heartbeat: bool | str | None = None,
        buffer: int | None = None,
        late: str | None = None,
    ) -> Windowed:
        """How much disorder the answer must survive: one of slack, slack_percent, drop_ratio, heartbeat; `late` is "generous" or
        "consistent". What is not said stays as it was.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> window = traffic.window(tumble=tr.minutes(5)).tolerate(drop_ratio=0.01).tolerate(late="consistent")
        >>> window.agg(hi=tr.max("speed")).sql()
        'SELECT MAX(speed) AS hi FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts DRATIO 1% LATE CONSISTENT]'
        """
        origin = origin_of(slack=slack, slack_percent=slack_percent, drop_ratio=drop_ratio, normal=normal, heartbeat=heartbeat)
        said = {"generator": origin, "buffer": buffer, "late": lateness(late)}
        return Windowed(_tolerating(self.plan, {name: value for name, value in said.items() if value is not None}))

    def where(self, condition: str) -> Windowed:
        return Windowed(Filter(self.plan, checked(condition, self.plan.schema)))

    def group_by(self, *columns: str) -> Grouped:
        """Group each window by columns."""
        return Grouped(self.plan, tuple(self.plan.schema.find(column).name for column in columns))

    def agg(self, *unnamed: Item, **items: Item) -> Relation:
        """Aggregate each window as a whole."""
        return Grouped(self.plan, ()).agg(*unnamed, having=None, **items)


@dataclass(frozen=True)
class Grouped:
    """A window with its groups."""

    plan: Node
    columns: tuple[str, ...]

    def agg(self, *unnamed: Item, having: str | None = None, **items: Item) -> Relation:
        """Aggregates under their names, one row for each group: first its columns, then others by name, such as `window_end`."""
        columns = [item for item in unnamed if isinstance(item, str)]
        if len(columns) < len(unnamed):
            raise BadQuery(
                "an aggregate is given a name",
                given=f"{len(unnamed) - len(columns)} without one",
                remedy='write agg("window_end", hi=tr.max("speed"))',
            )
        chosen = expressions(select_list(self.plan.schema, (*self.columns, *columns), items))
        extra = [name for name, _ in chosen]
        condition = None if having is None else checked(having, self.plan.schema, extra)
        return Relation(Aggregate(self.plan, self.columns, chosen, condition))


def _tolerating(plan: Node, said: dict[str, Any]) -> Node:
    """The window with what is said of disorder, also below conditions on its tuples."""
    if isinstance(plan, Filter):
        return replace(plan, input=_tolerating(plan.input, said))
    assert isinstance(plan, Cut)
    return replace(plan, disorder=replace(plan.disorder, **said))


def _clause(name: str, value: Any) -> Any:
    if name == "where":
        return Expression.of(value).as_function()
    if isinstance(value, str) and name in LENGTHS and not (name == "range" and "window_end" in value.lower()):
        raise NotALength(f"{name} is a length", given=repr(value), remedy="use minutes(5), rows(100) or a number")
    if name == "range" and isinstance(value, str):
        return Expression.of(value).as_function()
    if name in ("wattr", "sattr") and isinstance(value, str) and value.startswith("rank("):
        return Rank(value[5:-1])
    return names(value) if name == "pattr" else value


def checked(text: str | Expression, schema: Schema, extra: Sequence[str] = ()) -> Expression:
    """An expression whose columns exist."""
    expression = text if isinstance(text, Expression) else Expression.of(text, aggregates=known(text))
    for column in expression.columns:
        if column not in extra:
            schema.find(column)
    return fitted(expression, schema)


def named(name: str) -> Expression:
    """A column as an expression, quoted if its name needs it."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", name) is not None
    return Expression.of(name if plain else exp.column(name, quoted=True))


def select_list(schema: Schema, columns: Sequence[str], items: Mapping[str, Item]) -> tuple[tuple[str, Expression | Frame], ...]:
    """Names and what they are."""
    plain = [name for column in columns for name in (schema.names if column == "*" else [schema.find(column).name])]
    chosen: list[tuple[str, Expression | Frame]] = [(name, named(name)) for name in plain]
    for name, item in items.items():
        if isinstance(item, Frame):
            frame = replace(item, aggregate=checked(item.aggregate, schema))
            chosen.append((name, frame))
        else:
            chosen.append((name, checked(item if isinstance(item, str) else item.expression, schema)))
    return tuple(chosen)


def expressions(items: tuple[tuple[str, Expression | Frame], ...]) -> tuple[tuple[str, Expression], ...]:
    """A select list without frames."""
    frames = [name for name, item in items if isinstance(item, Frame)]
    if frames:
        raise BadQuery("OVER frames do not stand in agg", given=", ".join(frames), remedy="use select on the stream")
    return tuple((name, item) for name, item in items if isinstance(item, Expression))
