"""Windows with policies: `[TUMBLING count(100)]`, `[SLIDING delta(ts, 10 SECONDS), count(1) PARTITIONED BY (k) PARTIAL OFF]`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sqlglot import TokenType

from transom.errors import ConflictingClauses, MissingClause, UnknownClause, nearest
from transom.language.parse.cursor import Cursor
from transom.language.parse.lengths import read_length
from transom.language.parse.spans import with_span
from transom.language.parse.syntax import Clause
from transom.windowing.policies.limits import SELECTIONS, Limit, partition_age, partition_count, tuple_count
from transom.windowing.policies.policy import Policy, count, delta, punct, time
from transom.windowing.policy_window import PolicyWindow
from transom.windowing.tumbling_and_sliding import WindowKind

POLICY = "POLICY"
"""The clause that stands for all that a bracket with policies says."""


def begins_policies(cursor: Cursor) -> bool:
    """Whether a bracket has policies. The cursor stands behind the `[`."""
    return cursor.at_words("TUMBLING") or cursor.at_words("SLIDING")


def read_policies(cursor: Cursor) -> tuple[Clause, ...]:
    """The one clause that such a bracket is."""
    start = cursor.here()
    read = partial(_window, cursor)
    window = with_span(cursor.span(start), read)
    clause = Clause(POLICY, window, cursor.span(start))
    cursor.expect(TokenType.R_BRACKET, "] at the end of the window")
    return (clause,)


def _window(cursor: Cursor) -> PolicyWindow:
    slides = cursor.word().upper() == "SLIDING"
    evict, trigger = _policy(cursor), None
    if slides:
        if not cursor.take(TokenType.COMMA):
            raise MissingClause(
                "a sliding window needs a trigger policy",
                given=f"SLIDING {evict}",
                remedy="write [SLIDING count(100), count(10)], or TUMBLING",
                span=cursor.span(),
            )
        trigger = _policy(cursor)
    keys, limit, partial_windows, per_shard = _rest(cursor)
    window = WindowKind(evict, trigger, partial=partial_windows)
    if keys:
        window = window.partitioned_by(*keys)
    if limit is not None:
        window = window.limited_to(limit)
    if per_shard and limit is None:
        raise MissingClause("PER SHARD says where a limit holds", given="PER SHARD", remedy="add partition_count(1000)")
    return PolicyWindow(window, per_shard)


def _rest(cursor: Cursor) -> tuple[tuple[str, ...], Limit | None, bool, bool]:
    """PARTITIONED BY, a limit, PARTIAL and PER SHARD, in any order."""
    found: dict[str, Any] = {}
    while not cursor.at(TokenType.R_BRACKET):
        span = cursor.span()
        value: Any
        here = cursor.here()
        if here is not None and here.text.upper().split() == ["PARTITIONED", "BY"]:  # one token in Spark SQL
            cursor.word()
            name, value = "PARTITIONED BY", cursor.wrapped(lambda: cursor.name("a column"))
        elif cursor.take_words("PARTIAL", "OFF"):
            name, value = "PARTIAL", False
        elif cursor.take_words("PARTIAL", "ON"):
            name, value = "PARTIAL", True
        elif cursor.take_words("PER", "SHARD"):
            name, value = "PER SHARD", True
        else:
            name, value = "a limit on partitions", _limit(cursor)
        if name in found:
            raise ConflictingClauses(f"{name} is given twice", given=name, remedy="keep one of them", span=span)
        found[name] = value
    keys = found.get("PARTITIONED BY", ())
    return keys, found.get("a limit on partitions"), found.get("PARTIAL", True), found.get("PER SHARD", False)


def _policy(cursor: Cursor) -> Policy:
    readers: dict[str, Callable[[], Policy]] = {
        "COUNT": lambda: count(_number(cursor)),
        "DELTA": lambda: _delta(cursor),
        "TIME": lambda: time(read_length(cursor)),  # type: ignore[arg-type]
        "PUNCT": punct,
    }
    return _called(cursor, readers, "a policy")  # type: ignore[no-any-return]


def _limit(cursor: Cursor) -> Limit:
    readers: dict[str, Callable[[], Limit]] = {
        "PARTITION_COUNT": lambda: partition_count(_number(cursor), _selection(cursor)),
        "TUPLE_COUNT": lambda: tuple_count(_number(cursor), _selection(cursor)),
        "PARTITION_AGE": lambda: partition_age(read_length(cursor)),  # type: ignore[arg-type]
    }
    known = ("PARTITIONED BY", "PARTIAL OFF", "PER SHARD", *(name.lower() for name in readers))
    here = cursor.here()
    word = "" if here is None else here.text.upper()
    if word not in readers:
        raise UnknownClause(
            "no window with policies has this clause", given=word, exists=known, remedy=nearest(word, known), span=cursor.span()
        )
    return _called(cursor, readers, "a limit")  # type: ignore[no-any-return]


def _called(cursor: Cursor, readers: dict[str, Callable[[], Any]], what: str) -> Any:
    """A policy or a limit with its arguments in parentheses."""
    start = cursor.here()
    word = "" if start is None else start.text.upper()
    if word not in readers:
        known = [f"{name.lower()}(...)" for name in readers]
        raise UnknownClause(
            f"this is not {what}", given=word.lower(), exists=known, remedy=nearest(word.lower(), known), span=cursor.span()
        )
    cursor.word()
    cursor.expect(TokenType.L_PAREN, "(")
    made = with_span(cursor.span(start), readers[word])
    cursor.expect(TokenType.R_PAREN, ")")
    return made


def _delta(cursor: Cursor) -> Policy:
    attribute = cursor.name("the column that delta is measured on")
    cursor.expect(TokenType.COMMA, ", and how far it may move")
    return delta(attribute, read_length(cursor))  # type: ignore[arg-type]


def _number(cursor: Cursor) -> Any:
    sign = -1 if cursor.take(TokenType.DASH) else 1
    text = cursor.expect(TokenType.NUMBER, "a whole number")
    return sign * int(text) if text.isdigit() else float(text)


def _selection(cursor: Cursor) -> str:
    """Which partition goes first: `partition_count(100, lfu)`."""
    if not cursor.take(TokenType.COMMA):
        return SELECTIONS[0]
    return cursor.word().lower()
