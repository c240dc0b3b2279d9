"""Transom SQL: Spark SQL as sqlglot parses it, with windows behind streams, SLIDE in frames, and stream statements."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import TokenType, exp
from sqlglot.dialects.spark import Spark
from sqlglot.errors import ParseError, TokenError
from sqlglot.parsers.spark import SparkParser

from transom.errors import NotSupported, Span, SyntaxMistake, nearest
from transom.language.parse.clauses import read_bracket
from transom.language.parse.create_aggregate import read_aggregate, split
from transom.language.parse.cursor import Cursor
from transom.language.parse.lengths import begins_length, read_length
from transom.language.parse.operator_call import begins_operator_call, read_operator_call
from transom.language.parse.spans import with_span
from transom.language.parse.statements import STATEMENTS
from transom.language.parse.syntax import ScriptStatement, SelectStatement
from transom.plan.expression import FUNCTIONS, SparkSQL

WINDOW = "transom_window"
FRAME = "transom_frame"
STAMP = "transom_stamp"
WITHIN = "transom_within"
OPERATOR = "transom_operator"
"""Where a syntax tree carries what SQL has no place for: in the metadata of tables, of joins and of OVER windows."""

RELATION_TO_STREAM = ("ISTREAM", "DSTREAM", "RSTREAM")
KEEP_FIRST = "KEEP FIRST"
_MARK = "\0"
"""Before the text of a word that modifies SELECT, so that no column of that name is taken for one."""

_ENDS_COLUMN = (TokenType.COMMA, TokenType.FROM, TokenType.ALIAS, TokenType.DOT)


class Extension(exp.Expression):
    """A statement that SQL does not have."""

    arg_types: ClassVar[dict[str, bool]] = {"statement": True}


class TransomTokenizer(SparkSQL.Tokenizer):
    """Spark's words; EXPLAIN and SHOW are statements like the others here, not text handed on."""

    KEYWORDS: ClassVar[dict[str, TokenType]] = {
        word: kind for word, kind in Spark.Tokenizer.KEYWORDS.items() if word not in ("EXPLAIN", "SHOW")
    } | {"ASOF": TokenType.ASOF, "MATCH_CONDITION": TokenType.MATCH_CONDITION}


class TransomDialect(SparkSQL):
    """Spark SQL with the tokens above."""

    Tokenizer = TransomTokenizer


class TransomParser(SparkParser):
    """Spark's parser, and what continuous queries add to it."""

    FUNCTIONS = FUNCTIONS
    OPERATION_MODIFIERS: ClassVar[set[str]] = {_MARK + word for word in (*RELATION_TO_STREAM, KEEP_FIRST)}

    of_spark: bool = False
    """Whether what is parsed is a query that Spark runs, and not one of Transom's."""

    def _parse_statement(self) -> exp.Expr | None:
        if self.of_spark:
            return super()._parse_statement()
        cursor = Cursor(self)
        start = cursor.here()
        if start is None:
            return None
        if cursor.at(TokenType.WITH):
            remedy = "define a stream: CREATE STREAM ... AS SELECT ..."
            raise NotSupported("WITH is not supported yet", given="WITH", remedy=remedy, span=cursor.span())
        for words, read in STATEMENTS.items():
            if cursor.take_words(*words):
                return Extension(statement=read(self, cursor, start))
        if cursor.at(TokenType.SEMICOLON):
            super()._parse_statement()
            return None
        if not cursor.at(TokenType.SELECT, TokenType.L_PAREN):
            known = ["SELECT", *(" ".join(words) for words in STATEMENTS), "CREATE AGGREGATE", "CREATE WINDOW AGGREGATE"]
            raise SyntaxMistake(
                "this begins no statement",
                given=start.text,
                exists=known,
                remedy=nearest(start.text.upper(), known),
                span=cursor.span(),
            )
        query = super()._parse_statement()
        if not isinstance(query, exp.Query):
            raise SyntaxMistake(
                "expected a SELECT", given=start.text, remedy="write SELECT ... FROM a stream", span=cursor.span(start)
            )
        return Extension(statement=SelectStatement(cursor.span(start), query))

    def _parse_bracket(self, this: exp.Expr | None = None) -> exp.Expr | None:
        cursor = Cursor(self)
        if not isinstance(this, exp.Table) or not cursor.take(TokenType.L_BRACKET):
            return super()._parse_bracket(this)
        this.meta[WINDOW] = read_bracket(cursor)
        self._take_stamp(cursor, this)
        return this

    def _take_stamp(self, cursor: Cursor, table: exp.Expr) -> None:
        """`TIMESTAMP MIN | MAX | NOW` behind a window or a join."""
        for stamp in ("MIN", "MAX", "NOW"):
            if cursor.take_words("TIMESTAMP", stamp):
                table.meta[STAMP] = stamp.lower()

    def _parse_join(self, *arguments: Any, **options: Any) -> exp.Join | None:
        cursor = Cursor(self)
        side = next((side for side in ("LEFT", "INNER") if cursor.take_words(side, "ASOF", ahead=1)), None)
        join = super()._parse_join(*arguments, **options)
        if join is not None:
            if side is not None:
                join.set("side", side)
            if cursor.take_words("WITHIN"):
                join.meta[WITHIN] = read_length(cursor)
            self._take_stamp(cursor, join)
        return join

    def _parse_table(self, *arguments: Any, **options: Any) -> exp.Expr | None:
        if not self.of_spark and begins_operator_call(Cursor(self)):
            return self._operator_call()
        table = super()._parse_table(*arguments, **options)
        cursor = Cursor(self)
        if isinstance(table, exp.Subquery) and cursor.take(TokenType.L_BRACKET):
            table.meta[WINDOW] = read_bracket(cursor)
            if not table.alias:
                table.set("alias", self._parse_table_alias())
            self._take_stamp(cursor, table)
        return table

    def _operator_call(self) -> exp.Table:
        """An operator as a table function."""
        cursor = Cursor(self)
        call = read_operator_call(cursor, self._called_on)
        table = exp.Table(this=exp.to_identifier(call.name), alias=self._parse_table_alias())
        table.meta[OPERATOR] = call
        if cursor.take(TokenType.L_BRACKET):
            table.meta[WINDOW] = read_bracket(cursor)
            if not table.alias:
                table.set("alias", self._parse_table_alias())
        return table

    def _called_on(self) -> exp.Expr | None:
        """What an operator is called on: a stream by name, a query in parentheses, or another operator."""
        cursor = Cursor(self)
        if begins_operator_call(cursor):
            return self._operator_call()
        if cursor.at(TokenType.L_PAREN):
            return super()._parse_table()
        return exp.Table(this=exp.to_identifier(cursor.name("a stream")))

    _frame: dict[str, Any]

    def _parse_window(self, this: exp.Expr | None, alias: bool = False) -> exp.Expr | None:
        outer, self._frame = getattr(self, "_frame", {}), {}
        window = super()._parse_window(this, alias)
        if isinstance(window, exp.Window):
            window.meta[FRAME] = self._frame
        self._frame = outer
        return window

    def _parse_window_spec(self) -> dict[str, Any]:
        cursor = Cursor(self)
        first = self._frame.setdefault("first", self._prev)  # ROWS, RANGE or BETWEEN
        between = cursor.take(TokenType.BETWEEN)
        if begins_length(cursor):
            start = cursor.here()
            length = with_span(cursor.span(start), lambda: read_length(cursor))
            side = cursor.word().upper() if cursor.at_words("PRECEDING") or cursor.at_words("FOLLOWING") else None
            self._frame["length"] = length
            spec: dict[str, Any] = {"value": exp.Var(this=str(length)), "side": side}
        else:
            spec = super()._parse_window_spec()
        self._frame["span"] = cursor.span(first)
        if not between or spec["value"] == "CURRENT ROW":
            self._frame |= _frame_extras(cursor)
        return spec


def _frame_extras(cursor: Cursor) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    if cursor.at_words("SLIDE"):
        start = cursor.here()
        cursor.word()
        extras["slide"] = read_length(cursor)
        extras["slide_span"] = cursor.span(start)
    if cursor.take_words("UNBOUNDED", "STATE"):
        extras["unbounded_state"] = True
    start = cursor.here()
    if cursor.take_words("ACTIVE", "EXPIRATION"):
        extras["active_expiration"], extras["active_span"] = True, cursor.span(start)
    return extras


def parse_script(sql: str) -> list[ScriptStatement]:
    """The statements of a script, in order."""
    dialect = TransomDialect()
    try:
        tokens = _modified(dialect.tokenize(sql))
        return [statement for defines, run in split(tokens, sql) for statement in _statements(run, defines, sql, dialect)]
    except ParseError as error:
        raise _mistake(sql, error) from None
    except TokenError:
        end = len(sql.rstrip())
        raise SyntaxMistake(
            "a quote or comment is not closed", given=sql[-60:], remedy="close it", span=Span(sql, max(end - 1, 0), end)
        ) from None
    except RecursionError:
        raise SyntaxMistake(
            "the statement is nested too deeply", given=sql[:60], remedy="split it with derived streams"
        ) from None


def _statements(tokens: Any, defines: bool, sql: str, dialect: TransomDialect) -> list[ScriptStatement]:
    if defines:
        return [read_aggregate(tokens, sql, dialect)]
    trees = [tree for tree in TransomParser(dialect=dialect).parse(list(tokens), sql) if tree is not None]
    if any("statement" not in tree.args for tree in trees):  # sqlglot takes a last END for the end of a block
        last = tokens[-1]
        raise SyntaxMistake(
            "this begins no statement", given=last.text, remedy="leave it out", span=Span(sql, last.start, last.end + 1)
        )
    return [tree.args["statement"] for tree in trees]


def _modified(tokens: list[Any]) -> list[Any]:
    """The tokens with ISTREAM, DSTREAM, RSTREAM and KEEP FIRST where the parser takes modifiers of SELECT: behind DISTINCT."""
    made: list[Any] = []
    place = 0
    while place < len(tokens):
        token, place = tokens[place], place + 1
        made.append(token)
        if token.token_type is not TokenType.SELECT:
            continue
        modifiers: list[Any] = []
        if _is_word(tokens, place, *RELATION_TO_STREAM):
            modifiers.append(_marked(tokens[place], tokens[place].text.upper()))
            place += 1
        if place < len(tokens) and tokens[place].token_type is TokenType.DISTINCT:
            made.append(tokens[place])
            place += 1
            if _is_word(tokens, place, "KEEP") and _is_word(tokens, place + 1, "FIRST"):
                modifiers.append(_marked(tokens[place], KEEP_FIRST))
                place += 2
        made += modifiers
    return made


def _is_word(tokens: list[Any], place: int, *words: str) -> bool:
    """Whether one of these words stands here, and not a column of that name."""
    here, following = (tokens[n] if n < len(tokens) else None for n in (place, place + 1))
    return (
        here is not None
        and here.token_type not in (TokenType.STRING, TokenType.IDENTIFIER)
        and here.text.upper() in words
        and following is not None
        and following.token_type not in _ENDS_COLUMN
    )


def _marked(token: Any, word: str) -> Any:
    return type(token)(TokenType.VAR, _MARK + word, token.line, token.col, token.start, token.end)


def modifiers_of(select: exp.Expr) -> list[str]:
    """The words that modify a SELECT."""
    return [str(word.name).removeprefix(_MARK) for word in select.args.get("operation_modifiers") or ()]


def _mistake(sql: str, error: ParseError) -> SyntaxMistake:
    details = error.errors[0] if error.errors else {}
    before, word = str(details.get("start_context") or ""), str(details.get("highlight") or "")
    start = sql.find(before + word) + len(before) if word else len(sql.rstrip())
    problem = str(details.get("description") or error).split(" but got <")[0].rstrip(".")
    return SyntaxMistake(
        problem[:1].lower() + problem[1:],
        given=word or "the end of the statement",
        remedy="compare with docs/language.md; did a ; go missing?",
        span=Span(sql, max(start, 0), max(start, 0) + max(len(word), 1)),
    )
