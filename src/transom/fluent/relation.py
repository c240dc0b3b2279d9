"""Streams, windows on them, and queries: each step gives a new one, and holds a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Never

from sqlglot import exp

from transom.errors import BadFrame, BadQuery, BlockingAggregate, ConflictingClauses, NotSupported
from transom.explain import explain
from transom.fluent.combining import Combining
from transom.fluent.lengths import LengthLike
from transom.fluent.select_list import checked, expressions, ordering, select_list, with_name
from transom.fluent.showing import in_html, in_line, in_lines, text_of
from transom.fluent.tolerance import lateness, origin_of
from transom.fluent.windows import WindowSpec, clause, merged
from transom.fluent.writing import write
from transom.plan.check import check_bounded
from transom.plan.expression import Expression
from transom.plan.grouping import keys_of
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Extend, Filter, LateOf, Project, Scan, Sort
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import Endpoint
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.order import check_frame_order, check_order
from transom.plan.relations.set_operation import SetOperation
from transom.plan.render import render
from transom.plan.types.schema import Schema
from transom.semantics.length import Value
from transom.semantics.windows.bracket import Bracket

if TYPE_CHECKING:
    from transom.fluent.select_list import Condition, Item, Unnamed
    from transom.fluent.windows import Attribute, Attributes

    Group = Unnamed | Sequence[Unnamed]
    """What is grouped by: columns, one by one or in a list."""
    from transom.spark.frames.query import DataFrame, Observation, SparkSession
    from transom.spark.running.running_query import RunningQuery


@dataclass(frozen=True, repr=False)
class Relation(Combining):
    """A stream, or the result of a query, with a plan that says what it is.

    >>> from transom import stream
    >>> stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    <Relation, columns without data: SELECT * FROM traffic>
    """

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

    def __repr__(self) -> str:
        return in_line(type(self).__name__, self.plan)

    def __str__(self) -> str:
        return in_lines(self.plan)

    def _repr_html_(self) -> str:
        return in_html(type(self).__name__, self.plan)

    @property
    def schema(self) -> Schema:
        """The columns, with their Spark types.

        >>> from transom import stream
        >>> print(stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts").schema)
        speed DOUBLE, ts TIMESTAMP
        """
        return self.plan.schema

    @property
    def columns(self) -> list[str]:
        """The names of the columns.

        >>> from transom import stream
        >>> stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts").columns
        ['speed', 'ts']
        """
        return self.plan.schema.names

    def sql(self) -> str:
        """The query as SQL.

        >>> from transom import stream
        >>> stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic").select("speed").sql()
        'SELECT speed FROM traffic'
        """
        return render(self.plan)

    def explain(self) -> None:
        """Print what the query is and how it would be answered.

        >>> from transom import stream
        >>> stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic").select("speed").explain()
        plan:
          Project speed
            Scan traffic order by ts (external)
        ...
        """
        print(explain(self.plan))

    def where(self, condition: Condition) -> Relation:
        """Keep the rows for which a condition, SQL text or a PySpark Column, is true; `filter` is the same.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.where("speed > 100").sql()
        'SELECT * FROM traffic WHERE speed > 100'
        """
        return replace(self, plan=Filter(self.plan, checked(condition, self.plan.schema)))

    def filter(self, condition: Condition) -> Relation:
        """Keep the rows for which a condition is true: `where`.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.filter("speed > 100") == traffic.where("speed > 100")
        True
        """
        return self.where(condition)

    def select(self, *columns: Unnamed, **items: Item) -> Relation:
        """A select list: columns by name, expressions and frames under a name.

        `"*"` stands for all columns. What has an alias, a PySpark Column for example, needs no other name.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.select("ts", mph="speed / 1.609").sql()
        'SELECT ts, speed / 1.609 AS mph FROM traffic'
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

    def window(
        self,
        spec: WindowSpec | None = None,
        /,
        *,
        range: LengthLike | None = None,
        slide: LengthLike | None = None,
        tumble: LengthLike | None = None,
        gap: LengthLike | None = None,
        wattr: Attribute | None = None,
        pattr: Attributes | None = None,
        where: Condition | None = None,
        offset: LengthLike | None = None,
        origin: Value | None = None,
        lag: LengthLike | None = None,
        partial: bool | None = None,
        rattr: Attribute | None = None,
        sattr: Attribute | None = None,
        landmark: bool | None = None,
        since: Value | None = None,
        until: Value | None = None,
        every: LengthLike | None = None,
        band: tuple[Value, Value] | None = None,
        now: bool | None = None,
        max: LengthLike | None = None,
        **unknown: Never,
    ) -> Windowed:
        """Cut the stream into windows: by one of the constructors, or by the clauses of a SQL bracket, in small letters.

        `range` and `slide` are lengths: of time (`minutes(5)`, `timedelta`, `"5 minutes"`), `rows(100)`, numbers; `tumble` is
        both at once, `gap` is that of a session. `wattr` is the column they are measured on, by default the stream's `order_by`;
        `pattr` cuts each partition by itself (sessions: by default each group); `where` picks tuples of the extent.
        `offset`, `origin`, `lag` and `partial` move and cut windows; `rattr` and `sattr` belong to windows that slide by
        tuple; `landmark`, `since`, `until`, `every` and `band` to windows that grow;
        `now` is each instant; `max` bounds a `range` that depends on `window_end`.

        >>> from transom import minutes, stream, tumbling
        >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(range=minutes(5), slide=minutes(1)).agg(n="count(*)").sql()
        'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE WATTR ts]'
        >>> traffic.window(tumbling("5 minutes")).agg(n="count(*)").sql()
        'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]'
        """
        if self.plan.is_windowed:
            raise ConflictingClauses(
                "this stream is windowed already", given="window(...) twice", remedy="name the query first: as_stream(...)"
            )
        keywords = {name: value for name, value in locals().items() if name not in ("self", "spec", "unknown")}
        clauses = {name: clause(name, value) for name, value in merged(spec, keywords | unknown).items()}
        cut = Bracket.of(order=self.plan.time_attribute, **clauses).window()
        check_order(cut, self.plan, clauses.get("wattr") or clauses.get("rattr"), handed_over=True)
        return Windowed(Cut(self.plan, cut))

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

    def distinct(self, *, keep: str = "last") -> Relation:
        """Of equal rows of a window, or of an instant of a union, one: the last, or with `keep="first"` the first while it stays.

        >>> from transom import stream
        >>> bid = stream({"auction": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="bid")
        >>> bid.window(range="10 minutes").select("auction").distinct(keep="first").sql()
        'SELECT DISTINCT KEEP FIRST auction FROM bid [RANGE 10 MINUTES WATTR ts]'
        """
        if keep not in ("first", "last"):
            raise BadQuery("of equal rows, the first or the last is kept", given=repr(keep), remedy='give keep="first"')
        if isinstance(self.plan, Union | SetOperation) and keep == "last":
            return Relation(replace(self.plan, every=False))
        return Relation(Distinct(self.plan, keep == "first"))

    def order_by(self, *columns: Condition) -> Relation:
        """The rows of each window in an order: columns by name, `"hi DESC"`, or PySpark Columns such as `F.col("hi").desc()`.

        >>> import transom as tr
        >>> traffic = tr.stream({"seg_id": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").group_by("seg_id").agg(hi=tr.max("speed")).order_by("hi DESC").sql()[-16:]
        'ORDER BY hi DESC'
        """
        return Relation(Sort(self.plan, tuple(ordering(column, self.plan.schema) for column in columns)))

    orderBy = order_by  # noqa: N815

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


@dataclass(frozen=True, repr=False)
class Aliased(Relation):
    """A relation under a name of its own, for conditions of joins."""

    name: str

    def _name(self) -> str:
        return self.name


@dataclass(frozen=True, repr=False)
class Windowed(Relation):
    """A stream with a window on it."""

    def tolerate(
        self,
        *,
        slack: LengthLike | None = None,
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

    def where(self, condition: Condition) -> Windowed:
        """Keep the rows of each window for which a condition is true; `filter` is the same.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").where("speed > 100").agg(n=tr.count()).sql()
        'SELECT COUNT(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts] WHERE speed > 100'
        """
        return Windowed(Filter(self.plan, checked(condition, self.plan.schema)))

    def filter(self, condition: Condition) -> Windowed:
        """Keep the rows of each window for which a condition is true: `where`.

        >>> import transom as tr
        >>> windows = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts").window(tumble="5 minutes")
        >>> windows.filter("speed > 100") == windows.where("speed > 100")
        True
        """
        return self.where(condition)

    def group_by(self, *columns: Group) -> Grouped:
        """Group each window by columns, given by name or as PySpark Columns, one by one or in a list.

        A computed Column has an alias. A row belongs to one window, so `window_start`, `window_end`, `wid` and `event_ts` make
        no more groups: named here, they are selected.

        >>> import transom as tr
        >>> traffic = tr.stream({"seg_id": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").group_by("seg_id", "window_end").agg(hi=tr.max("speed")).sql()
        'SELECT seg_id, window_end, MAX(speed) AS hi FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts] GROUP BY seg_id'
        """
        keys: list[str] = []
        computed: list[tuple[str, Expression]] = []
        flat: list[Any] = [one for given in columns for one in (given if isinstance(given, list | tuple) else [given])]
        for column in flat:
            if isinstance(column, str):
                keys.append(self.plan.schema.find(column).name)
                continue
            name, item = with_name(column)
            expression = checked(item, self.plan.schema)
            if isinstance(expression.tree, exp.Column) and expression.tree.name.lower() == name.lower():
                keys.append(self.plan.schema.find(name).name)
                continue
            if name.lower() in (column.name.lower() for column in (*self.plan.schema.columns, *self.plan.schema.hidden)):
                raise BadQuery(
                    f"there is a column {name!r} already", given=repr(column), remedy="give what is grouped by another alias"
                )
            computed.append((name, expression))
            keys.append(name)
        plan = Extend(self.plan, tuple(computed)) if computed else self.plan
        return Grouped(plan, tuple(dict.fromkeys(keys)))

    groupBy = group_by  # noqa: N815

    def agg(self, *unnamed: Unnamed, **items: Item) -> Relation:
        """Aggregate each window as a whole.

        >>> import transom as tr
        >>> traffic = tr.stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> traffic.window(tumble="5 minutes").agg("window_end", n=tr.count()).schema.names
        ['window_end', 'n']
        """
        return Grouped(self.plan, ()).agg(*unnamed, having=None, **items)


@dataclass(frozen=True, repr=False)
class Grouped:
    """A window with its groups: call `agg`.

    >>> from transom import stream
    >>> traffic = stream({"seg_id": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
    >>> traffic.window(tumble="5 minutes").group_by("seg_id")
    <Grouped by seg_id: SELECT * FROM traffic [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]>
    """

    plan: Node
    columns: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Grouped by {', '.join(self.columns) or 'nothing'}: {text_of(self.plan)}>"

    def agg(self, *unnamed: Unnamed, having: Condition | None = None, **items: Item) -> Relation:
        """Aggregates under their names, one row for each group: first its columns, then others by name, such as `window_end`.

        An aggregate has a name as a keyword or as an alias; `having` keeps the groups for which a condition is true.

        >>> import transom as tr
        >>> traffic = tr.stream({"seg_id": "STRING", "speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="traffic")
        >>> segments = traffic.window(tumble="5 minutes").group_by("seg_id")
        >>> segments.agg("window_end", tr.max("speed").alias("hi"), n=tr.count(), having="n > 2").schema.names
        ['seg_id', 'window_end', 'hi', 'n']
        """
        chosen = expressions(select_list(self.plan.schema, (*self.columns, *unnamed), items))
        extra = [name for name, _ in chosen]
        condition = None if having is None else checked(having, self.plan.schema, extra)
        return Relation(Aggregate(self.plan, keys_of(self.columns, self.plan.schema), chosen, condition))


def _tolerating(plan: Node, said: dict[str, Any]) -> Node:
    """The window with what is said of disorder, also below conditions on its tuples."""
    if isinstance(plan, Filter):
        return replace(plan, input=_tolerating(plan.input, said))
    if not isinstance(plan, Cut):
        raise BadQuery(
            "what disorder a window must survive is said of each window",
            given=plan.label(),
            remedy="call tolerate(...) behind window(...), before what joins it",
        )
    return replace(plan, disorder=replace(plan.disorder, **said))
