"""The statements that SQL does not have, and those that mean something else here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import TokenType, exp
from sqlglot.parsers.spark import SparkParser

from transom.errors import Span, UnknownType
from transom.language.parse.clauses import STREAM_CLAUSES, read_clauses
from transom.language.parse.cursor import Cursor
from transom.language.parse.syntax import Ask, Command, CreateStream, CreateTable, InsertInto, ScriptStatement, SourceText

SOURCES = ("FILE", "KAFKA", "SOCKET", "RATE", "TABLE")
SINKS = ("FILE", "KAFKA", "TABLE")
TYPES = ("STRING", "BOOLEAN", "INT", "BIGINT", "DOUBLE", "DECIMAL(p, s)", "TIMESTAMP", "DATE", "ARRAY<...>", "STRUCT<...>")

Reader = Callable[[SparkParser, Cursor, Any], ScriptStatement]


def _create_stream(parser: SparkParser, cursor: Cursor, start: Any) -> ScriptStatement:
    name = cursor.name("the name of the stream")
    if cursor.take(TokenType.ALIAS):
        if cursor.take_words("LATE", "OF"):
            late_of, named = _placed(cursor, "a query or stream")
            return CreateStream(cursor.span(start), name, late_of=late_of, name_span=named)
        return CreateStream(cursor.span(start), name, query=_query(parser, cursor))
    columns = columns_in(parser, cursor)
    ordered = cursor.take_words("ORDER", "BY") or cursor.take(TokenType.ORDER_BY)
    order, placed = _placed(cursor, "the order column") if ordered else (None, None)
    clauses = read_clauses(cursor, STREAM_CLAUSES, ends=())
    source = _endpoint(cursor, "source", SOURCES) if cursor.take_words("SOURCE") else None
    return CreateStream(cursor.span(start), name, columns, clauses, source, order_by=order, order_span=placed)


def _placed(cursor: Cursor, what: str) -> tuple[str, Span]:
    """A name, and where it stands."""
    start = cursor.here()
    return cursor.name(what), cursor.span(start)


def columns_in(parser: SparkParser, cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """Columns with their types, in parentheses."""

    def column() -> tuple[str, str]:
        name = cursor.name("a column")
        if cursor.at(TokenType.COMMA, TokenType.R_PAREN):
            raise cursor.mistake(f"column {name!r} needs a type", "write, for example, speed DOUBLE")
        return name, type_in(parser, cursor, f"column {name!r}")

    return cursor.wrapped(column)


def type_in(parser: SparkParser, cursor: Cursor, what: str) -> str:
    """A type that Spark knows."""
    kind = parser._parse_types()
    if kind is None or (isinstance(kind, exp.DataType) and kind.is_type("userdefined", "unknown")):
        raise UnknownType(
            f"{what} has no type that Spark knows",
            given=cursor.here().text if cursor.here() is not None else "nothing",  # type: ignore[union-attr]
            exists=TYPES,
            remedy="write, for example, speed DOUBLE",
            span=cursor.span(),
        )
    return str(kind.sql("spark"))


def _endpoint(cursor: Cursor, what: str, kinds: tuple[str, ...]) -> SourceText:
    kind = cursor.word().upper()
    if kind not in kinds:
        raise cursor.mistake(f"there is no {what} of kind {kind}", f"use one of {', '.join(kinds)}")
    name = None
    if cursor.at(TokenType.STRING):
        name = cursor.word()
    elif kind == "TABLE":
        name = cursor.name("a table")
    elif kind != "RATE":
        raise cursor.mistake(f"{kind} needs a name in quotes", f"write {kind} '...'")
    form = cursor.name("a format").lower() if cursor.take_words("FORMAT") or cursor.take(TokenType.FORMAT) else None
    options: tuple[Any, ...] = ()
    if cursor.take_words("OPTIONS"):
        options = cursor.wrapped(lambda: _option(cursor))
    return SourceText(kind, name, form, options)


def _option(cursor: Cursor) -> tuple[str, str]:
    key = cursor.word()
    while cursor.take(TokenType.DOT):
        key += "." + cursor.word()
    cursor.take(TokenType.EQ)
    return key, cursor.word()


def _query(parser: SparkParser, cursor: Cursor, *others: type[exp.Expr]) -> exp.Expr:
    query = SparkParser._parse_statement(parser)
    if query is None or not isinstance(query, (exp.Query, *others)):
        raise cursor.mistake("expected a SELECT", "write a query here; EXPLAIN and CHECK also take the name of a stream")
    return query


def _query_of_spark(parser: SparkParser, cursor: Cursor) -> exp.Expr:
    """Any query, with WITH and VALUES too."""
    vars(parser)["of_spark"] = True
    try:
        return _query(parser, cursor, exp.Values)
    finally:
        vars(parser)["of_spark"] = False


def _insert(parser: SparkParser, cursor: Cursor, start: Any) -> ScriptStatement:
    target = _endpoint(cursor, "sink", SINKS)
    return InsertInto(cursor.span(start), target, _query(parser, cursor))


def _ask(kind: str) -> Reader:
    def read(parser: SparkParser, cursor: Cursor, start: Any) -> ScriptStatement:
        named = cursor.at(TokenType.VAR, TokenType.IDENTIFIER) and cursor.peek() is None
        return Ask(cursor.span(start), kind, _all_of(parser) if named else _query(parser, cursor))

    return read


def _all_of(parser: SparkParser) -> exp.Expr:
    """A name alone stands for all of what it names."""
    table = parser._parse_table()
    assert table is not None
    return exp.select("*").from_(table)


def _named(kind: str) -> Reader:
    def read(_: SparkParser, cursor: Cursor, start: Any) -> ScriptStatement:
        name = cursor.name("the name of a stream")
        return Command(cursor.span(start), kind, name)

    return read


def _create_table(kind: str) -> Reader:
    def read(parser: SparkParser, cursor: Cursor, start: Any) -> ScriptStatement:
        name = cursor.name(f"the name of the {kind}")
        if cursor.take(TokenType.ALIAS):
            query = _query_of_spark(parser, cursor)
            return CreateTable(cursor.span(start), name, kind, query=query)
        return CreateTable(cursor.span(start), name, kind, columns_in(parser, cursor))

    return read


STATEMENTS: dict[tuple[str, ...], Reader] = {
    ("CREATE", "STREAM"): _create_stream,
    ("CREATE", "VIEW"): _create_table("view"),
    ("CREATE", "TABLE"): _create_table("table"),
    ("INSERT", "INTO"): _insert,
    ("EXPLAIN", "ANALYZE"): _ask("analyze"),
    ("EXPLAIN",): _ask("explain"),
    ("CHECK",): _ask("check"),
    ("SHOW", "STREAMS"): lambda _parser, cursor, start: Command(cursor.span(start), "show"),
    ("DESCRIBE", "STREAM"): _named("describe"),
    ("DROP", "STREAM"): _named("drop"),
}
