"""A view of sqlglot's token cursor, for the clauses that SQL does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import TokenType, exp
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import Token

from transom.errors import Span, SyntaxMistake


class Cursor:
    """Reads Transom's clauses from where the SQL parser stands, and leaves the parser behind them."""

    def __init__(self, parser: SparkParser) -> None:
        self._parser: Any = parser

    def here(self) -> Token | None:
        """The token that stands next."""
        return self._parser._curr or None

    @property
    def place(self) -> int:
        """Where it stands, for `back_to`."""
        return int(self._parser._index)

    def back_to(self, place: int) -> None:
        """Stand there again."""
        self._parser._retreat(place)

    def peek(self) -> Token | None:
        """The token behind it."""
        return self._parser._next or None

    def ahead(self, number: int) -> list[Token | None]:
        """The next tokens."""
        first = self._parser._index
        found = list(self._parser._tokens[first : first + number])
        return [*found, *[None] * (number - len(found))]

    def at(self, *kinds: TokenType) -> bool:
        token = self.here()
        return token is not None and token.token_type in kinds

    def at_words(self, *words: str) -> bool:
        """Whether these words stand next, in any case; quoted identifiers and strings are not words."""
        tokens = [self.here(), self.peek()][: len(words)]
        return all(
            token is not None and token.token_type not in (TokenType.STRING, TokenType.IDENTIFIER) and token.text.upper() == word
            for token, word in zip(tokens, words, strict=True)
        )

    def take(self, kind: TokenType) -> bool:
        """Step over a token of this kind, if it stands next."""
        if not self.at(kind):
            return False
        self._parser._advance()
        return True

    def take_words(self, *words: str, ahead: int = 0) -> bool:
        """Step over these words, if they stand next; over all but the last `ahead` of them."""
        if not self.at_words(*words):
            return False
        for _ in words[ahead:]:
            self._parser._advance()
        return True

    def word(self) -> str:
        """Step over whatever stands next, and return its text."""
        token = self.here()
        if token is None:
            raise self.mistake("the statement ends too early", "finish it")
        self._parser._advance()
        return str(token.text)

    def expect(self, kind: TokenType, what: str) -> str:
        if not self.at(kind):
            raise self.mistake(f"expected {what}", "see docs/language.md")
        return self.word()

    def expect_words(self, *words: str) -> None:
        if not self.take_words(*words):
            raise self.mistake(f"expected {' '.join(words)}", f"write {' '.join(words)} here")

    def name(self, what: str) -> str:
        """An identifier."""
        if not self.at(TokenType.NUMBER, TokenType.STRING):
            identifier = self._parser._parse_id_var()
            if identifier is not None:
                return str(identifier.name)
        raise self.mistake(f"expected {what}", "write a name, in backquotes if it is a keyword")

    def names(self, what: str) -> tuple[str, ...]:
        """One or more identifiers with commas between."""
        found = [self.name(what)]
        while self.take(TokenType.COMMA):
            found.append(self.name(what))
        return tuple(found)

    def wrapped(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        """A list in parentheses."""
        self.expect(TokenType.L_PAREN, "(")
        found = [read()]
        while self.take(TokenType.COMMA):
            found.append(read())
        self.expect(TokenType.R_PAREN, ")")
        return tuple(found)

    def expression(self) -> exp.Expr:
        """A scalar expression, parsed as Spark SQL."""
        found = self._parser._parse_disjunction()
        if found is None:
            raise self.mistake("expected an expression", "write a Spark SQL expression")
        return found  # type: ignore[no-any-return]

    def span(self, start: Token | None = None) -> Span:
        """From a token up to the last one read; without one, the token that stands next."""
        sql = str(self._parser.sql)
        if start is not None:
            last = self._parser._prev or start
            return Span(sql, start.start, max(last.end, start.end) + 1)
        token = self.here()
        return Span(sql, token.start, token.end + 1) if token is not None else Span(sql, len(sql.rstrip()), len(sql))

    def mistake(self, problem: str, remedy: str) -> SyntaxMistake:
        token = self.here()
        given = "the end of the statement" if token is None else token.text
        return SyntaxMistake(problem, given=given, remedy=remedy, span=self.span())
