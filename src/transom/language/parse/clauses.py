"""The clauses of a bracket and of CREATE STREAM, in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from sqlglot import TokenType

from transom.errors import ConflictingClauses, MissingClause, TransomError, UnknownClause, nearest
from transom.language.parse.constants import folded
from transom.language.parse.cursor import Cursor
from transom.language.parse.lengths import begins_length, read_length, read_point
from transom.language.parse.policy_bracket import begins_policies, read_policies
from transom.language.parse.spans import with_span
from transom.language.parse.syntax import Clause
from transom.scalar.evaluation import parse
from transom.semantics.time import micros_of, timestamp_of
from transom.semantics.tuples import Rank

Reader = Callable[[Cursor], Any]


def read_bracket(cursor: Cursor) -> tuple[Clause, ...]:
    """The clauses between `[` and `]`; the cursor stands behind the `[`."""
    if begins_policies(cursor):
        return read_policies(cursor)
    empty = cursor.span()
    clauses = read_clauses(cursor, {**WINDOW_CLAUSES, **STREAM_CLAUSES}, ends=(TokenType.R_BRACKET,))
    if not clauses:
        raise MissingClause("a window needs clauses", given="[]", remedy="write, for example, [TUMBLE 5 MINUTES]", span=empty)
    cursor.expect(TokenType.R_BRACKET, "] at the end of the window")
    return clauses


def read_clauses(cursor: Cursor, readers: Mapping[str, Reader], ends: tuple[TokenType, ...]) -> tuple[Clause, ...]:
    """Clauses, each at most once, until a token that ends them or a word that begins none."""
    found: dict[str, Clause] = {}
    while cursor.here() is not None and not cursor.at(*ends):
        start = cursor.here()
        word = cursor.here().text.upper()  # type: ignore[union-attr]
        if word not in readers or cursor.at(TokenType.STRING, TokenType.IDENTIFIER):
            if ends:
                raise _unknown(cursor, word, readers)
            break
        cursor.word()
        value = with_span(cursor.span(start), partial(readers[word], cursor))
        clause = Clause(word, value, cursor.span(start))
        if word in found:
            raise ConflictingClauses(f"{word} is given twice", given=word, remedy="keep one of them", span=clause.span)
        found[word] = clause
    return tuple(found.values())


def _unknown(cursor: Cursor, word: str, readers: Mapping[str, Reader]) -> UnknownClause:
    return UnknownClause(
        "no window has this clause", given=word, exists=sorted(readers), remedy=nearest(word, readers), span=cursor.span()
    )


def _point(cursor: Cursor) -> Any:
    """A point, or a constant expression that makes one."""
    return _constant(cursor, read_point)


def _shift(cursor: Cursor) -> Any:
    """A length, or a constant expression that makes one."""
    return _constant(cursor, read_length)


def _constant(cursor: Cursor, read: Reader) -> Any:
    """What `read` reads, if nothing but another clause stands behind it; else the value of the expression up to there."""
    place, start, refused = cursor.place, cursor.here(), None
    try:
        value = read(cursor)
        if _at_boundary(cursor):
            return value
    except TransomError as error:
        refused = error
    cursor.back_to(place)
    depth = 0
    while cursor.here() is not None and (depth > 0 or not _at_boundary(cursor)):
        depth += cursor.at(TokenType.L_PAREN) - cursor.at(TokenType.R_PAREN)
        cursor.word()
    if refused is not None and cursor.place - place <= LITERAL_TOKENS:
        raise refused
    span = cursor.span(start)
    return with_span(span, lambda: folded(parse(span.text[span.start : span.end])))


def _at_boundary(cursor: Cursor) -> bool:
    """Whether the next clause begins here, or the bracket ends."""
    here, behind = cursor.here(), cursor.peek()
    if here is None or cursor.at(TokenType.R_BRACKET, TokenType.COMMA, TokenType.R_PAREN):
        return True
    calls = behind is not None and behind.token_type is TokenType.L_PAREN and here.text.upper() in ("NOW", "MAX")
    return not cursor.at(TokenType.STRING) and not calls and here.text.upper() in (*WINDOW_CLAUSES, *STREAM_CLAUSES, *PARTS)


LITERAL_TOKENS = 2
"""A literal has no more tokens: `TIMESTAMP '...'`, `-5`. What is wrong with one is said by whoever reads literals."""

PARTS = ("TO", "FROM", "UNTIL", "EVERY")
"""Words within a clause."""


def _range(cursor: Cursor) -> Any:
    here = cursor.here()
    if here is None or cursor.at(TokenType.R_BRACKET) or here.text.upper() in (*WINDOW_CLAUSES, *STREAM_CLAUSES):
        raise cursor.mistake("RANGE needs a length", "write, for example, RANGE 5 MINUTES or RANGE 100 ROWS")
    return read_length(cursor) if begins_length(cursor) else cursor.expression()


def _order(cursor: Cursor) -> str | Rank:
    name = cursor.name("a column, row_num or rank(column)")
    if name.lower() != "rank" or not cursor.take(TokenType.L_PAREN):
        return name
    column = cursor.name("a column")
    cursor.expect(TokenType.R_PAREN, ")")
    return Rank(column)


def _landmark(cursor: Cursor) -> dict[str, Any]:
    anchors: dict[str, Any] = {}
    for word, key, read in (("FROM", "since", _point), ("UNTIL", "until", _point), ("EVERY", "every", read_length)):
        if cursor.take_words(word):
            anchors[key] = read(cursor)
    return anchors


def _band(cursor: Cursor) -> tuple[Any, Any]:
    lower = _point(cursor)
    cursor.expect_words("TO")
    return lower, _point(cursor)


def _session(cursor: Cursor) -> Any:
    cursor.expect_words("GAP")
    return read_length(cursor)


def _partial(cursor: Cursor) -> bool:
    if cursor.take_words("OFF"):
        return False
    cursor.expect_words("ON")
    return True


def _late(cursor: Cursor) -> str:
    for choice in ("GENEROUS", "CONSISTENT"):
        if cursor.take_words(choice):
            return choice.lower()
    raise cursor.mistake("LATE is GENEROUS or CONSISTENT", "write one of the two")


def _punctuation(cursor: Cursor) -> dict[str, Any]:
    columns = cursor.wrapped(lambda: cursor.name("a column"))
    cursor.expect_words("WHEN")
    when = cursor.expression()
    substreams: tuple[Any, ...] = ()
    if cursor.take_words("FROM"):
        substreams = cursor.wrapped(lambda: _substream(cursor))
    return {"columns": columns, "when": when, "substreams": substreams}


def _substream(cursor: Cursor) -> tuple[Any, ...]:
    if cursor.at(TokenType.L_PAREN):
        return cursor.wrapped(lambda: _literal(cursor))
    return (_literal(cursor),)


def _literal(cursor: Cursor) -> Any:
    if cursor.at(TokenType.STRING):
        return cursor.word()
    value = read_point(cursor)
    return timestamp_of(micros_of(value)) if isinstance(value, datetime) else value


def _ordered(cursor: Cursor) -> tuple[str, ...]:
    return cursor.names("a column") if cursor.take_words("PER") else ()


def _ratio(cursor: Cursor) -> dict[str, Any]:
    ratio = read_length(cursor)
    return {"ratio": ratio, "normal": cursor.take_words("NORMAL")}


def _per_source(cursor: Cursor) -> tuple[str, ...]:
    cursor.expect_words("SOURCE")
    return cursor.wrapped(lambda: cursor.name("a column")) if cursor.at(TokenType.L_PAREN) else ()


def _idle(cursor: Cursor) -> Any:
    cursor.expect_words("AFTER")
    return read_length(cursor)


def _arrival(cursor: Cursor) -> str:
    cursor.expect_words("BY")
    return cursor.name("the arrival column")


def _partition(cursor: Cursor) -> tuple[str, ...]:
    """Columns; or (), for sessions of the whole stream."""
    if cursor.take(TokenType.L_PAREN):
        cursor.expect(TokenType.R_PAREN, ")")
        return ()
    return cursor.names("a column")


def _unbounded(cursor: Cursor) -> bool:
    cursor.expect_words("STATE")
    return True


WINDOW_CLAUSES: Mapping[str, Reader] = {
    "RANGE": _range,
    "TUMBLE": read_length,
    "SLIDE": read_length,
    "WATTR": _order,
    "RATTR": lambda cursor: cursor.name("a column"),
    "SATTR": _order,
    "PATTR": _partition,
    "OFFSET": _shift,
    "ORIGIN": _point,
    "LAG": read_length,
    "MAX": read_length,
    "LANDMARK": _landmark,
    "BAND": _band,
    "NOW": lambda _: True,
    "SESSION": _session,
    "PARTIAL": _partial,
    "WHERE": lambda cursor: cursor.expression(),
    "UNBOUNDED": _unbounded,
}

DISORDER_CLAUSES: Mapping[str, Reader] = {
    "SLACK": read_length,
    "DRATIO": _ratio,
    "BFSIZE": read_length,
    "HEARTBEAT": lambda cursor: cursor.take_words("AVERAGE"),
    "LATE": _late,
}

STREAM_CLAUSES: Mapping[str, Reader] = {
    **DISORDER_CLAUSES,
    "PUNCTUATION": _punctuation,
    "ORDERED": _ordered,
    "PER": _per_source,
    "IDLE": _idle,
    "AHEAD": read_length,
    "ARRIVAL": _arrival,
}
