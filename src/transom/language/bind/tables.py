"""CREATE TABLE and CREATE VIEW: ordinary tables, which Spark makes and runs, and concrete views of relations that change."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify

from transom.errors import BadQuery
from transom.language.catalog import Catalog
from transom.language.parse.parser import WINDOW
from transom.language.parse.spans import with_span
from transom.language.parse.syntax import CreateTable
from transom.plan.nodes.node import Node
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import Endpoint
from transom.plan.relations.concrete_view import VIEW, check_relation
from transom.plan.types.schema import Column, Schema


def reads_streams(tree: exp.Expr, catalog: Catalog) -> bool:
    """Whether a query reads a stream, and so is not Spark's alone."""
    known = {name.lower() for name in catalog.streams}
    return any(table.name.lower() in known or WINDOW in table.meta for table in tree.find_all(exp.Table))


def asks_tables(tree: exp.Expr, catalog: Catalog) -> bool:
    """Whether a query reads tables and concrete views alone, which have all of their rows now."""
    known = {name.lower() for name in (*catalog.tables, *catalog.views)}
    named = [table.name.lower() for table in tree.find_all(exp.Table)]
    return bool(named) and known.issuperset(named) and not reads_streams(tree, catalog)


def concrete_view(statement: CreateTable, plan: Node) -> Insert:
    """A concrete view holds a relation; a table is made once."""
    if statement.kind != "view":
        raise BadQuery(
            "a table is made once, and a stream has no end",
            given=f"CREATE TABLE {statement.name} AS SELECT ...",
            remedy=f"write CREATE VIEW {statement.name} AS ... for the latest relation, or INSERT INTO TABLE to keep all rows",
            span=statement.span,
        )
    with_span(statement.span, lambda: check_relation(plan))
    return Insert(plan, Endpoint(VIEW, statement.name))


def schema_of_query(statement: CreateTable, catalog: Catalog) -> Schema:
    """The columns of a query that Spark runs, as far as they can be known without it."""
    tree = statement.query
    assert tree is not None
    if isinstance(tree, exp.Values):
        tree = exp.select("*").from_(_named(tree))
    tables: dict[str, Any] = {
        name: {column.name: column.type for column in table.columns} for name, table in catalog.tables.items()
    }
    try:
        made = annotate_types(
            qualify(tree.copy(), dialect="spark", schema=tables, validate_qualify_columns=False, quote_identifiers=False),
            schema=tables,
            dialect="spark",
        )
    except SqlglotError:
        made = tree
    selected = made.selects if isinstance(made, exp.Query) else []
    columns = tuple(Column(one.alias_or_name, _type(one)) for one in selected)
    if not columns or any(one.is_star for one in selected):
        raise BadQuery(
            "the columns of this query are known to Spark alone",
            given=tree.sql("spark")[:80],
            remedy="name them: CREATE TABLE ... AS SELECT a, b FROM ...",
            span=statement.span,
        )
    return with_span(statement.span, lambda: _once(columns))


def _named(values: exp.Values) -> exp.Values:
    """VALUES with the names that Spark gives columns without one."""
    made = values.copy()
    if not made.alias_column_names:
        width = len(made.expressions[0].expressions) if made.expressions else 0
        names = [exp.to_identifier(f"col{n}") for n in range(1, width + 1)]
        made.set("alias", exp.TableAlias(this=exp.to_identifier(made.alias or "v"), columns=names))
    return made


def _type(item: exp.Expr) -> str:
    kind = item.type
    if kind is None or kind.is_type("unknown", "null"):
        return "UNKNOWN"
    return str(kind.sql("spark"))


def _once(columns: tuple[Column, ...]) -> Schema:
    names = [column.name.lower() for column in columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadQuery(f"two columns are called {twice!r}", given=", ".join(names), remedy="rename one with AS")
    return Schema(columns)
