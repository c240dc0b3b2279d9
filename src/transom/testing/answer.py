"""Asking the reference what a query answers to a handful of tuples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from transom.calls import checked
from transom.errors import BadQuery, BadTuple, NotSupported
from transom.fluent.relation import Relation
from transom.plan.expression import Expression
from transom.reference.evaluate import evaluate
from transom.reference.history import Arrival, End, Item, Promise
from transom.reference.of_plan import lower, promise_of
from transom.reference.outcome import Outcome
from transom.reference.rows import columns_of_tuple
from transom.reference.stream import ReferenceStream
from transom.scalar.evaluation import Scope, holds
from transom.semantics.time import parse_timestamp
from transom.semantics.tuples import Tuple


@checked
def answer(query: Relation, tuples: Iterable[Mapping[str, Any] | Sequence[Any]], *, end: bool = False) -> Outcome:
    """What a query answers to tuples that arrive in this order; with `end`, the input ends after them.

    A tuple is a mapping, or its values in the order of the stream's columns. Timestamps may be text. A tuple for which the
    WHEN of PUNCTUATION is true is a promise. Where no clause says what is late, a stream over a bounded DataFrame has no late
    tuples, and any other has SLACK 0.

    >>> import transom as tr
    >>> speeds = tr.sql('''
    ...     CREATE STREAM traffic (speed DOUBLE, mile INT) ORDER BY mile;
    ...     SELECT max(speed) AS hi, window_end FROM traffic [TUMBLE 10];
    ... ''')
    >>> answer(speeds, [(50, 3), (60, 12)], end=True).rows
    [{'hi': 50.0, 'window_end': 10}, {'hi': 60.0, 'window_end': 20}]
    """
    if not isinstance(query, Relation):
        raise BadQuery("answer takes a query", given=repr(query)[:80], remedy='write answer(tr.sql("..."), ...)')
    asked, stream = lower(query.plan)
    if stream.ahead is not None and stream.arrival_by is None:
        raise NotSupported(
            "answer has no clock that tuples could be ahead of",
            given=f"AHEAD {stream.ahead}",
            remedy="say when they arrive: ARRIVAL BY a column",
        )
    promise = promise_of(query.plan)
    found = [_item(_values(one, stream), stream, promise) for one in tuples]
    items = [item for item in found if item is not None]
    return evaluate(asked, stream, [*items, End()] if end else items)


def _item(values: dict[str, Any], stream: ReferenceStream, promise: Expression | None) -> Item | None:
    """A tuple, or a promise; one of NULL promises nothing."""
    if promise is not None and holds(promise.text, Scope(columns_of_tuple(Tuple(0, 0, stream.tuple_values(values))))):
        known = values[stream.punctuation[-1]] is not None
        return Promise({name: values[name] for name in stream.punctuation}) if known else None
    return Arrival(values)


def _values(given: Mapping[str, Any] | Sequence[Any], stream: ReferenceStream) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != len(stream.columns):
            raise BadTuple(
                "a tuple has one value for each column",
                given=repr(given)[:80],
                exists=stream.columns,
                remedy="give them all, None for NULL",
            )
        given = dict(zip(stream.columns, given, strict=True))
    return {name: _value(value, stream.columns.get(name)) for name, value in given.items()}


def _value(value: Any, kind: str | None) -> Any:
    return parse_timestamp(value) if kind == "timestamp" and isinstance(value, str) else value
