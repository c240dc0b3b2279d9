"""CREATE [WINDOW] AGGREGATE: the frame around a body, whose statements sqlglot parses one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import TokenType, exp
from sqlglot.parsers.spark import SparkParser

from transom.errors import Span, SyntaxMistake, nearest
from transom.language.parse.cursor import Cursor
from transom.language.parse.spans import with_span
from transom.language.parse.statements import columns_in, type_in
from transom.language.parse.syntax import CreateAggregate
from transom.uda.bind.names import check_name
from transom.uda.definition import CLAUSES, Statement, TableDefinition, Version

Tokens = Sequence[Any]


def split(tokens: Tokens, sql: str) -> list[tuple[bool, Tokens]]:
    """A script in stretches: whether each defines an aggregate, and its tokens. Bodies have semicolons of their own."""
    found: list[tuple[bool, Tokens]] = []
    place = begin = 0
    while place < len(tokens):
        if not _defines(tokens, place):
            place += 1
            continue
        if place > begin:
            found.append((False, tokens[begin:place]))
        end = _end(tokens, place, sql)
        found.append((True, tokens[place:end]))
        place = end
        if place < len(tokens) and tokens[place].token_type is TokenType.SEMICOLON:
            place += 1
        begin = place
    if begin < len(tokens):
        found.append((False, tokens[begin:]))
    return found


def _defines(tokens: Tokens, place: int) -> bool:
    if tokens[place].token_type is not TokenType.CREATE:
        return False
    words = [token.text.upper() for token in tokens[place : place + 3]]
    starts = place == 0 or tokens[place - 1].token_type in (TokenType.SEMICOLON, TokenType.R_BRACE)
    return starts and (words[:2] == ["CREATE", "AGGREGATE"] or words == ["CREATE", "WINDOW", "AGGREGATE"])


def _end(tokens: Tokens, place: int, sql: str) -> int:
    """Behind the brace that closes a definition."""
    depth = 0
    for at in range(place, len(tokens)):
        kind = tokens[at].token_type
        if kind is TokenType.SEMICOLON and not depth:
            raise _mistake("an aggregate has a body in braces", sql, tokens[at], "write { INITIALIZE: {...} ITERATE: {...} }")
        if kind is TokenType.L_BRACE:
            depth += 1
        if kind is TokenType.R_BRACE:
            depth -= 1
            if not depth:
                return at + 1
    raise _mistake("a brace is not closed" if depth else "an aggregate has a body in braces", sql, tokens[-1], "close it with }")


def read_aggregate(tokens: Tokens, sql: str, dialect: Any) -> CreateAggregate:
    """One definition."""
    span = Span(sql, tokens[0].start, tokens[-1].end + 1)
    opening = next(at for at, token in enumerate(tokens) if token.token_type is TokenType.L_BRACE)
    head = tokens[:opening]
    header: dict[str, Any] = {}
    SparkParser(dialect=dialect)._parse(lambda parser: _header(parser, header), list(head), sql)
    where = Span(sql, head[0].start, head[-1].end + 1)
    tables, clauses = _Body(tokens[opening + 1 : -1], sql, dialect).read()
    version = Version(tables=tables, clauses=clauses, span=where, **header)
    return CreateAggregate(span, version)


def _header(parser: Any, found: dict[str, Any]) -> exp.Expr:
    cursor = Cursor(parser)
    cursor.expect_words("CREATE")
    found["is_window"] = cursor.take_words("WINDOW")
    cursor.expect_words("AGGREGATE")
    start = cursor.here()
    found["name"] = cursor.name("the name of the aggregate")
    with_span(cursor.span(start), lambda: check_name(str(found["name"])))
    found["arguments"] = columns_in(parser, cursor)
    cursor.expect_words("RETURNS")
    if cursor.at(TokenType.L_PAREN):
        found["returns"] = columns_in(parser, cursor)
    else:
        found["returns"] = (("", type_in(parser, cursor, "the result")),)
    found["algebraic"] = cursor.take_words("ALGEBRAIC")
    if cursor.here() is not None:
        raise cursor.mistake("expected the body", "write { ... } behind RETURNS")
    return exp.Null()


class _Body:
    """Reads what stands between the outer braces: tables, then clauses."""

    def __init__(self, tokens: Tokens, sql: str, dialect: Any) -> None:
        self.tokens, self.sql, self.dialect = tokens, sql, dialect
        self.place = 0

    def read(self) -> tuple[tuple[TableDefinition, ...], tuple[tuple[str, tuple[Statement, ...]], ...]]:
        tables: list[TableDefinition] = []
        clauses: dict[str, tuple[Statement, ...]] = {}
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            word = token.text.upper()
            if token.token_type is TokenType.SEMICOLON:
                self.place += 1
            elif word == "TABLE":
                tables.append(self._table())
            elif word in CLAUSES:
                if word in clauses:
                    raise _mistake(f"{word} stands here twice", self.sql, token, "keep one")
                clauses[word] = self._clause(word)
            else:
                known = ["TABLE", *CLAUSES]
                raise SyntaxMistake(
                    "a body has tables and clauses",
                    given=token.text,
                    exists=known,
                    remedy=nearest(word, known),
                    span=self._span(token),
                )
        ordered = tuple((name, clauses[name]) for name in CLAUSES if name in clauses)
        return tuple(tables), ordered

    def _table(self) -> TableDefinition:
        run = self._until(TokenType.SEMICOLON)
        made: list[TableDefinition] = []

        def declared(parser: Any) -> exp.Expr:
            cursor = Cursor(parser)
            cursor.expect_words("TABLE")
            name = cursor.name("the name of the table")
            made.append(TableDefinition(name, columns_in(parser, cursor), Span(self.sql, run[0].start, run[-1].end + 1)))
            if cursor.here() is not None:
                raise cursor.mistake("expected ;", "end the table with ;")
            return exp.Null()

        SparkParser(dialect=self.dialect)._parse(declared, list(run), self.sql)
        return made[0]

    def _until(self, kind: TokenType) -> Tokens:
        start = self.place
        while self.place < len(self.tokens) and self.tokens[self.place].token_type is not kind:
            self.place += 1
        return self.tokens[start : self.place]

    def _clause(self, word: str) -> tuple[Statement, ...]:
        begin = self.tokens[self.place]
        self.place += 1
        for kind, what in ((TokenType.COLON, ":"), (TokenType.L_BRACE, "{")):
            if self.place >= len(self.tokens) or self.tokens[self.place].token_type is not kind:
                token = self.tokens[self.place] if self.place < len(self.tokens) else begin
                raise _mistake(f"expected {what} behind {word}", self.sql, token, f"write {word}: {{ ... }}")
            self.place += 1
        inside = self._until(TokenType.R_BRACE)
        self.place += 1
        runs: list[list[Any]] = [[]]
        for token in inside:
            if token.token_type is TokenType.SEMICOLON:
                runs.append([])
            else:
                runs[-1].append(token)
        return tuple(self._statement(run) for run in runs if run)

    def _statement(self, run: list[Any]) -> Statement:
        span = Span(self.sql, run[0].start, run[-1].end + 1)
        (tree,) = SparkParser(dialect=self.dialect).parse(run, self.sql)
        if tree is None or isinstance(tree, exp.Command):
            raise SyntaxMistake(
                "this is no statement",
                given=span.text[span.start : span.end][:80],
                remedy="write INSERT, UPDATE or DELETE",
                span=span,
            )
        return Statement(tree.sql("spark", comments=False), tree, span)

    def _span(self, token: Any) -> Span:
        return Span(self.sql, token.start, token.end + 1)


def _mistake(problem: str, sql: str, token: Any, remedy: str) -> SyntaxMistake:
    return SyntaxMistake(problem, given=token.text, remedy=remedy, span=Span(sql, token.start, token.end + 1))
