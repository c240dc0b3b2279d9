"""Operators called as table functions: `vwap(TABLE trades [SLIDING count(100), count(10) PARTITIONED BY (ticker)])`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlglot import TokenType, exp

from transom.errors import ConflictingClauses, MissingClause, Span
from transom.language.parse.cursor import Cursor
from transom.language.parse.policy_bracket import begins_policies, read_policies
from transom.windowing.policy_window import PolicyWindow


@dataclass(frozen=True)
class PortArgument:
    """The stream and the window of an input port; of an operator with several, `port` names it."""

    port: str | None
    stream: exp.Expr
    window: PolicyWindow
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class OperatorCall:
    """An operator by name, what its ports read, and which output is taken; None for the only one."""

    name: str
    arguments: tuple[PortArgument, ...]
    output: str | None
    span: Span = field(compare=False, repr=False)


def begins_operator_call(cursor: Cursor) -> bool:
    """Whether a function of tables stands next: a name, (, and TABLE or the name of a port."""
    here, behind, third, fourth = cursor.ahead(4)
    if here is None or behind is None or third is None or behind.token_type is not TokenType.L_PAREN:
        return False
    named = fourth is not None and fourth.token_type is TokenType.FARROW
    return here.token_type is not TokenType.L_PAREN and (third.text.upper() == "TABLE" or named)


def read_operator_call(cursor: Cursor, read_table: Callable[[], exp.Expr | None]) -> OperatorCall:
    """The call; the cursor stands at its name. `read_table` reads what stands behind TABLE, without its window."""
    start = cursor.here()
    name = cursor.name("an operator")
    cursor.expect(TokenType.L_PAREN, "(")
    arguments: list[PortArgument] = []
    output: str | None = None
    while True:
        if cursor.at_words("OUTPUT") and (behind := cursor.peek()) is not None and behind.token_type is TokenType.FARROW:
            span = cursor.span()
            cursor.word()
            cursor.word()
            if output is not None:
                raise ConflictingClauses("one output is taken", given=f"OUTPUT => {output}", remedy="keep one", span=span)
            output = cursor.name("an output")
        else:
            arguments.append(_argument(cursor, read_table))
        if not cursor.take(TokenType.COMMA):
            break
    cursor.expect(TokenType.R_PAREN, ") behind the arguments of an operator")
    return OperatorCall(name, tuple(arguments), output, cursor.span(start))


def _argument(cursor: Cursor, read_table: Callable[[], exp.Expr | None]) -> PortArgument:
    start = cursor.here()
    behind = cursor.peek()
    port = None
    if behind is not None and behind.token_type is TokenType.FARROW:
        port = cursor.name("an input port")
        cursor.word()
    cursor.expect_words("TABLE")
    stream = read_table()
    if stream is None:
        raise cursor.mistake("expected a stream behind TABLE", "write TABLE trades [SLIDING count(100), count(10)]")
    if not cursor.take(TokenType.L_BRACKET) or not begins_policies(cursor):
        raise MissingClause(
            "an operator reads a stream through a window with policies",
            given=f"TABLE {stream.sql('spark')[:60]}",
            remedy=f"write TABLE {stream.sql('spark')[:60]} [SLIDING count(100), count(10)]",
            span=cursor.span(start),
        )
    (clause,) = read_policies(cursor)
    window: Any = clause.value
    return PortArgument(port, stream, window, cursor.span(start))
