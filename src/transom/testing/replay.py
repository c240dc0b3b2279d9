"""Replaying transcripts: in any cut into micro-batches and, where order cannot matter, in any order of tuples."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from transom.column_names import IMPLICIT
from transom.disorder.at_end import AtEnd
from transom.errors import TranscriptFailed
from transom.reference.history import Arrival, Item
from transom.reference.outcome import Row
from transom.scalar.evaluation import columns_of, parse
from transom.scalar.exact_aggregates import ORDER_SENSITIVE
from transom.semantics.classes.measured import partition_columns
from transom.semantics.windows.filtered import Filtered
from transom.testing.compare import difference, show_difference
from transom.testing.engine import Engine, Execution, ReferenceEngine
from transom.testing.transcript import Transcript

Cuts = Sequence[int]
"""Where micro-batches end: positions in the list of items, ascending. The last is its length."""


def replay(transcript: Transcript, engine: Engine | None = None, cut: Cuts | None = None, *, rel_tol: float = 0.0) -> None:
    """Run a transcript on an engine; without a cut, every item is a micro-batch of its own.

    A row may leave in the micro-batch that completes it, not before and not after. Raises `TranscriptFailed`.
    """
    ends = list(each_item(transcript) if cut is None else cut)
    if ends != sorted(ends) or any(end < 0 for end in ends) or [*ends[-1:]] != [*[len(transcript.items)][: len(ends)]]:
        raise TranscriptFailed("a cut ascends to the number of items", given=ends, remedy=f"end it with {len(transcript.items)}")
    execution = (engine or ReferenceEngine()).start(transcript.query, transcript.stream)
    left: list[Row] = []
    start = 0
    for end in ends:
        left += execution.feed(transcript.items[start:end])
        start = end
        _check_rows(transcript, left, end, rel_tol)
    _check_rows(transcript, left, start, rel_tol)
    _check_late(transcript, execution, rel_tol)


def replay_every_way(transcript: Transcript, engine: Engine | None = None, *, ways: int = 8, rel_tol: float = 0.0) -> None:
    """Replay item by item, whole, where it expects something, and in `ways` random cuts and, if they may be, orders."""
    cuts: list[Cuts] = [each_item(transcript), [len(transcript.items)], _at_expectations(transcript)]
    for cut in cuts:
        replay(transcript, engine, cut, rel_tol=rel_tol)
    for seed in range(ways):
        rng = random.Random(seed)
        variant = shuffled(transcript, rng) if order_cannot_matter(transcript) else transcript
        try:
            replay(variant, engine, random_cut(variant, rng), rel_tol=rel_tol)
        except TranscriptFailed as failure:
            failure.add_note(f"in random way {seed}")
            raise


def each_item(transcript: Transcript) -> Cuts:
    """Every item by itself."""
    return range(1, len(transcript.items) + 1)


def _at_expectations(transcript: Transcript) -> Cuts:
    return sorted({*(expectation.after for expectation in transcript.expectations), len(transcript.items)})


def random_cut(transcript: Transcript, rng: random.Random) -> Cuts:
    """Any cut, empty micro-batches included."""
    size = len(transcript.items)
    return [*sorted(rng.randint(0, size) for _ in range(rng.randint(0, size))), size]


def order_cannot_matter(transcript: Transcript) -> bool:
    """Whether tuples may change places between punctuations: nothing counts arrivals, and the source punctuates or
    nothing is late."""
    query, stream = transcript.query, transcript.stream
    if (
        query.aggregates
        or query.window is None
        or query.window.attribute is None
        or query.window.counting is not None
        or not (stream.punctuation or isinstance(stream.generator, AtEnd))
    ):
        return False
    texts = [*query.expressions.values(), *(text for text in (query.having, query.prefilter) if text is not None)]
    where = query.window.where.columns if isinstance(query.window, Filtered) else ()
    named = [
        *query.group_by,
        *partition_columns(query.window),
        *where,
        *(column for text in texts for column in columns_of(text)),
    ]
    arrival = any(column in IMPLICIT for column in named)
    return not arrival and not any(parse(text).find(*ORDER_SENSITIVE) for text in texts)


def shuffled(transcript: Transcript, rng: random.Random) -> Transcript:
    """The same transcript with the tuples between punctuations in another order."""
    items = [item for run in _runs(transcript.items) for item in rng.sample(run, len(run))]
    return replace(transcript, items=tuple(items))


def _runs(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Maximal runs of tuples, and every other item by itself."""
    run: list[Item] = []
    for item in items:
        if isinstance(item, Arrival):
            run.append(item)
            continue
        yield run
        yield [item]
        run = []
    yield run


def _check_rows(transcript: Transcript, left: list[Row], end: int, rel_tol: float) -> None:
    """After `end` items: everything due has left, and nothing that is due later."""
    due = [row for expectation in transcript.expectations if expectation.after <= end for row in expectation.rows]
    missing, _ = difference(left, due, rel_tol=rel_tol)
    horizon = min((e.after for e in transcript.expectations if e.after >= end), default=len(transcript.items))
    possible = [row for expectation in transcript.expectations if expectation.after <= horizon for row in expectation.rows]
    _, unexpected = difference(left, possible, rel_tol=rel_tol)
    if missing or unexpected:
        step = max((e.step for e in transcript.expectations if e.after <= end), default=0)
        raise TranscriptFailed(
            f"transcript {transcript.name!r}: after {end} of {len(transcript.items)} items (expectations up to step {step})"
            f"\n{show_difference(missing, unexpected)}"
        )


def _check_late(transcript: Transcript, execution: Execution, rel_tol: float) -> None:
    if transcript.late is not None:
        missing, unexpected = difference(execution.late(), transcript.late, rel_tol=rel_tol)
        if missing or unexpected:
            raise TranscriptFailed(f"transcript {transcript.name!r}: late tuples\n{show_difference(missing, unexpected)}")
    counts = execution.counts()
    if counts.arrived != counts.used + counts.dropped + counts.outside:
        raise TranscriptFailed(f"transcript {transcript.name!r}: in is not used + dropped + outside", given=counts)
    for name, want in (transcript.counts or {}).items():
        if getattr(counts, name) != want:
            raise TranscriptFailed(
                f"transcript {transcript.name!r}: {name} is {getattr(counts, name)}, expected {want}", given=counts
            )
