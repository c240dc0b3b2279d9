"""From statements to plans and definitions."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from transom.errors import BadQuery, NotSupported, SyntaxMistake
from transom.language.bind.bracket_windows import check_places, disorder_of, span_of, window_of
from transom.language.bind.define import define_aggregate
from transom.language.bind.from_clause import FromClause
from transom.language.bind.operator_calls import operator_applied
from transom.language.bind.resolve import Resolver
from transom.language.bind.select import bind_select
from transom.language.bind.streams import columns_of, define_stream, endpoint_of
from transom.language.bind.tables import concrete_view, reads_streams, schema_of_query
from transom.language.bind.unions import set_operation
from transom.language.catalog import Catalog
from transom.language.library import load_called
from transom.language.parse.parser import OPERATOR, STAMP, WINDOW
from transom.language.parse.spans import with_span
from transom.language.parse.syntax import CreateAggregate, CreateStream, CreateTable, InsertInto, ScriptStatement
from transom.plan.applied.port_graph import check_punctuation
from transom.plan.expression import spelled_out
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Scan, TableScan
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.windowed import Cut
from transom.plan.sources.source_check import check_target
from transom.plan.types.builtin import check_functions
from transom.plan.types.schema import Schema

SELECT_PARTS = {"expressions", "from_", "where", "group", "having", "distinct", "order", "limit", "joins", "operation_modifiers"}
TABLE_PARTS = {"this", "alias"}
JOIN_PARTS = {"this", "on", "using", "side", "kind", "method", "match_condition"}
"""The parts of a SELECT, of a table in FROM and of a join that mean something here. Others are refused, not dropped."""

LEAVE_OUT = "leave it out"
ELSEWHERE = {
    "windows": ("a WINDOW clause", "write the window in brackets behind the stream, or the frame behind OVER"),
    "qualify": ("QUALIFY", "select the frame under a name, and filter in a query on that"),
}
"""What can be said in another way."""


class Binder:
    """Binds the statements of one text, one after the other, against a catalog that grows with them."""

    def __init__(self, catalog: Catalog, sql: str) -> None:
        self.catalog, self.sql = catalog, sql
        self._nowhere = Resolver(Schema(()), {}, sql)

    def define(self, statement: CreateStream | CreateTable | CreateAggregate) -> Node | None:
        """Take a definition into the catalog. A concrete view has a plan to run."""
        if isinstance(statement, CreateAggregate):
            with_span(statement.span, partial(define_aggregate, statement.version, self.catalog))
            return None
        with_span(statement.span, partial(self.catalog.vacant, statement.name))
        if isinstance(statement, CreateStream):
            self.catalog.streams[statement.name] = with_span(statement.span, lambda: self._stream(statement))
        elif statement.query is None:
            self.catalog.tables[statement.name] = Schema(columns_of(statement.columns, statement.span))
        elif reads_streams(statement.query, self.catalog):
            plan = with_span(statement.span, partial(self.query, statement.query))
            view = concrete_view(statement, plan)
            self.catalog.views[statement.name] = Schema(plan.schema.columns)
            return view
        else:
            self.catalog.tables[statement.name] = schema_of_query(statement, self.catalog)
        return None

    def _stream(self, statement: CreateStream) -> Node:
        if statement.late_of is not None:
            late_of = statement.late_of
            return LateOf(with_span(statement.name_span, lambda: self.catalog.stream(late_of)), late_of, statement.name)
        if statement.query is not None:
            return Derived(self.query(statement.query), statement.name, defined=True)
        return Scan(define_stream(statement))

    def insert(self, statement: InsertInto) -> Insert:
        """A query and where its results go."""
        target = endpoint_of(statement.target)
        with_span(statement.span, partial(check_target, target))
        return Insert(self.query(statement.query), target)

    def forget(self, statement: ScriptStatement, name: str, *, drop: bool) -> None:
        """DROP STREAM; or, with `drop` off, only see that the stream is there."""
        with_span(statement.span, partial(self.catalog.drop if drop else self.catalog.stream, name))

    def query(self, tree: exp.Expr) -> Node:
        """The plan of a SELECT."""
        if isinstance(tree, exp.SetOperation):
            return set_operation(tree, self.query, self._nowhere)
        if isinstance(tree, exp.Subquery):
            return self.query(tree.this)
        if not isinstance(tree, exp.Select):
            raise BadQuery("expected a SELECT", given=tree.sql("spark")[:80], remedy="write SELECT ... FROM a stream")
        spelled_out(tree)
        load_called(tree, self.catalog)
        if self.catalog.spark_alone:
            check_functions(tree, self.catalog.aggregates, self._nowhere.span)
        self._only(tree, SELECT_PARTS)
        if not tree.expressions:
            raise SyntaxMistake(
                "nothing is selected", given="SELECT FROM", remedy="name columns, or *", span=self._nowhere.span(tree)
            )
        source = tree.args.get("from_")
        if source is None:
            raise BadQuery(
                "a continuous query reads from a stream",
                given=tree.sql("spark")[:80],
                remedy="add FROM",
                span=self._nowhere.span(tree),
            )
        for join in tree.args.get("joins") or ():
            self._only(join, JOIN_PARTS)
        return bind_select(tree, *FromClause(self._relation, self.catalog, self._nowhere).bind(tree))

    def _relation(self, table: exp.Expr) -> Node:
        clauses = table.meta.get(WINDOW)
        node: Node
        if OPERATOR in table.meta:
            node = operator_applied(table.meta[OPERATOR], self.catalog, self._relation)
        elif isinstance(table, exp.Subquery):
            self._only(table, TABLE_PARTS)
            node = Derived(self.query(table.this), table.alias or "subquery", relation=clauses is None)
        elif isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier):
            self._only(table, TABLE_PARTS)
            node = self._nowhere.located(table, partial(self.catalog.relation, table.name))
        else:
            raise self._unsupported(table, "this kind of source")
        if clauses is None:
            return node
        if isinstance(node, TableScan):
            raise BadQuery("a table has no windows", given=table.name, remedy="leave the bracket out", span=span_of(clauses))
        names = [name for name in (table.name, table.alias) if name]
        window, scan = window_of(clauses, node, names), list(node.chain())[-1]
        if isinstance(scan, Scan):
            check_places(clauses, scan.stream.schema, scan.stream.title)
        unbounded = any(clause.name == "UNBOUNDED" for clause in clauses)
        cut = with_span(
            span_of(clauses), lambda: Cut(node, window, disorder_of(clauses, node.schema, names), _stamp(table), unbounded)
        )
        with_span(span_of(clauses), lambda: check_punctuation(cut))
        return cut

    def _only(self, tree: exp.Expr, parts: set[str]) -> None:
        """Refuse what this version would otherwise drop in silence."""
        for part, value in tree.args.items():
            if value and part not in parts:
                what, remedy = ELSEWHERE.get(part, (part.strip("_").replace("_", " ").upper(), LEAVE_OUT))
                raise self._unsupported(tree, what, remedy)

    def _unsupported(self, tree: exp.Expr, what: str, remedy: str = LEAVE_OUT) -> NotSupported:
        return NotSupported(
            f"{what} is not supported yet", given=tree.sql("spark")[:80], remedy=remedy, span=self._nowhere.span(tree)
        )


def _stamp(table: exp.Expr) -> str:
    """The timestamp of results; of a window, NOW is its instant."""
    stamp = str(table.meta.get(STAMP, "instant"))
    return "instant" if stamp == "now" else stamp
