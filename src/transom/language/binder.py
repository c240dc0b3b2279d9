"""From what was written to what it means: names resolved, clauses made into windows, statements into plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from sqlglot import exp

from transom.errors import BadFrame, BadQuery, BlockingAggregate, NotSupported, Span, UnknownStream, nearest
from transom.language.frames import frame_of
from transom.language.parser import WINDOW
from transom.language.spans import with_span
from transom.language.streams import define_stream
from transom.language.syntax import CreateStream, CreateTable, InsertInto, Statement
from transom.language.windows import disorder_of, span_of, window_of
from transom.plan import (
    Aggregate,
    Column,
    Cut,
    Derived,
    Distinct,
    Endpoint,
    Expression,
    Filter,
    Frame,
    Frames,
    Insert,
    LateOf,
    Node,
    Project,
    Scan,
    Schema,
    Sort,
    TableJoin,
)

T = TypeVar("T")

RELATION_TO_STREAM = ("ISTREAM", "DSTREAM", "RSTREAM")


@dataclass
class Catalog:
    """The streams, queries and tables that can be named."""

    streams: dict[str, Node] = field(default_factory=dict)
    tables: dict[str, Schema] = field(default_factory=dict)

    def stream(self, name: str) -> Node:
        found = {known.lower(): node for known, node in self.streams.items()}.get(name.lower())
        if found is None:
            names = [*self.streams, *self.tables]
            raise UnknownStream(f"there is no stream or table {name!r}", given=name, exists=names, remedy=nearest(name, names))
        return found


class Binder:
    """Binds the statements of one text, one after the other, against a catalog that grows with them."""

    def __init__(self, catalog: Catalog, sql: str) -> None:
        self.catalog, self.sql = catalog, sql

    def define(self, statement: Statement) -> None:
        """Take a definition into the catalog."""
        if isinstance(statement, CreateStream):
            self._vacant(statement.name, statement.span)
            self.catalog.streams[statement.name] = self._stream(statement)
        elif isinstance(statement, CreateTable):
            self._vacant(statement.name, statement.span)
            if statement.query is not None:
                self.catalog.tables[statement.name] = Schema(self.query(statement.query).schema.columns)
            else:
                self.catalog.tables[statement.name] = Schema(tuple(Column(*column) for column in statement.columns))

    def _vacant(self, name: str, span: Span) -> None:
        if name in self.catalog.streams or name in self.catalog.tables:
            raise BadQuery(f"{name!r} exists already", given=name, remedy="choose another name, or drop it first", span=span)

    def _stream(self, statement: CreateStream) -> Node:
        if statement.late_of is not None:
            return LateOf(self.catalog.stream(statement.late_of), statement.late_of)
        if statement.query is not None:
            return Derived(self.query(statement.query), statement.name)
        return Scan(define_stream(statement))

    def insert(self, statement: InsertInto) -> Insert:
        target = statement.target
        return Insert(self.query(statement.query), Endpoint(target.kind, target.name, target.format, target.options))

    def query(self, tree: exp.Expr) -> Node:
        """The plan of a SELECT."""
        if isinstance(tree, exp.SetOperation):
            raise self._unsupported(tree, "set operations between windows")
        if isinstance(tree, exp.Subquery):
            return self.query(tree.this)
        if not isinstance(tree, exp.Select):
            raise BadQuery("expected a SELECT", given=tree.sql("spark")[:80], remedy="write SELECT ... FROM a stream")
        for clause, what in (("limit", "LIMIT"), ("with_", "WITH"), ("laterals", "LATERAL VIEW"), ("qualify", "QUALIFY")):
            if tree.args.get(clause):
                raise self._unsupported(tree, what)
        source = self._joined(self._source(tree), tree)
        if tree.args.get("where") is not None:
            source = self._located(
                tree.args["where"], lambda: Filter(source, self._expression(tree.args["where"].this, source.schema))
            )
        return self._selected(tree, source)

    def _source(self, tree: exp.Select) -> Node:
        clause = tree.args.get("from_")
        if clause is None:
            raise BadQuery("a continuous query reads from a stream", given=tree.sql("spark")[:80], remedy="add FROM")
        return self._relation(clause.this)

    def _relation(self, table: exp.Expr) -> Node:
        if isinstance(table, exp.Subquery):
            node: Node = Derived(self.query(table.this), table.alias or "subquery")
        elif isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier):
            node = self._located(table, lambda: self.catalog.stream(table.name))
        else:
            raise self._unsupported(table, "this kind of source")
        clauses = table.meta.get(WINDOW)
        if clauses is None:
            return node
        cut = window_of(clauses, node)
        return with_span(span_of(clauses), lambda: Cut(node, cut, disorder_of(clauses)))

    def _joined(self, source: Node, tree: exp.Select) -> Node:
        for join in tree.args.get("joins") or ():
            name = join.this.name
            tables = {known.lower(): (known, schema) for known, schema in self.catalog.tables.items()}
            if name.lower() not in tables:
                self._located(join.this, partial(self.catalog.stream, name))
                raise self._unsupported(join, "joins between streams")
            if join.args.get("on") is None:
                raise BadQuery(
                    "a join with a table needs ON", given=join.sql("spark"), remedy="add ON", span=self._span(join.this)
                )
            known, schema = tables[name.lower()]
            both = Schema((*source.schema.columns, *schema.columns), source.schema.hidden)
            self._known(join.args["on"], both)
            condition = Expression.of(join.args["on"], qualified=True)
            source = TableJoin(source, known, schema.columns, condition, (join.side or "INNER").upper())
        return source

    def _selected(self, tree: exp.Select, source: Node) -> Node:
        items = self._items(tree, source.schema)
        group = tree.args.get("group")
        group_by = tuple(self._group_column(item, source.schema) for item in (group.expressions if group else ()))
        having = tree.args.get("having")
        frames = any(isinstance(item, Frame) for _, item in items)
        aggregates = bool(group_by or having) or any(isinstance(item, Expression) and item.is_aggregate for _, item in items)
        if frames and (aggregates or source.is_windowed):
            raise BadFrame(
                "OVER frames stand on a stream, without a window or groups", given="both", remedy="query a derived stream"
            )
        node: Node
        if frames:
            node = Frames(source, items)
        elif aggregates:
            node = self._aggregated(tree, source, items, group_by, having)
        else:
            node = Project(source, _expressions(items))
        return self._ordered(tree, node, source)

    def _aggregated(self, tree: exp.Select, source: Node, items: Any, group_by: tuple[str, ...], having: Any) -> Node:
        if not source.is_windowed:
            where = tree.find(exp.AggFunc) or tree
            raise BlockingAggregate(
                "an aggregate over a whole stream never ends",
                given=where.sql("spark")[:80],
                remedy="put a window behind the stream, for example [TUMBLE 5 MINUTES]",
                span=self._span(where),
            )
        condition = None if having is None else self._expression(having.this, source.schema, extra=[name for name, _ in items])
        return self._located(tree, lambda: Aggregate(source, group_by, _expressions(items), condition))

    def _ordered(self, tree: exp.Select, node: Node, source: Node) -> Node:
        if tree.args.get("distinct") is not None:
            node = Distinct(self._windowed(node, source, "DISTINCT"))
        if tree.args.get("order") is not None:
            by = tuple(Expression.of(item) for item in tree.args["order"].expressions)
            node = Sort(self._windowed(node, source, "ORDER BY"), by)
        return node

    def _windowed(self, node: Node, source: Node, what: str) -> Node:
        if not source.is_windowed:
            raise BlockingAggregate(f"{what} over a whole stream never ends", given=what, remedy="put a window behind the stream")
        return node

    def _items(self, tree: exp.Select, schema: Schema) -> tuple[tuple[str, Expression | Frame], ...]:
        items: list[tuple[str, Expression | Frame]] = []
        for item in tree.expressions:
            inner = item.unalias()
            if isinstance(inner, exp.Column) and inner.name.upper() in RELATION_TO_STREAM:
                raise self._unsupported(inner, inner.name.upper())
            if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)):
                items += [(name, Expression.of(exp.column(name))) for name in schema.names]
            elif isinstance(inner, exp.Window):
                self._known(inner, schema)
                items.append((item.alias or inner.this.sql("spark").lower(), self._located(inner, partial(frame_of, inner))))
            else:
                name = item.alias or (inner.name if isinstance(inner, exp.Column) else inner.sql("spark").lower())
                items.append((name, self._expression(inner, schema)))
        names = [name for name, _ in items]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise BadQuery(f"two columns are called {twice!r}", given=", ".join(names), remedy="rename one with AS")
        return tuple(items)

    def _group_column(self, item: exp.Expr, schema: Schema) -> str:
        if not isinstance(item, exp.Column):
            raise NotSupported(
                "GROUP BY takes columns",
                given=item.sql("spark"),
                remedy="compute it in a derived stream first",
                span=self._span(item),
            )
        self._known(item, schema)
        return schema.find(item.name).name

    def _expression(self, tree: exp.Expr, schema: Schema, extra: list[str] | None = None) -> Expression:
        self._known(tree, schema, extra)
        return Expression.of(tree)

    def _known(self, tree: exp.Expr, schema: Schema, extra: list[str] | None = None) -> None:
        for column in tree.find_all(exp.Column):
            if column.name not in (extra or ()):
                self._located(column, partial(schema.find, column.name))

    def _unsupported(self, tree: exp.Expr, what: str) -> NotSupported:
        return NotSupported(
            f"{what} is not supported yet", given=tree.sql("spark")[:80], remedy="leave it out", span=self._span(tree)
        )

    def _span(self, tree: exp.Expr) -> Span | None:
        places = [node.meta for node in tree.walk() if "start" in node.meta]
        if not places:
            return None
        return Span(self.sql, min(place["start"] for place in places), max(place["end"] for place in places) + 1)

    def _located(self, tree: exp.Expr, build: Callable[[], T]) -> T:
        return with_span(self._span(tree), build)


def _expressions(items: Any) -> Any:
    return tuple((name, item) for name, item in items if isinstance(item, Expression))
